package campaign

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// Import writes a journal of runs that were done elsewhere. from calls add for
// each of them. The journal appears whole or not at all.
func (c *Campaign) Import(worker string, from func(add func(Finished) error) error) error {
	opened := Opened{Format: JournalFormat, Campaign: c.Digest, Worker: worker, At: time.Now().UTC()}
	return c.writeJournal(".import-", opened, func(write func(Record) error) error {
		return from(func(run Finished) error { return write(Record{Finished: &run}) })
	})
}

// writeJournal writes a journal whole or not at all. Until then the name of its file
// begins with the prefix.
func (c *Campaign) writeJournal(prefix string, opened Opened, records func(write func(Record) error) error) error {
	dir := filepath.Join(c.Dir, "journal")
	f, err := os.CreateTemp(dir, prefix+"*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	write := func(r Record) error {
		line, err := encodeRecord(r)
		if err == nil {
			_, err = w.Write(line)
		}
		return err
	}
	err = write(Record{Opened: &opened})
	if err == nil {
		err = records(write)
	}
	if err = errors.Join(err, w.Flush(), f.Chmod(0o644), f.Sync()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), filepath.Join(dir, opened.Worker+".jsonl")); err != nil {
		return err
	}
	return syncDir(dir)
}

// wholePrefix begins the name of a journal that writeWhole has not finished.
const wholePrefix = ".whole-"

// writeWhole writes a journal of records that are about ends in other journals, whole or
// not at all, and removes what one that was killed has left.
func (c *Campaign) writeWhole(ctx context.Context, version string, records func(write func(Record) error) error) error {
	lock, err := Lock(ctx, filepath.Join(c.Dir, ".whole"))
	if err != nil {
		return err
	}
	defer lock.Close()
	left, err := filepath.Glob(filepath.Join(c.Dir, "journal", wholePrefix+"*"))
	if err != nil {
		return err
	}
	for _, path := range left {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	me, err := c.identity(time.Now(), thisNode(), DefaultLease)
	if err != nil {
		return err
	}
	return c.writeJournal(wholePrefix, Opened{Format: aboutJournalFormat, Campaign: c.Digest, Worker: me.Worker, Host: me.Host, Node: me.Node,
		Version: version, At: me.At, Machine: thisMachine()}, records)
}
