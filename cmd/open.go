package cmd

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Every verb opens models here, so that what opening and reading them warns of is said, and
// said once. Errors come back to the verb.

// open opens instances.
func (s *streams) open(paths ...string) (*models.Collection, error) {
	return models.Opener{Hear: s.hear}.Open(paths...)
}

// openOne opens a path that must hold a single instance.
func (s *streams) openOne(path string) (models.Instance, error) {
	opened, err := s.open(path)
	if err != nil {
		return models.Instance{}, err
	}
	if len(opened.Instances) != 1 {
		return models.Instance{}, usageError{fmt.Errorf("%s holds %d instances: name one", path, len(opened.Instances))}
	}
	return opened.Instances[0], nil
}

// heard is what a command was warned of.
type heard struct {
	by    io.Writer // standard error of the person, also where the verb's own is dropped
	mutex sync.Mutex
	said  map[diagnostic.Diagnostic]bool
	files map[string]map[string]bool // of each code, those that were named
	rest  map[string]bool            // files of warnings that are not shown
}

func newHeard(by io.Writer) *heard {
	return &heard{by: by, said: map[diagnostic.Diagnostic]bool{}, files: map[string]map[string]bool{}, rest: map[string]bool{}}
}

// mostWarned is of how many files warnings of one code are shown.
const mostWarned = 3

// hear prints the warnings of a list that were not printed before. It may be called from
// several goroutines.
func (s *streams) hear(found diagnostic.List) {
	h := s.heard
	h.mutex.Lock()
	defer h.mutex.Unlock()
	var fresh diagnostic.List
	for _, d := range found {
		if d.Severity != diagnostic.Warning || h.said[d] {
			continue
		}
		h.said[d] = true
		of := h.files[d.Code]
		if of == nil {
			of = map[string]bool{}
			h.files[d.Code] = of
		}
		if len(of) == mostWarned && !of[d.File] {
			h.rest[d.File] = true
			continue
		}
		of[d.File] = true
		fresh.Add(d)
	}
	var lines bytes.Buffer
	_ = fresh.WriteGrouped(&lines, "`podium check model --all`")
	_, _ = h.by.Write(lines.Bytes())
}

// sayRest says how many files there are more of which warnings were not shown.
func (s *streams) sayRest() {
	if n := len(s.heard.rest); n > 0 {
		s.say("there are warnings like these of " + wording.Count(n, "more file", "more files") + "; `podium check model --all` shows them")
	}
}
