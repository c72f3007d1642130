package campaign

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"time"

	"podium/internal/files"
)

// Import writes a journal of runs that were done elsewhere. from calls add for
// each of them. The journal appears whole or not at all.
func (c *Campaign) Import(worker string, from func(add func(Finished) error) error) error {
	opened := Opened{Format: JournalFormat, Campaign: c.Digest, Worker: worker, At: time.Now().UTC()}
	return c.writeJournal(opened, func(write func(Record) error) error {
		return from(func(run Finished) error { return write(Record{Finished: &run}) })
	})
}

// writeJournal writes a journal whole or not at all.
func (c *Campaign) writeJournal(opened Opened, records func(write func(Record) error) error) error {
	s, err := files.StageFile(filepath.Join(c.Dir, "journal", opened.Worker+".jsonl"), func(f *os.File) error {
		w := bufio.NewWriterSize(f, 1<<20)
		write := func(r Record) error {
			line, err := encodeRecord(r)
			if err == nil {
				_, err = w.Write(line)
			}
			return err
		}
		err := write(Record{Opened: &opened})
		if err == nil {
			err = records(write)
		}
		return errors.Join(err, w.Flush())
	})
	if err != nil {
		return err
	}
	return s.CommitNew()
}

// writeWhole writes a journal of records that are about ends in other journals, whole or
// not at all.
func (c *Campaign) writeWhole(version string, records func(write func(Record) error) error) error {
	me, err := c.identity(time.Now(), thisNode(), DefaultLease)
	if err != nil {
		return err
	}
	return c.writeJournal(Opened{Format: JournalFormat, About: true, Campaign: c.Digest, Worker: me.Worker, Host: me.Host, Node: me.Node,
		Version: version, At: me.At, Machine: thisMachine()}, records)
}
