package qualify

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"podium/internal/tools"
	"podium/models"
	"podium/pnml/diagnostic"
)

// A tool goes by the net, and not by its name (T-5): lines of its scripts that name models, or the
// form beside a net, are for a person to look at.

const (
	mostScript = 1 << 20 // bytes of a script that are read
	mostNaming = 20      // lines that a report shows
	mostShown  = 120     // bytes of a line
)

// scripts are the endings of files that are read as scripts, besides those with a #! line and the head.
var scripts = []string{".sh", ".bash", ".py", ".pl", ".rb", ".lua", ".js", ".awk"}

// noteNames notes the lines of scripts that name a model of the instances, an instance, or the form.
func (s *Submission) noteNames(instances []models.Instance) error {
	form := strings.TrimSuffix(models.FormFile, ".xml")
	words := []string{form}
	for _, i := range instances {
		words = append(words, regexp.QuoteMeta(i.ID.Family))
	}
	slices.Sort(words)
	naming := regexp.MustCompile(`(?:^|[^A-Za-z0-9_])(` + strings.Join(slices.Compact(words), "|") + `)(?:[^A-Za-z0-9_]|$)`)
	list, err := s.Tool.Files()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	n := 0
	for _, f := range list {
		if f.Link != "" || !f.Mode.IsRegular() {
			continue
		}
		text, err := s.script(root, f)
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, mostScript+1)
		for at := 1; lines.Scan(); at++ {
			name := naming.FindSubmatchIndex(lines.Bytes())
			if name == nil {
				continue
			}
			if n++; n > mostNaming {
				s.Found.Add(diagnostic.Diagnostic{File: s.Dir, Severity: diagnostic.Warning, Code: "submission-names", Message: "more lines of its scripts name models"})
				return nil
			}
			word, what := string(lines.Bytes()[name[2]:name[3]]), "a model of the contest"
			if word == form {
				what = "the form that states answers"
			}
			line := strings.TrimSpace(lines.Text())
			s.Found.Add(diagnostic.Diagnostic{File: filepath.Join(s.Dir, f.Name), Line: at, Col: name[2] + 1, Severity: diagnostic.Warning, Code: "submission-names",
				Message: "names " + word + ", " + what + ": " + diagnostic.Excerpt(line[:min(len(line), mostShown)]), Hint: "a tool goes by the net, not by what it is called (T-5)"})
		}
	}
	return nil
}

// script reads the beginning of a file of the tool, nothing of one that is no script.
func (s *Submission) script(root *os.Root, f tools.File) ([]byte, error) {
	in, err := root.Open(f.Name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	begin := make([]byte, 2)
	n, err := io.ReadFull(in, begin)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if string(begin[:n]) != "#!" && f.Name != s.Tool.Head && !slices.Contains(scripts, filepath.Ext(f.Name)) {
		return nil, nil
	}
	rest, err := io.ReadAll(io.LimitReader(in, mostScript-2))
	return append(begin[:n], rest...), err
}
