package campaign

import (
	"bufio"
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"

	"podium/internal/fault"
	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// JournalFormat is the format key of the first record of a journal.
const JournalFormat = "podium-journal/1"

// maxRecord bounds one line of a journal, in bytes.
const maxRecord = 64 << 20

// UnreadableError says that a record was refused since it could not be read again.
type UnreadableError struct{ Err error }

func (e *UnreadableError) Error() string {
	return "the record of the run could not be read again: " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *UnreadableError) Unwrap() error { return e.Err }

// fileJournal is the journal of one worker: an append-only file of what was done.
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
	if err := files.SyncDir(filepath.Dir(path)); err != nil {
		f.Close()
		return nil, err
	}
	return &fileJournal{f: f, path: path}, nil
}

// Append returns when the record is on disk. After an error the journal ends with
// the last record that was appended. A record that could not be read again is an
// [UnreadableError].
func (j *fileJournal) Append(r Record) error {
	text, err := encodeRecord(r)
	if err != nil {
		return &UnreadableError{err}
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

func (j *fileJournal) Close() error { return j.f.Close() }

func encodeRecord(r Record) ([]byte, error) {
	body, err := stdjson.Marshal(r)
	if err != nil {
		return nil, err
	}
	text := fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(body), body)
	if len(text) > maxRecord {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(text), maxRecord)
	}
	_, err = decodeRecord(text[:len(text)-1], newInterner(true))
	return text, err
}

// decodeRecord reads one line without its line feed.
func decodeRecord(line []byte, words *interner) (Record, error) {
	var r Record
	sum, body, ok := bytes.Cut(line, []byte(" "))
	if !ok || len(sum) != 8 {
		return r, errors.New("the line does not begin with a check sum")
	}
	want, err := strconv.ParseUint(string(sum), 16, 32)
	if err != nil || crc32.ChecksumIEEE(body) != uint32(want) {
		return r, errors.New("the check sum of the line is wrong")
	}
	if err := json.Unmarshal(body, &r, words.options); err != nil {
		return r, err
	}
	if err := r.oneKind(); err != nil {
		return r, err
	}
	diagnostic.Lines(&r)
	if r.Finished != nil {
		words.share(r.Finished)
	}
	return r, nil
}

// position is how far a journal has been read.
type position struct {
	offset int64
	line   int
}

// records returns the records from the position on and moves it behind them. A torn
// last line is normal after a crash and passed over; any other damage is a
// diagnostic, and reading goes on. Lines are decoded several at a time and given in
// their order; the answers of runs are left out on demand.
func (p *position) records(path string, withAnswers bool) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		f, err := files.OpenNamed(path)
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
		for lines := range decoded(bufio.NewReaderSize(f, 1<<16), withAnswers, stop) {
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
func decoded(in *bufio.Reader, withAnswers bool, stop <-chan struct{}) <-chan chan []decodedLine {
	batches := make(chan chan []decodedLine, runtime.GOMAXPROCS(0))
	words := make(chan *interner, cap(batches)+1)
	for range cap(words) {
		words <- newInterner(withAnswers)
	}
	go func() {
		defer close(batches)
		for more := true; more; {
			// The lines of a batch are in one piece of memory: pieces for each would leave holes
			// between what the log keeps.
			batch, text := make([]decodedLine, 0, batchLines), make([]byte, 0, batchLines<<10)
			for more && len(batch) < batchLines {
				line, length, err := readLine(in, text[len(text):])
				text = text[:min(len(text)+len(line), cap(text))]
				if more = !errors.Is(err, io.EOF); more { // whatever is left is a torn tail
					batch = append(batch, decodedLine{text: line, length: length, err: err})
				}
			}
			result := make(chan []decodedLine, 1)
			go func() {
				known := <-words
				known.begin()
				for i := range batch {
					if l := &batch[i]; l.err == nil {
						l.err = fault.Contain("a record of a journal", func() (err error) {
							l.record, err = decodeRecord(l.text, known)
							return err
						})
						l.text = nil
					}
				}
				words <- known
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

// readLine returns a line without its line feed, and its length with it; io.EOF
// when no line is complete. It is in the memory behind room, where it fits.
func readLine(in *bufio.Reader, room []byte) (line []byte, length int64, err error) {
	line = room
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
