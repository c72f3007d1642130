package formula

import (
	"io"

	"podium/examinations"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
)

// Files are the net and the formula files of an instance, as Open reads them.
type Files struct {
	Document *pnml.Document    // what could be read of the net; never nil
	Found    diagnostic.List   // what is wrong with the net
	Texts    map[string][]byte // the formula files, by name, as they are
}

// Open reads the net and the formula files of some examinations. It passes once
// over an archive, in any order of its files, so the formula files are kept as
// text until the net is known. Every file is read through limit, which may be
// nil. An error means that a file could not be read.
func Open(i models.Instance, exams []examinations.ID, limit func(io.Reader) io.Reader) (*Files, error) {
	f := &Files{Document: &pnml.Document{}, Texts: map[string][]byte{}}
	wanted := map[string]bool{}
	for _, exam := range exams {
		wanted[exam.FormulaFile()] = exam.HasFormulas()
	}
	return f, i.Each(func(name string, content io.Reader) (err error) {
		if limit != nil {
			content = limit(content)
		}
		switch {
		case name == models.ModelFile:
			f.Document, f.Found = i.Read(content)
		case wanted[name]:
			f.Texts[name], err = io.ReadAll(content)
		}
		return err
	})
}
