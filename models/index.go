package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// indexFormat begins every index file.
const indexFormat = "podium-model-index/1"

// index remembers what reading an archive told, so that a collection of
// thousands is read again only where it changed. It is a cache: a lost or
// broken index costs time, nothing else.
type index struct {
	Format   string    `json:"format"`
	Archives []indexed `json:"archives"`

	byPath map[string]*indexed
}

// stamp tells whether an archive is still the one that was read.
type stamp struct {
	Path     string    `json:"path"` // absolute
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

type indexed struct {
	stamp
	Facts  Facts  `json:"facts"`
	Files  []File `json:"files"`
	Digest string `json:"digest"`
}

func stampOf(path string) (stamp, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return stamp{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}, err
	}
	return stamp{abs, info.Size(), info.ModTime().UTC()}, nil
}

// loadIndex returns an empty index when there is none, or none that can be read.
func loadIndex(path string, findings *diagnostic.List) *index {
	x := &index{byPath: map[string]*indexed{}}
	if path == "" {
		return x
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return x
	}
	if err == nil {
		err = json.Unmarshal(text, x)
	}
	if err == nil && x.Format != indexFormat {
		err = fmt.Errorf("its format is %q, not %q", x.Format, indexFormat)
	}
	if err != nil {
		findings.Add(finding(diagnostic.Warning, path, "models-index", "the index is built again: "+cause(err), "nothing is to be done; it takes longer this time"))
		return x
	}
	for k := range x.Archives {
		x.byPath[x.Archives[k].Path] = &x.Archives[k]
	}
	return x
}

// recall fills in what is known of the archive, if it did not change.
func (x *index) recall(s stamp, i *Instance) bool {
	known := x.byPath[s.Path]
	if known == nil || known.Size != s.Size || !known.Modified.Equal(s.Modified) || len(known.Digest) != 64 {
		return false
	}
	i.Facts, i.Files, i.digest.text = known.Facts, known.Files, known.Digest
	return true
}

// save writes the index when it no longer says what was just read. Archives
// under other paths stay known as long as they exist.
func (x *index) save(path string, loaded []loading) error {
	fresh := index{Format: indexFormat, Archives: []indexed{}}
	changed := x.Format != indexFormat
	done := map[string]bool{}
	for _, l := range loaded {
		if !l.instance.Archive || done[l.stamp.Path] {
			continue
		}
		done[l.stamp.Path] = true
		if !l.ok {
			changed = changed || x.byPath[l.stamp.Path] != nil
			continue
		}
		changed = changed || !x.recall(l.stamp, &Instance{digest: &digest{}})
		fresh.Archives = append(fresh.Archives, indexed{l.stamp, l.instance.Facts, l.instance.Files, l.instance.digest.text})
	}
	for _, old := range x.Archives {
		if done[old.Path] {
			continue
		}
		if _, err := os.Stat(old.Path); err != nil {
			changed = true
			continue
		}
		fresh.Archives = append(fresh.Archives, old)
	}
	if !changed {
		return nil
	}
	text, err := json.Marshal(fresh)
	if err != nil {
		return err
	}
	return files.Replace(path, files.Bytes(text))
}
