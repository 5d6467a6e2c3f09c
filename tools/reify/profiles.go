package main

import (
	"fmt"

	"github.com/urfave/cli/v3"

	"goreify/reify"
	"goreify/tools/cmdline"
)

// listProfiles prints all profiles and features, each with a sentence, or what the one of
// the flag profile draws from.
func listProfiles(c *cli.Command) error {
	w := c.Root().Writer
	if c.IsSet("profile") {
		name, _ := cmdline.SplitProfile(c.String("profile"))
		p, err := reify.FindProfile(name)
		if err == nil {
			_, err = fmt.Fprint(w, p)
		}
		return err
	}
	fmt.Fprintln(w, "Profiles, each a table of distributions that are drawn anew for each function:")
	for _, name := range reify.Profiles() {
		p, err := reify.FindProfile(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %-13s %s\n", name, p.About())
	}
	fmt.Fprintln(w, "  default       the paper's configuration; draw: each recipe draws a profile")
	fmt.Fprintln(w, "\nFeatures, which + and - after a profile switch on and off, as in wild+ptr-float; +all is all:")
	for _, name := range reify.Features() {
		fmt.Fprintf(w, "  %-13s %s\n", name, reify.AboutFeature(name))
	}
	return nil
}
