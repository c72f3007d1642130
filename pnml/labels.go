package pnml

import (
	"io"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// Labels reads a document for the names of its places and transitions, by id, cut for a
// message; those without a name, or named after their id, are left out. [Read] does not
// keep names, of which a large net has millions: this is for small ones, after Read found
// no error.
func Labels(r io.Reader) map[string]string {
	s, labels := xmlscan.New(r, ""), map[string]string{}
	for {
		switch s.Next() {
		case xmlscan.EOF:
			return labels
		case xmlscan.Start:
			switch string(s.Name()) {
			case "toolspecific":
				s.Skip()
			case "place", "transition":
				id, _ := s.Attr("id")
				key := string(id)
				if name := labelOf(s); name != "" && name != key {
					labels[key] = diagnostic.Cut(name)
				}
			}
		}
	}
}

// Labelled returns the name of a node with its id behind it, or the id alone where there is
// no other name.
func Labelled(id string, labels map[string]string) string {
	if name, ok := labels[id]; ok {
		return name + " (" + id + ")"
	}
	return id
}

// labelOf reads an element to its end, and returns the text of its name.
func labelOf(s *xmlscan.Scanner) (text string) {
	for {
		switch s.Next() {
		case xmlscan.Start:
			switch string(s.Name()) {
			case "name":
				text = labelOf(s)
			case "text":
				text = string(s.ElementText())
			default:
				s.Skip()
			}
		case xmlscan.End, xmlscan.EOF:
			return text
		}
	}
}
