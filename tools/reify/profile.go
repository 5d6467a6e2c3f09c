package main

import (
	"cmp"
	"errors"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/language"
)

// profileFlags select a configuration in place of -config; see function
// configured.
func profileFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "profile", Usage: "`NAME` of the profile that each recipe draws its configuration from: " + strings.Join(reify.Profiles(), ", ")},
		&cli.StringFlag{Name: "features", Usage: "features to switch on and off, such as `+ptr,-float`: " + strings.Join(reify.Features(), ", ")},
	}
}

// configured returns what configures a recipe under the flags -config, -profile
// and -features.
func configured(c *cli.Command) (func(reify.Recipe) reify.Config, error) {
	configure, err := configuration(c.String("config"))
	if err != nil {
		return nil, err
	}
	if c.IsSet("profile") {
		if c.IsSet("config") {
			return nil, errors.New("want -config or -profile, not both")
		}
		if configure, err = profiled(c.String("profile")); err != nil {
			return nil, err
		}
	}
	features := c.String("features")
	if lang, err := language.Named(cmp.Or(c.String("lang"), "c")); err != nil {
		return nil, err
	} else if lang != nil {
		features = strings.TrimPrefix(features+",-"+strings.Join(lang.Masked, ",-"), ",")
	}
	return withFeatures(configure, features)
}

// profiled returns what draws the configuration of a recipe from a profile.
func profiled(name string) (func(reify.Recipe) reify.Config, error) {
	p, err := reify.FindProfile(name)
	return func(r reify.Recipe) reify.Config { return p.Draw(choice.Named("config", r.Config)) }, err
}

// withFeatures returns configure with features switched on and off. The error
// says what is wrong with them for any configuration.
func withFeatures(configure func(reify.Recipe) reify.Config, features string) (func(reify.Recipe) reify.Config, error) {
	if features == "" {
		return configure, nil
	}
	if _, err := configure(reify.Recipe{}).With(features); err != nil {
		return nil, err
	}
	return func(r reify.Recipe) reify.Config {
		conf, err := configure(r).With(features)
		if err != nil {
			panic("reify: features that fit one configuration do not fit another: " + err.Error())
		}
		return conf
	}, nil
}
