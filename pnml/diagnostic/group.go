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
// there are, and that all, the flag of a command say, shows them, unless it is "". The findings of a file
// stand side by side.
func (l List) WriteGrouped(w io.Writer, all string) error {
	b := bufio.NewWriter(w)
	groups := map[alike]*group{}
	for _, d := range l {
		groups[d.alike()] = groups[d.alike()].with(d)
	}
	for _, d := range l {
		g := groups[d.alike()]
		g.pass(d.File)
		if most := d.Severity.most(); g.file <= mostFiles && g.inFile <= most {
			line := d.Error()
			if g.inFile == min(most, g.files[d.File]) {
				line += g.more(d.File, all)
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

// group is all findings that are alike, and how far they were passed.
type group struct {
	files  map[string]int // findings by file
	rest   int            // findings of files that were not passed
	at     string         // file that was passed last
	file   int            // its number, from 1
	inFile int            // findings of it that were passed
}

func (g *group) with(d Diagnostic) *group {
	if g == nil {
		g = &group{files: map[string]int{}}
	}
	g.files[d.File]++
	g.rest++
	return g
}

func (g *group) pass(file string) {
	if g.file == 0 || g.at != file {
		g.at, g.inFile = file, 0
		g.file++
		g.rest -= g.files[file]
	}
	g.inFile++
}

// more says how much is not shown behind the last finding of a file that is.
func (g *group) more(file, all string) string {
	here, where := g.files[file]-g.inFile, ""
	switch files := len(g.files) - mostFiles; {
	case g.file < mostFiles || files <= 0:
	case files == 1:
		where = "in another file"
	default:
		where = fmt.Sprintf("in %d other files", files)
	}
	text := ""
	switch {
	case here == 0 && where == "":
		return ""
	case where == "":
		text = fmt.Sprintf("%d more like this", here)
	case here == 0:
		text = fmt.Sprintf("%d more like this %s", g.rest, where)
	default:
		text = fmt.Sprintf("%d more like this here, and %d %s", here, g.rest, where)
	}
	if all != "" {
		text += "; " + all + " shows them"
	}
	return " (" + text + ")"
}
