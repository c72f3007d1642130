package campaign

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"podium/examinations"
	"podium/internal/diagnostic"
	"podium/internal/witness"
	"podium/vm"
)

// JournalFormat is the format key of the first record of a journal.
const JournalFormat = "podium-journal/1"

// maxRecord bounds one line of a journal, in bytes.
const maxRecord = 64 << 20

// Record is one line of a journal; exactly one of its parts is set.
type Record struct {
	Opened   *Opened   `json:"opened,omitempty"`
	Started  *Started  `json:"started,omitempty"`
	Finished *Finished `json:"finished,omitempty"`
	Voided   *Voided   `json:"voided,omitempty"`
}

// Opened is the first record of a worker's journal.
type Opened struct {
	Format   string    `json:"format"`
	Campaign string    `json:"campaign_sha256"`
	Worker   string    `json:"worker"`
	Host     string    `json:"host"`
	Version  string    `json:"version"` // of podium
	Driver   string    `json:"driver"`
	Record   bool      `json:"for_record"`         // the driver is fit for a contest's record
	Emulated bool      `json:"emulated,omitempty"` // the machines' processors are emulated in software
	At       time.Time `json:"at"`
	Machine  Machine   `json:"machine"`
}

// Machine is the physical machine that a worker runs on.
type Machine struct {
	System    string `json:"system"`
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	Memory    int64  `json:"memory"` // bytes
}

// Started says that an attempt of a run begins.
type Started struct {
	Run     Run       `json:"run"`
	Attempt int       `json:"attempt"`
	At      time.Time `json:"at"`
}

// Finished is the end of a run: the tool's fate and what it said.
type Finished struct {
	Run           Run                        `json:"run"`
	Attempt       int                        `json:"attempt"`
	Worker        string                     `json:"worker"`
	Outcome       vm.Outcome                 `json:"outcome"`
	Participation examinations.Participation `json:"participation"`
	Answers       Answers                    `json:"answers,omitempty"`
	Findings      int                        `json:"findings,omitempty"` // lint findings on the output
	Stdout        PackRef                    `json:"stdout"`
	Stderr        PackRef                    `json:"stderr"`
	// Left are the files with witnesses, one behind the other, and Witnesses what
	// their replay says of the answers; where the plan asks for them.
	Left      PackRef     `json:"left,omitzero"`
	Witnesses []Witnessed `json:"witnesses,omitempty"`
}

// Witnessed is what the witnesses of a run say of one of its answers.
type Witnessed struct {
	Item   string        `json:"item"`
	State  witness.State `json:"state,omitempty"`
	Proved string        `json:"proved,omitempty"` // what the replay proves, with >= before a lower bound
	Detail string        `json:"detail,omitempty"`
}

// Answer is one value that a tool gave.
type Answer struct {
	Item       string
	Text       string // canonical
	Techniques string // separated by blanks
	Offset     int64  // of its line in the standard output, bytes
	Line       int
	At         int64 // microseconds since the start of the tool
}

// Answers are the values of a run. There are millions of them in a journal, so
// they stand there as one text: "item value line offset at techniques...", with
// two blanks between answers and one between words, which hold none.
type Answers []Answer

// MarshalText gives the form of the journal.
func (list Answers) MarshalText() ([]byte, error) {
	var text []byte
	for i, a := range list {
		for _, word := range []string{a.Item, a.Text} {
			if word == "" || strings.ContainsAny(word, " \n") {
				return nil, fmt.Errorf("%q is not one word", word)
			}
		}
		if i > 0 {
			text = append(text, "  "...)
		}
		text = fmt.Appendf(text, "%s %s %d %d %d", a.Item, a.Text, a.Line, a.Offset, a.At)
		for word := range strings.FieldsSeq(a.Techniques) {
			text = append(append(text, ' '), word...)
		}
	}
	return text, nil
}

// UnmarshalText reads it.
func (list *Answers) UnmarshalText(text []byte) error {
	*list = nil
	if len(text) == 0 {
		return nil
	}
	all := string(text)
	*list = make(Answers, 0, strings.Count(all, "  ")+1)
	for one := range strings.SplitSeq(all, "  ") {
		a, err := parseAnswer(one)
		if err != nil {
			return err
		}
		*list = append(*list, a)
	}
	return nil
}

func parseAnswer(text string) (a Answer, err error) {
	var numbers [3]int64
	rest := text
	a.Item, rest, _ = strings.Cut(rest, " ")
	a.Text, rest, _ = strings.Cut(rest, " ")
	for i := range numbers {
		var word string
		word, rest, _ = strings.Cut(rest, " ")
		if numbers[i], err = strconv.ParseInt(word, 10, 64); err != nil {
			return a, fmt.Errorf("%q is no answer: %w", text, err)
		}
	}
	a.Line, a.Offset, a.At, a.Techniques = int(numbers[0]), numbers[1], numbers[2], rest
	return a, nil
}

// Voided is an attempt that failed by our fault. Final says that it was the
// last: the run is void.
type Voided struct {
	Run     Run       `json:"run"`
	Attempt int       `json:"attempt"`
	Worker  string    `json:"worker"`
	Reason  string    `json:"reason"`
	Final   bool      `json:"final"`
	At      time.Time `json:"at"`
}

// Journal is an append-only record of what was done.
type Journal interface {
	// Append returns when the record is on disk. After an error the journal
	// ends with the last record that was appended.
	Append(Record) error
	// Records gives all records of the file, and a diagnostic for damage.
	Records() iter.Seq2[Record, error]
	io.Closer
}

// fileJournal is the journal of one worker.
type fileJournal struct {
	mu   sync.Mutex
	f    *os.File
	size int64 // of the records that are complete
	path string
}

// newJournal makes a worker's journal, which must not be there yet.
func newJournal(path string) (*fileJournal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		f.Close()
		return nil, err
	}
	return &fileJournal{f: f, path: path}, nil
}

func (j *fileJournal) Append(r Record) error {
	text, err := encodeRecord(r)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	_, err = j.f.WriteAt(text, j.size)
	if err == nil {
		err = j.f.Sync()
	}
	if err != nil {
		// A full disk leaves a torn record: take it back, so that the next
		// record does not stand behind rubbish.
		return errors.Join(fmt.Errorf("journal %s: %w", j.path, err), j.f.Truncate(j.size))
	}
	j.size += int64(len(text))
	return nil
}

func (j *fileJournal) Records() iter.Seq2[Record, error] { return readJournal(j.path) }

func (j *fileJournal) Close() error { return j.f.Close() }

func encodeRecord(r Record) ([]byte, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(body), body), nil
}

// decodeRecord reads one line without its line feed.
func decodeRecord(line []byte) (Record, error) {
	var r Record
	sum, body, ok := bytes.Cut(line, []byte(" "))
	if !ok || len(sum) != 8 {
		return r, errors.New("the line does not begin with a check sum")
	}
	want, err := strconv.ParseUint(string(sum), 16, 32)
	if err != nil || crc32.ChecksumIEEE(body) != uint32(want) {
		return r, errors.New("the check sum of the line is wrong")
	}
	return r, json.Unmarshal(body, &r)
}

// readJournal gives the records of a file. A torn last line is normal after a
// crash and passed over; any other damage is a diagnostic, and reading goes on.
func readJournal(path string) iter.Seq2[Record, error] {
	return (&position{}).records(path)
}

// position is how far a journal has been read.
type position struct {
	offset int64
	line   int
}

// records gives the records from the position on and moves it behind them. Lines
// are decoded several at a time and given in their order.
func (p *position) records(path string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer f.Close()
		if _, err := f.Seek(p.offset, io.SeekStart); err != nil {
			yield(Record{}, err)
			return
		}
		stop := make(chan struct{})
		defer close(stop)
		for lines := range decoded(bufio.NewReaderSize(f, 1<<16), stop) {
			for _, line := range <-lines {
				p.offset += line.length
				p.line++
				err := line.err
				if err != nil {
					err = diagnostic.Diagnostic{File: path, Line: p.line, Code: "journal-damaged", Message: err.Error(),
						Hint: "the run of this record will be done again"}
				}
				if !yield(line.record, err) {
					return
				}
			}
		}
	}
}

// decodedLine is a line of a journal.
type decodedLine struct {
	text   []byte
	length int64 // with its line feed
	record Record
	err    error
}

// batchLines is how many lines are decoded at once.
const batchLines = 256

// decoded reads lines until none is complete and decodes them in batches, on all
// cores. The channel gives the batches in order; closing stop ends it early.
func decoded(in *bufio.Reader, stop <-chan struct{}) <-chan chan []decodedLine {
	batches := make(chan chan []decodedLine, runtime.GOMAXPROCS(0))
	words := &interner{known: map[string]string{}}
	go func() {
		defer close(batches)
		for more := true; more; {
			var batch []decodedLine
			for more && len(batch) < batchLines {
				line, length, err := readLine(in)
				if more = !errors.Is(err, io.EOF); more { // whatever is left is a torn tail
					batch = append(batch, decodedLine{text: line, length: length, err: err})
				}
			}
			result := make(chan []decodedLine, 1)
			go func() {
				for i := range batch {
					if l := &batch[i]; l.err == nil {
						l.record, l.err = decodeRecord(l.text)
						l.text = nil
						words.share(l.record.Finished)
					}
				}
				result <- batch
			}()
			select {
			case batches <- result:
			case <-stop:
				return
			}
		}
	}()
	return batches
}

// interner keeps one copy of equal words: the runs of all tools on an examination
// speak of the same items.
type interner struct {
	mu    sync.RWMutex
	known map[string]string
}

func (in *interner) share(f *Finished) {
	if f == nil {
		return
	}
	f.Run.Tool, f.Run.Instance, f.Worker = in.word(f.Run.Tool), in.word(f.Run.Instance), in.word(f.Worker)
	for i := range f.Answers {
		a := &f.Answers[i]
		a.Item, a.Text, a.Techniques = in.word(a.Item), in.word(a.Text), in.word(a.Techniques)
	}
}

func (in *interner) word(s string) string {
	in.mu.RLock()
	same, ok := in.known[s]
	in.mu.RUnlock()
	if ok {
		return same
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if same, ok := in.known[s]; ok {
		return same
	}
	s = strings.Clone(s)
	in.known[s] = s
	return s
}

// readLine gives a line without its line feed, and its length with it; io.EOF
// when no line is complete.
func readLine(in *bufio.Reader) (line []byte, length int64, err error) {
	for {
		part, err := in.ReadSlice('\n')
		length += int64(len(part))
		if length <= maxRecord {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil:
			return nil, length, err
		case length > maxRecord:
			return nil, length, fmt.Errorf("the line is longer than %d bytes", maxRecord)
		}
		return line[:len(line)-1], length, nil
	}
}

// Log is what all journals of a campaign say together.
type Log struct {
	Workers  []Opened
	Finished map[Run]Finished // the first end of every run that has one
	Void     map[Run]Voided   // runs whose last attempt was void, final
	Doubt    map[Run]Started  // started, no end
	Attempts map[Run]int      // void attempts that count
	Repeated int              // further ends of runs, left out
	Damage   diagnostic.List

	keysOnly bool // leave the answers out: a worker wants to know only what is done
	read     map[string]*position
}

// Read replays the journals of the campaign, unless ctx ends. Answers that the
// witnesses of another tool contradict are refuted.
func (c *Campaign) Read(ctx context.Context) (*Log, error) {
	l := newLog(false)
	err := l.update(ctx, c)
	if c.Plan.Witnesses {
		l.crossExamine()
	}
	return l, err
}

func newLog(keysOnly bool) *Log {
	return &Log{Finished: map[Run]Finished{}, Void: map[Run]Voided{}, Doubt: map[Run]Started{}, Attempts: map[Run]int{},
		keysOnly: keysOnly, read: map[string]*position{}}
}

// update takes in what was appended to the journals since the last time.
func (l *Log) update(ctx context.Context, c *Campaign) error {
	files, err := filepath.Glob(filepath.Join(c.Dir, "journal", "*.jsonl"))
	if err != nil {
		return err
	}
	slices.Sort(files)
	for _, file := range files {
		at, known := l.read[file]
		if !known {
			at = &position{}
			l.read[file] = at
		}
		for r, err := range at.records(file) {
			var damage diagnostic.Diagnostic
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.As(err, &damage):
				l.Damage.Add(damage)
			case errors.Is(err, fs.ErrNotExist): // removed since the listing
			case err != nil:
				return err
			default:
				l.add(r)
			}
		}
	}
	for run := range l.Finished {
		delete(l.Void, run)
		delete(l.Doubt, run)
	}
	for run := range l.Void {
		delete(l.Doubt, run)
	}
	return nil
}

// add takes one record in. Of several ends of one run the one that started
// first counts, whatever the order of the files.
func (l *Log) add(r Record) {
	switch {
	case r.Opened != nil:
		l.Workers = append(l.Workers, *r.Opened)
	case r.Started != nil:
		l.Doubt[r.Started.Run] = *r.Started
	case r.Finished != nil:
		old, twice := l.Finished[r.Finished.Run]
		if twice {
			l.Repeated++
		}
		if l.keysOnly {
			r.Finished.Answers, r.Finished.Witnesses = nil, nil
		}
		if !twice || r.Finished.Outcome.Started.Before(old.Outcome.Started) {
			l.Finished[r.Finished.Run] = *r.Finished
		}
	case r.Voided != nil:
		l.Attempts[r.Voided.Run]++
		if r.Voided.Final {
			l.Void[r.Voided.Run] = *r.Voided
		}
	}
}

// Done tells whether a run has an end.
func (l *Log) Done(r Run) bool {
	_, finished := l.Finished[r]
	_, void := l.Void[r]
	return finished || void
}
