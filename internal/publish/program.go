package publish

import (
	"bufio"
	"encoding/base64"
)

// Program is what makes the pages of a site compute: WebAssembly and the script
// of Go that starts it, both packed by gzip. Pages are complete without it.
type Program struct{ Wasm, Glue []byte }

// writeProgram writes the program in files that pages load by script elements,
// so that they work from files as from a server. podium.js unpacks and starts it.
func (s *site) writeProgram() error {
	p := s.c.Program
	if p == nil {
		return nil
	}
	return s.tree.write("podium-program.js", func(w *bufio.Writer) error {
		w.WriteString(`"use strict";` + "\nself.podiumProgram = {\n glue: \"")
		writeBase64(w, p.Glue)
		w.WriteString("\",\n wasm: \"")
		writeBase64(w, p.Wasm)
		_, err := w.WriteString("\"\n};\n")
		return err
	})
}

// writeBase64 writes the bytes; a failure stays in w.
func writeBase64(w *bufio.Writer, b []byte) {
	e := base64.NewEncoder(base64.StdEncoding, w)
	e.Write(b)
	e.Close()
}
