package corpus

// Alike returns the path of a reproducer in one of the directories that has the
// fingerprint of an entry, or "" if there is none. Files that cannot be read are
// passed over.
func Alike(e *Entry, dirs ...string) string {
	for _, dir := range dirs {
		for _, known := range LoadDir(dir) {
			if known.Err == nil && known.Entry.Fingerprint() == e.Fingerprint() {
				return known.Path
			}
		}
	}
	return ""
}
