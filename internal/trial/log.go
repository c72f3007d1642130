package trial

import (
	"os"
	"path/filepath"

	"podium/internal/campaign"
)

// StandardError is what a run printed there: all of it in a file, the last lines at
// hand.
type StandardError struct {
	File string `json:"file,omitempty"` // "" when nothing was printed
	campaign.Tail
}

// errorLog writes standard error to a file, and remembers its last lines.
type errorLog struct {
	file *os.File
	tail campaign.Tail
}

func newErrorLog(path string) (*errorLog, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	return &errorLog{file: f}, err
}

// Write takes what the tool prints.
func (l *errorLog) Write(text []byte) (int, error) {
	n, err := l.file.Write(text)
	l.tail.Write(text[:n])
	return n, err
}

// close ends the file, which is removed when it is empty.
func (l *errorLog) close() (StandardError, error) {
	l.tail.End()
	err := l.file.Close()
	if l.tail.Lines == 0 {
		return StandardError{}, os.Remove(l.file.Name())
	}
	return StandardError{File: l.file.Name(), Tail: l.tail}, err
}
