package diagnostic

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// Of findings that are alike, these many are shown: of a file, and of how many files.
const (
	mostErrors, mostWarnings = 10, 3
	mostFiles                = 3
)

// ErrorsFirst puts errors before warnings and warnings before notes, and leaves the
// order of the others as it is.
func (l List) ErrorsFirst() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int { return int(a.Severity) - int(b.Severity) })
}

// WriteGrouped writes lines for a person: of findings alike, which have one code and one
// severity, the first of a file, of the first files. The last line says how many more
// there are, and that all, the flag of a command say, shows them, unless it is "".
func (l List) WriteGrouped(w io.Writer, all string) error {
	b := bufio.NewWriter(w)
	groups := map[alike]*group{}
	for _, d := range l {
		groups[d.alike()] = groups[d.alike()].with(d)
	}
	for _, d := range l {
		g := groups[d.alike()]
		here := g.pass(d.File)
		if most := d.Severity.most(); here.number <= mostFiles && here.passed <= most {
			line := d.Error()
			if here.passed == min(most, here.all) {
				line += g.more(here, all)
			}
			fmt.Fprintln(b, line)
		}
	}
	return b.Flush()
}

// most is how many findings alike are shown of one file.
func (s Severity) most() int {
	if s == Error {
		return mostErrors
	}
	return mostWarnings
}

// alike is what findings have in common that are shown as a group.
type alike struct {
	severity      Severity
	code, message string // the message where there is no code
}

func (d Diagnostic) alike() alike {
	if d.Code == "" {
		return alike{d.Severity, "", d.Message}
	}
	return alike{d.Severity, d.Code, ""}
}

// group is all findings that are alike, by file.
type group struct {
	files  map[string]*inFile
	passed int // files
	rest   int // findings of files that were not passed
}

// inFile is the findings of a group in one file.
type inFile struct {
	all, passed int
	number      int // of the file among those that were passed, from 1
}

func (g *group) with(d Diagnostic) *group {
	if g == nil {
		g = &group{files: map[string]*inFile{}}
	}
	if g.files[d.File] == nil {
		g.files[d.File] = &inFile{}
	}
	g.files[d.File].all++
	g.rest++
	return g
}

func (g *group) pass(file string) *inFile {
	here := g.files[file]
	if here.passed++; here.passed == 1 {
		g.passed++
		here.number = g.passed
		g.rest -= here.all
	}
	return here
}

// more says how much is not shown behind the last finding of a file that is.
func (g *group) more(here *inFile, all string) string {
	hidden, where := here.all-here.passed, ""
	switch files := len(g.files) - mostFiles; {
	case here.number < mostFiles || files <= 0:
	case files == 1:
		where = "in another file"
	default:
		where = fmt.Sprintf("in %d other files", files)
	}
	text := ""
	switch {
	case hidden == 0 && where == "":
		return ""
	case where == "":
		text = fmt.Sprintf("%d more like this", hidden)
	case hidden == 0:
		text = fmt.Sprintf("%d more like this %s", g.rest, where)
	default:
		text = fmt.Sprintf("%d more like this here, and %d %s", hidden, g.rest, where)
	}
	if all != "" {
		text += "; " + all + " shows them"
	}
	return " (" + text + ")"
}
