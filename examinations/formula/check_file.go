package formula

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

// CheckFile reads and checks a formula file, named after its examination, against
// the names of a net, nil where the net is not known, and against the name of its
// instance, "" where that is not known. It returns the formulas without errors, too.
func CheckFile(r io.Reader, path string, names *NetNames, instance string) (properties []Property, exam examinations.ID, list diagnostic.List) {
	exam, err := examinations.ParseID(strings.TrimSuffix(filepath.Base(path), ".xml"))
	if err != nil {
		exam = ""
	}
	properties, list = ReadOf(r, path, exam, names)
	checked := Check(path, properties, exam, nil)
	if list.Err() != nil { // formulas with errors are not among the properties
		checked = slices.DeleteFunc(checked, func(d diagnostic.Diagnostic) bool { return d.Code == "formula-count" })
	}
	list = append(list, checked...)
	if instance != "" {
		list = append(list, CheckIDs(path, properties, instance, exam)...)
	}
	return properties, exam, list
}
