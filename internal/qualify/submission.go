package qualify

import (
	"context"
	"errors"
	"path/filepath"

	"podium/internal/tools"
	"podium/pnml/diagnostic"
)

// Submission is what a team handed in.
type Submission struct {
	Dir    string
	Name   string     // that of the manifest, or of the directory where there is none or another tool has it
	Tool   tools.Tool // zero when it cannot be opened
	Digest string     // empty when it cannot be opened
	Found  diagnostic.List
}

// opens reports whether the tool can be run.
func (s *Submission) opens() bool { return s.Digest != "" }

// Submissions opens the tools of some directories, each for itself: what is wrong
// with one is found and keeps no other from being tried.
func Submissions(ctx context.Context, paths []string) (list []Submission, err error) {
	taken, seen := map[string]bool{}, map[string]bool{} // names and directories
	for _, path := range paths {
		dirs, err := tools.Dirs(path)
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			if dir, err = filepath.Abs(dir); err != nil {
				return nil, err
			}
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				dir = real
			}
			if seen[dir] {
				continue
			}
			seen[dir] = true
			s := Submission{Dir: dir, Name: filepath.Base(dir)}
			if err := s.open(ctx); ctx.Err() != nil {
				return nil, ctx.Err()
			} else if err != nil {
				s.refuse(err)
			}
			if taken[s.Name] {
				s.refuse(diagnostic.List{{File: filepath.Join(s.Dir, tools.ManifestFile), Code: "tool-name-twice",
					Message: "the name " + s.Name + " is that of another tool", Hint: "give each tool or variant a name of its own"}})
				base := filepath.Base(s.Dir)
				for s.Name = base; taken[s.Name]; {
					s.Name += "-again"
				}
			}
			taken[s.Name] = true
			list = append(list, s)
		}
	}
	return list, nil
}

// noteFamily notes a family that a manifest names: a team may not join another one by its own word.
func (s *Submission) noteFamily() {
	if f := s.Tool.Family; f != s.Name {
		s.Found.Add(diagnostic.Diagnostic{File: filepath.Join(s.Dir, tools.ManifestFile), Severity: diagnostic.Warning, Code: "submission-family", Message: "the manifest says that the tool is of the family " + f,
			Hint: "the organisers have to confirm that, by podium plan --family " + f + "=TOOL,..., with all tools that one team handed in; else the tool takes no part"})
	}
}

// refuse notes why a tool cannot be tried.
func (s *Submission) refuse(err error) {
	var list diagnostic.List
	if !errors.As(err, &list) {
		list = diagnostic.List{{File: s.Dir, Code: "submission-unreadable", Message: "the tool cannot be read: " + err.Error(), Hint: "check who may read its files, or hand it in again"}}
	}
	s.Found, s.Digest = append(list, s.Found...), ""
}

// open reads the tool. What it lacks is found; the error says why it cannot be tried.
func (s *Submission) open(ctx context.Context) error {
	t, err := tools.Open(s.Dir)
	if err != nil {
		return err
	}
	s.Tool, s.Name, s.Dir, s.Found = t, t.Name, t.Dir, incomplete(t)
	s.noteFamily()
	if t.Head == "" && t.Image == "" {
		s.Found.Add(diagnostic.Diagnostic{File: filepath.Join(t.Dir, tools.ManifestFile), Code: "tool-of-tasks", Message: "the tool is one for tasks, and is qualified on nets",
			Hint: "`podium try` tries it on tasks"})
	}
	s.Digest, err = t.Digest(ctx)
	return err
}

// incomplete says what a manifest lacks. Without title and home the pages are poorer;
// the rest a contest needs.
func incomplete(t tools.Tool) (found diagnostic.List) {
	file := filepath.Join(t.Dir, tools.ManifestFile)
	for _, key := range []struct {
		there    bool
		severity diagnostic.Severity
		key, why string
	}{
		{t.Version != "", diagnostic.Error, "version", "results name the version they are of"},
		{t.Authors != "", diagnostic.Error, "authors", "the pages name who made the tool"},
		{t.Licence != "", diagnostic.Error, "licence", "it decides who may have the tool after the contest"},
		{t.Consent, diagnostic.Error, "consent", "write consent: true when the organisers may run the tool, keep it in the archive of the contest and publish its answers"},
		{t.Title != "", diagnostic.Warning, "title", "the pages say in one line how the tool works"},
		{len(t.Techniques) > 0, diagnostic.Warning, "techniques", "the pages say by what techniques the tool works: those that its answers name"},
		{t.Home != "", diagnostic.Warning, "home", "the pages lead to the tool's own"},
	} {
		if !key.there {
			found.Add(diagnostic.Diagnostic{File: file, Severity: key.severity, Code: "submission-" + key.key, Message: "the manifest has no " + key.key, Hint: key.why})
		}
	}
	return found
}
