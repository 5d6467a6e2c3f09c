package corpus

import (
	"slices"
	"strings"
)

// A Home is the part of an entry about the compiler that it was found with, before
// another compiler adopted it.
type Home struct {
	Configuration        // in which it failed: of one mode
	Compiler      string // name it was run as
	Verdict       string
	Bucket        string // or empty
}

const homeSeparator = "; "

// Leave notes the compiler of e among its former homes, and in Bad that it fails there.
// All other values about that compiler stay, for the caller to replace. Copies of the
// entry keep their values.
func (e *Entry) Leave() {
	own := Configuration{Family: e.Family, Version: e.Version, Args: e.Flags, Modes: []string{e.Mode}}
	e.Bad = Add(slices.Clone(e.Bad), own.Family, own.Version, own.Args, e.Mode)
	parts := append([]string{own.String(), e.Compiler, e.Verdict}, optional(e.Bucket)...)
	e.Notes = append(slices.Clone(e.Notes), Note{NoteFormerHome, strings.Join(parts, homeSeparator)})
}

// FormerHomes returns the homes that Leave has noted, the oldest first. Notes that it
// did not write are passed over.
func (e *Entry) FormerHomes() []Home {
	var homes []Home
	for _, v := range e.AllNotes(NoteFormerHome) {
		parts := strings.SplitN(v, homeSeparator, 4)
		c, err := parseConfiguration(parts[0])
		if err != nil || len(parts) < 3 {
			continue
		}
		homes = append(homes, Home{c, parts[1], parts[2], strings.Join(parts[3:], "")})
	}
	return homes
}

// Buckets returns the bucket of e and those that it had in former homes, without
// empty ones.
func (e *Entry) Buckets() []string {
	names := optional(e.Bucket)
	for _, h := range e.FormerHomes() {
		names = append(names, optional(h.Bucket)...)
	}
	return names
}
