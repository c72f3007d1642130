package trial

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/parallel"
	"podium/internal/tools"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// Result is one run, as it is kept for the next time.
type Result struct {
	Format   string               `json:"format"`
	Outcome  vm.Outcome           `json:"outcome"`
	Said     output.Participation `json:"participation"`
	Answers  []campaign.Answer    `json:"answers"`
	Findings diagnostic.List      `json:"findings"`
	Stderr   StandardError        `json:"stderr"`
	Stdout   []string             `json:"stdout,omitempty"` // its last lines, where no line is an answer
}

const format = "podium-trial/5"

// Bench is where a tool is tried.
type Bench struct {
	Tool    tools.Tool
	Digest  string // of the tool
	Driver  vm.Driver
	Machine string // the driver's name
	Version string // of this program: another one may read answers otherwise
	Cache   string // directory of the results that are kept
	Keep    string // directory that gets all that runs leave, by instance and examination; "" for none
	// Witnesses asks the tool for runs and proofs of its values, as contests with them do.
	Witnesses bool
	Stderr    io.Writer           // takes what the tool prints there, too, unless nil
	Stdout    io.Writer           // takes what the tool prints there, too, unless nil
	Heard     func(output.Answer) // is called for each answer as it comes
	runs      int
}

// Telling is a [Bench.Heard] that writes a line for each answer.
func Telling(w io.Writer) func(output.Answer) {
	return func(a output.Answer) {
		fmt.Fprintf(w, "  %7.3f s  line %d: %s is %s\n", a.At.Seconds(), a.Line, a.Item, diagnostic.ShortNumber(a.Value.Text))
	}
}

// Question is an examination of an instance, with what the tool may use.
type Question struct {
	Instance models.Instance
	Dir      string // of the instance
	Exam     examinations.ID
	Items    []string // what is asked for
	Need     campaign.Confinement

	formulas []formula.Property // that the items are of
}

// Run is the run of the campaign that this is like.
func (b *Bench) Run(q Question) campaign.Run {
	return campaign.Run{Tool: b.Tool.Name, Instance: q.Instance.ID.String(), Exam: q.Exam}
}

// Recall returns the result that was kept of the same question, nil when there is none.
func (b *Bench) Recall(q Question) (*Result, error) {
	path, err := b.file(q)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil
	}
	kept := &Result{}
	if err := json.Unmarshal(text, kept); err != nil || kept.Format != format {
		return nil, nil
	}
	return kept, nil
}

// file is where the result of a question is kept.
func (b *Bench) file(q Question) (string, error) {
	digest, err := q.Instance.Digest()
	if err != nil {
		return "", err
	}
	what := b.Digest + digest + string(q.Exam) + q.Need.String() + b.Machine + b.Version
	if b.Witnesses {
		what += " with witnesses"
	}
	sum := sha256.Sum256([]byte(what))
	return filepath.Join(b.Cache, hex.EncodeToString(sum[:])+".json"), nil
}

// environment returns the variables of the run of a question.
func (b *Bench) environment(q Question) []string {
	env := campaign.Environment(b.Run(q), q.Need)
	if b.Witnesses {
		env = append(env, "BK_WITNESSES=1")
	}
	return env
}

// spec describes the machine of a question.
func (b *Bench) spec(q Question) vm.Spec {
	image, tool := tools.Place(b.Tool.Dir, b.Tool.Image, b.Tool.System)
	return vm.Spec{Name: fmt.Sprintf("try-%d-%d", os.Getpid(), b.runs), Cores: q.Need.Cores, Memory: q.Need.Memory,
		Image: image, Tool: tool, Writable: b.Tool.Writable, Input: q.Dir, Hide: []string{b.Tool.Dir}}
}

// Ask runs the tool and keeps the result.
func (b *Bench) Ask(ctx context.Context, q Question) (*Result, error) {
	machine, err := b.Driver.Boot(ctx, b.spec(q))
	if err != nil {
		return nil, err
	}
	b.runs++
	defer machine.Close()
	left, err := b.leave(q)
	if err != nil {
		return nil, err
	}
	lines, feed := io.Pipe()
	defer feed.Close()
	var result *Result
	var listening parallel.Group
	begun := time.Now()
	listening.Go(func() {
		defer io.Copy(io.Discard, lines) // the reader may fail, the tool must not notice
		result = b.listen(lines, q.Exam, output.ReaderOptions{Instance: q.Instance.ID, Items: q.Items, File: "output",
			Clock: func() time.Duration { return time.Since(begun) }})
	})
	var printed campaign.Tail
	job := vm.Job{Command: []string{b.Tool.Head}, Env: b.environment(q), Limits: q.Need.Limits(),
		Stdout: several(feed, left.stdout, b.Stdout, &printed), Stderr: several(left.stderr, b.Stderr), SideOut: left.results,
		SideLimit: vm.SideLimit{Files: mostLeft, Bytes: q.Need.Disk}}
	outcome, err := machine.Exec(ctx, job)
	feed.Close()
	listening.Wait()
	stderr, failure := left.close()
	if err := errors.Join(err, failure); err != nil {
		return nil, err
	}
	result.Outcome, result.Stderr = outcome, stderr
	if result.Said == output.Silent {
		printed.End()
		result.Stdout = printed.Last
	}
	campaign.Unadvise(result.Findings, outcome)
	return result, b.keep(q, result)
}

// mostLeft bounds the files that are taken out of BK_RESULT_DIR.
const mostLeft = 10000

// leftovers are the files that get what a run leaves.
type leftovers struct {
	stderr  *errorLog
	stdout  io.WriteCloser // nil unless all is kept
	results string         // directory, "" unless all is kept
}

// keptAt is the directory that gets all that the run of a question leaves.
func (b *Bench) keptAt(q Question) string {
	return filepath.Join(b.Keep, q.Instance.ID.String(), string(q.Exam))
}

func (b *Bench) leave(q Question) (l leftovers, err error) {
	path, err := b.file(q)
	if err != nil {
		return l, err
	}
	if b.Keep == "" {
		l.stderr, err = newErrorLog(strings.TrimSuffix(path, ".json") + ".stderr")
		return l, err
	}
	dir := b.keptAt(q)
	l.results = filepath.Join(dir, "results")
	if err := os.RemoveAll(l.results); err != nil { // of an earlier run
		return l, err
	}
	if err := os.MkdirAll(l.results, 0o755); err != nil {
		return l, err
	}
	if l.stderr, err = newErrorLog(filepath.Join(dir, "stderr")); err != nil {
		return l, err
	}
	l.stdout, err = os.Create(filepath.Join(dir, "stdout"))
	return l, err
}

func (l *leftovers) close() (StandardError, error) {
	end, err := l.stderr.close()
	if l.stdout != nil {
		err = errors.Join(err, l.stdout.Close())
	}
	return end, err
}

// several writes to all writers but those that are nil.
func several(all ...io.Writer) io.Writer {
	return io.MultiWriter(slices.DeleteFunc(all, func(w io.Writer) bool { return w == nil })...)
}

func (b *Bench) listen(stdout *io.PipeReader, exam examinations.ID, o output.ReaderOptions) *Result {
	result := &Result{Format: format}
	r := output.NewReader(stdout, exam, o)
	for r.Scan() {
		a := r.Answer()
		result.Answers = append(result.Answers, campaign.Answer{Item: a.Item, Text: a.Value.Text, Line: a.Line, Offset: a.Offset, At: a.At.Microseconds()})
		b.Heard(a)
	}
	result.Said, result.Findings = r.Participation(), r.Diagnostics()
	return result
}

func (b *Bench) keep(q Question, r *Result) error {
	path, err := b.file(q)
	if err != nil {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if b.Keep != "" {
		if err := files.Replace(filepath.Join(b.keptAt(q), "result.json"), files.Bytes(text)); err != nil {
			return err
		}
	}
	return files.Write(path, files.Bytes(text))
}
