package reduce

// table returns the passes, coarse to fine.
func table() []pass {
	return []pass{
		{name: "statements", edits: removeStatements, rescue: true},
	}
}
