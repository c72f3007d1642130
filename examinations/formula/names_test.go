package formula

import (
	"bytes"
	"path/filepath"
	"testing"

	"podium/internal/realdata"
	"podium/pnml"
)

// TestRealNames finds every name of the real formula files in the real nets,
// coloured ones too, and generates formulas of all kinds over the others.
func TestRealNames(t *testing.T) {
	for _, archive := range realdata.InstanceArchives(t) {
		var doc *pnml.Document
		files := map[string][]byte{}
		realdata.EachFile(t, archive, func(name string, content []byte) {
			if _, ok := examOf(name, ".xml"); ok {
				files[name] = content
			}
			if filepath.Base(name) == "model.pnml" {
				doc, _ = pnml.Read(bytes.NewReader(content), name)
			}
		})
		names := NamesIn(doc)
		for name, content := range files {
			exam, _ := examOf(name, ".xml")
			properties, list := ReadOf(bytes.NewReader(content), name, exam, names)
			if list = append(list, Check(name, properties, exam, names)...); len(list) > 0 {
				t.Error(list)
			}
			if doc.Net == nil {
				continue
			}
			id := instance(t, filepath.Base(filepath.Dir(name)))
			properties, err := Generate(doc.Net, id, exam, GenerateOptions{Seed: 1})
			if list := Check(name, properties, exam, names); err != nil || len(list) > 0 {
				t.Errorf("generated: %v, %v", err, list)
			}
		}
	}
	if NamesIn(&pnml.Document{}) != nil {
		t.Error("a document without net has names")
	}
}
