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

	"podium/examinations/formula"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/vm"
	"podium/vm/topology"
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

// StandardError is what a run printed there: all of it in a file, the last lines at
// hand.
type StandardError struct {
	File string `json:"file,omitempty"` // "" when nothing was printed
	campaign.Tail
}

const format = "podium-trial/6"

// Bench is where a tool is tried.
type Bench struct {
	Record
	Plan   *campaign.Plan // of this tool alone, see [planning.Options.Unwritten]
	Driver vm.Driver
	Cache  string              // directory of the results that are kept
	Shown  string              // what runs see of this host beside the usual places
	Stderr io.Writer           // takes what the tool prints there, too, unless nil
	Stdout io.Writer           // takes what the tool prints there, too, unless nil
	Heard  func(output.Answer) // is called for each answer as it comes

	// Claim gives cores for a run.
	Claim func(context.Context, topology.Wish) (*topology.Pool, error)

	runs int
	hide []string // directories that no run may see
}

// Telling is a [Bench.Heard] that writes a line for each answer.
func Telling(w io.Writer) func(output.Answer) {
	return func(a output.Answer) {
		fmt.Fprintf(w, "  %7.3f s  line %d: %s is %s\n", a.At.Seconds(), a.Line, a.Item, diagnostic.ShortNumber(a.Value.Text))
	}
}

// Question is an examination of an instance, and all that a run of it sees.
type Question struct {
	campaign.Setting
	Instance models.Instance

	formulas []formula.Property // that the items are of
}

// items are what is asked for.
func (q *Question) items() []string { return q.Asked.Items(q.Run.Exam) }

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
	// Another version of this program may read answers otherwise.
	what := q.Tool.Digest + digest + string(q.Run.Exam) + q.Need().String() + b.Plan.Driver + b.Plan.Version + b.Shown
	if b.Plan.Witnesses {
		what += " with witnesses"
	}
	if b.Plan.Intervals {
		what += " with intervals"
	}
	sum := sha256.Sum256([]byte(what))
	return filepath.Join(b.Cache, hex.EncodeToString(sum[:])+".json"), nil
}

// boot makes the machine of a question, in which the job may read stdin. It has cores that no other
// process gives to its runs.
func (b *Bench) boot(ctx context.Context, q Question, stdin *os.File) (vm.Machine, error) {
	if b.hide == nil {
		b.hide = b.Plan.Places()
	}
	need := q.Need()
	pool, err := b.Claim(ctx, topology.Wish{Cores: need.Cores, Run: need.Cores, Memory: need.Memory})
	if err != nil {
		return nil, err
	}
	place, _ := pool.Bind(need.Cores, need.Memory)
	spec := q.Spec(fmt.Sprintf("try-%d-%d", os.Getpid(), b.runs), place, b.hide)
	spec.Stdin = stdin
	b.runs++
	machine, err := b.Driver.Boot(ctx, spec)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return placed{machine, pool}, nil
}

// placed is a machine on cores that are free again when it is closed.
type placed struct {
	vm.Machine
	pool *topology.Pool
}

// Close implements vm.Machine.
func (p placed) Close() error { return errors.Join(p.Machine.Close(), p.pool.Close()) }

// Ask runs the tool and keeps the result.
func (b *Bench) Ask(ctx context.Context, q Question) (*Result, error) {
	machine, err := b.boot(ctx, q, nil)
	if err != nil {
		return nil, err
	}
	defer machine.Close()
	job, err := q.Job()
	if err != nil {
		return nil, err
	}
	left, err := b.leave(q)
	if err != nil {
		return nil, err
	}
	var printed, complaints campaign.Tail
	job.Stdout, job.Stderr = several(left.stdout, b.Stdout, &printed), several(left.stderr, b.Stderr, &complaints)
	job.SideOut, job.SideLimit = left.results, vm.SideLimit{Files: mostLeft, Bytes: q.Need().Disk}
	f, found, err := q.Exec(ctx, machine, job, b.Heard)
	complaints.End()
	stderr, failure := left.close(complaints)
	if err := errors.Join(err, failure); err != nil {
		return nil, err
	}
	result := &Result{Format: format, Outcome: f.Outcome, Said: f.Participation, Answers: f.Answers.List(), Findings: found, Stderr: stderr}
	if result.Said == output.Silent {
		printed.End()
		result.Stdout = printed.Last
	}
	campaign.Unadvise(result.Findings, f.Outcome)
	return result, b.keep(q, result)
}

// mostLeft bounds the files that are taken out of BK_RESULT_DIR.
const mostLeft = 10000

// leftovers are the files that get what a run leaves.
type leftovers struct {
	stderr  *os.File
	stdout  io.WriteCloser // nil unless all is kept
	results string         // directory, "" unless all is kept
}

func (b *Bench) leave(q Question) (l leftovers, err error) {
	path, err := b.file(q)
	if err != nil {
		return l, err
	}
	if b.Keep == "" {
		if err := os.MkdirAll(b.Cache, 0o755); err != nil {
			return l, err
		}
		l.stderr, err = os.Create(strings.TrimSuffix(path, ".json") + ".stderr")
		return l, err
	}
	dir := b.keptAt(q.Run)
	if l.results, err = results(dir); err != nil {
		return l, err
	}
	if l.stderr, err = os.Create(filepath.Join(dir, "stderr")); err != nil {
		return l, err
	}
	l.stdout, err = os.Create(filepath.Join(dir, "stdout"))
	return l, err
}

// results makes the directory of the files that a run leaves, which is empty then.
func results(dir string) (string, error) {
	at := filepath.Join(dir, "results")
	return at, errors.Join(os.RemoveAll(at), os.MkdirAll(at, 0o755)) // those of an earlier run
}

// close ends the files. That of standard error is removed when it is empty.
func (l *leftovers) close(printed campaign.Tail) (StandardError, error) {
	err := l.stderr.Close()
	if l.stdout != nil {
		err = errors.Join(err, l.stdout.Close())
	}
	if printed.Lines == 0 {
		return StandardError{}, errors.Join(err, os.Remove(l.stderr.Name()))
	}
	return StandardError{File: l.stderr.Name(), Tail: printed}, err
}

// several writes to all writers but those that are nil.
func several(all ...io.Writer) io.Writer {
	return io.MultiWriter(slices.DeleteFunc(all, func(w io.Writer) bool { return w == nil })...)
}

func (b *Bench) keep(q Question, r *Result) error {
	path, err := b.file(q)
	if err != nil {
		return err
	}
	if b.Keep != "" {
		if err := r.write(filepath.Join(b.keptAt(q.Run), "result.json")); err != nil {
			return err
		}
	}
	return r.write(path)
}

func (r *Result) write(path string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return files.Write(path, files.Bytes(text))
}
