package campaign

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"podium/examinations"
	"podium/internal/witness"
	"podium/vm"
)

// sideLimit bounds the witnesses that are taken from one run, replayTime the
// replay of them, maxDetail the bytes of what is said of one.
var sideLimit = vm.SideLimit{Suffix: witness.Suffix, Files: 1000, Bytes: 256 << 20}

const (
	replayTime = time.Minute
	maxDetail  = 400
)

// gather copies the files that a run left, by name, one behind the other. The
// driver has bounded them; what is no regular file is passed over all the same.
func gather(dir string, to io.Writer) error {
	files, left := 0, sideLimit.Bytes
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !e.Type().IsRegular() || !strings.HasSuffix(path, sideLimit.Suffix) || files == sideLimit.Files:
			return nil
		}
		info, err := e.Info()
		if err != nil || info.Size() > left {
			return err
		}
		files, left = files+1, left-info.Size()
		f, err := openRegular(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if _, err := io.Copy(to, io.LimitReader(f, info.Size())); err != nil {
			return err
		}
		_, err = to.Write([]byte("\n")) // the last line may lack its end
		return err
	})
}

// gatherOne copies the file with the witness of a run on a task, if the run left one.
func gatherOne(path string, to io.Writer) error {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > sideLimit.Bytes {
		return nil // there is none that counts
	}
	f, err := openRegular(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(to, io.LimitReader(f, info.Size()))
	return err
}

// Replay replays the witnesses of a run on the instance of a directory: those that
// the run left in files and those among its output. It gives one result for each
// of the answers, in their order. An error is one of reading the texts.
type Replay func(ctx context.Context, dir string, run Run, left, output io.Reader, answers []witness.Claim) ([]witness.Result, error)

// replay checks the witnesses that a run left or printed, and notes what they say
// of its answers. It comes after the run and costs the tool nothing.
func (c *Campaign) replay(ctx context.Context, replay Replay, dir string, f *Finished) error {
	ctx, stop := context.WithTimeout(ctx, replayTime)
	defer stop()
	left, err := c.Output(f.Left)
	if err != nil {
		return err
	}
	defer left.Close()
	output, err := c.Output(f.Stdout)
	if err != nil {
		return err
	}
	defer output.Close()
	answers := make([]witness.Claim, 0, f.Answers.Len())
	for a := range f.Answers.All() {
		answers = append(answers, witness.Claim{Item: a.Item, Value: examinations.Value{Kind: f.Run.Exam.Kind(), Text: a.Text}})
	}
	results, err := replay(ctx, dir, f.Run, left, output, answers)
	if err != nil {
		return err
	}
	for i, r := range results {
		if r.State == witness.NotAsked && r.Proved.Value.IsZero() {
			continue
		}
		w := Witnessed{Item: answers[i].Item, State: r.State, Detail: shortened(r.Detail)}
		if !r.Proved.Value.IsZero() {
			w.Proved = r.Proved.Bound()
		}
		f.Witnesses = append(f.Witnesses, w)
	}
	return nil
}

// shortened keeps the first line of a detail, and not much of it.
func shortened(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return cut(text, maxDetail)
}

// crossExamine refutes answers by what the witnesses of other tools prove.
func (l *Log) crossExamine() {
	type value struct {
		instance string
		exam     examinations.ID
		item     string
	}
	type proof struct {
		tool, detail string
		claim        witness.Claim
	}
	proofs := map[value][]proof{}
	for run, f := range l.Finished {
		for _, w := range f.Witnesses {
			if w.Proved != "" {
				v := value{run.Instance, run.Exam, w.Item}
				proofs[v] = append(proofs[v], proof{run.Tool, w.Detail, witness.ParseBound(w.Item, w.Proved, run.Exam.Kind())})
			}
		}
	}
	for _, list := range proofs {
		slices.SortFunc(list, func(a, b proof) int { return strings.Compare(a.tool, b.tool) })
	}
	for run, f := range l.Finished {
		for a := range f.Answers.All() {
			for _, p := range proofs[value{run.Instance, run.Exam, a.Item}] {
				if p.tool == run.Tool || !p.claim.Contradicts(examinations.Value{Kind: run.Exam.Kind(), Text: a.Text}) {
					continue
				}
				w := Witnessed{Item: a.Item, State: witness.Refuted, Proved: p.claim.Bound(), Detail: "by the witness of " + p.tool + ": " + p.detail}
				if i := slices.IndexFunc(f.Witnesses, func(w Witnessed) bool { return w.Item == a.Item }); i < 0 {
					f.Witnesses = append(f.Witnesses, w)
				} else if f.Witnesses[i].State != witness.Refuted {
					f.Witnesses = slices.Clone(f.Witnesses)
					f.Witnesses[i] = w
				}
				break
			}
		}
	}
}

// Witness returns what is known of an answer's witness; the zero value when no run
// can prove it, none was asked for, or f is nil.
func (f *Finished) Witness(item string) Witnessed {
	if f == nil {
		return Witnessed{}
	}
	if i := slices.IndexFunc(f.Witnesses, func(w Witnessed) bool { return w.Item == item }); i >= 0 {
		return f.Witnesses[i]
	}
	return Witnessed{}
}
