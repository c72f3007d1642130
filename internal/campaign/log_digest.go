package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
)

// Digest is the SHA-256, in hexadecimal, of all that the log was made from: the
// journals as far as they were read, without a torn tail, and the pins of models.
// Whoever copies these files has the same log, and the same digest.
func (l *Log) Digest() (string, error) {
	all := sha256.New()
	for _, file := range slices.Sorted(maps.Keys(l.read)) {
		sum, err := sumOf(file, l.read[file].offset)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(all, "journal %q %x\n", filepath.Base(file), sum)
	}
	for _, model := range slices.Sorted(maps.Keys(l.pins)) {
		text, err := json.Marshal(l.pins[model].Pin)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(all, "pin %d %s\n", l.pins[model].number, text)
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// sumOf is the SHA-256 of the first bytes of a file.
func sumOf(path string, length int64) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.CopyN(h, f, length)
	return h.Sum(nil), err
}
