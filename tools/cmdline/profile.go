package cmdline

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/urfave/cli/v3"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/language"
)

// ProfileFlag says how the configurations of recipes are drawn; see Configured.
func ProfileFlag(value string) cli.Flag {
	return &cli.StringFlag{Name: "profile", Value: value, Usage: "`PROFILE` to draw from: wild, wild+ptr-float, draw, 15,8,2,2,3"}
}

// SplitProfile returns the profile and the features of a text such as wild+ptr-float, the
// latter as reify.Config.With takes them: +ptr,-float. The names of profiles may
// have dashes.
func SplitProfile(text string) (profile, features string) {
	end := strings.IndexAny(text+"-", "+-")
	for _, p := range reify.Profiles() {
		if strings.HasPrefix(text, p) && len(p) > end && (len(text) == len(p) || strings.ContainsAny(text[len(p):len(p)+1], "+-,")) {
			end = len(p)
		}
	}
	profile = strings.TrimRightFunc(text[:end], func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	features = strings.NewReplacer(",", "", "+", ",+", "-", ",-").Replace(text[end:])
	return profile, strings.TrimPrefix(features, ",")
}

// Configured returns what configures a recipe under the flag -profile: a profile by its
// name, from which each recipe draws; "default", the paper's configuration; "draw", by
// which a recipe draws a profile, too; or the five numbers of reify.ParseConfig.
// Features that the language of the flag -lang does not have are off.
func Configured(c *cli.Command) (func(reify.Recipe) reify.Config, error) {
	name, features := SplitProfile(c.String("profile"))
	configure, err := configuration(name)
	if err != nil {
		return nil, err
	}
	lang, err := language.Named(cmp.Or(c.String("lang"), language.Usual().Short))
	if err != nil {
		return nil, err
	}
	for _, name := range lang.Masked {
		features = strings.TrimPrefix(features+",-"+name, ",")
	}
	return withFeatures(configure, features)
}

// configuration returns what configures a recipe under a profile without features.
func configuration(name string) (func(reify.Recipe) reify.Config, error) {
	switch {
	case name == "draw":
		return func(r reify.Recipe) reify.Config {
			_, c := r.Plan()
			return c
		}, nil
	case name == "default":
		return func(reify.Recipe) reify.Config { return reify.DefaultConfig() }, nil
	case strings.Trim(name, "0123456789, ") == "":
		conf, err := reify.ParseConfig(name)
		return func(reify.Recipe) reify.Config { return conf }, err
	}
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
