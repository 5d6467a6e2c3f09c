package report

import "goreify/corpus"

// classFiles returns what goes with a class in hexadecimal: its text, and what runs it.
func classFiles(e *corpus.Entry) (files []file) {
	stem := "repro"
	if e.Reduced != "" {
		stem = "reduced"
	}
	for _, name := range []string{stem + ".jasm", "Repro.java"} {
		if text, ok := e.Members[name]; ok {
			files = append(files, file{name, text})
		}
	}
	return files
}
