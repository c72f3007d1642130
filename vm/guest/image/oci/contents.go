package oci

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// Limits of an archive.
const (
	maxFiles = 1 << 16
	maxText  = 4 << 20 // bytes of a manifest, index or configuration
	maxLinks = 8       // that lead to one another
)

// contents are the files of an archive, by name.
type contents struct {
	files map[string]*io.SectionReader
	links map[string]string // symbolic ones, to another file of the archive
}

// list finds the files of an archive.
func list(archive io.ReaderAt, size int64) (*contents, error) {
	c := &contents{map[string]*io.SectionReader{}, map[string]string{}}
	from := io.NewSectionReader(archive, 0, size)
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if err == io.EOF {
			return c, nil
		} else if err != nil {
			return nil, fmt.Errorf("no archive, or a damaged one: %w", err)
		}
		if len(c.files)+len(c.links) == maxFiles {
			return nil, fmt.Errorf("the archive holds more than %d files, which is no image", maxFiles)
		}
		name := path.Clean(h.Name)
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("the archive holds %q, which is outside of it", h.Name)
		}
		switch h.Typeflag {
		case tar.TypeReg:
			at, err := from.Seek(0, io.SeekCurrent)
			if err != nil {
				return nil, err
			}
			c.files[name] = io.NewSectionReader(archive, at, h.Size)
		case tar.TypeSymlink:
			c.links[name] = path.Join(path.Dir(name), h.Linkname)
		}
	}
}

// open returns a file. Docker used to store equal layers once, with links to them.
func (c *contents) open(name string) (*io.SectionReader, error) {
	name = path.Clean(name)
	for range maxLinks {
		if f := c.files[name]; f != nil {
			return io.NewSectionReader(f, 0, f.Size()), nil
		}
		to, ok := c.links[name]
		if !ok {
			break
		}
		name = to
	}
	return nil, fmt.Errorf("the archive lacks %q: %w", name, fs.ErrNotExist)
}

// text reads a small file.
func (c *contents) text(name string) ([]byte, error) {
	f, err := c.open(name)
	if err != nil {
		return nil, err
	}
	if f.Size() > maxText {
		return nil, fmt.Errorf("%q has %d bytes, and %d are enough for any", name, f.Size(), maxText)
	}
	return io.ReadAll(f)
}

// blob returns a file by its digest, of the size that is said of it.
func (c *contents) blob(d v1.Descriptor) (*io.SectionReader, error) {
	if d.Digest.Algorithm == "" {
		return nil, errors.New("a part of the image has no digest")
	}
	f, err := c.open(path.Join("blobs", d.Digest.Algorithm, d.Digest.Hex))
	if err == nil && f.Size() != d.Size {
		err = fmt.Errorf("%s has %d bytes, and %d are announced: the archive is damaged", d.Digest, f.Size(), d.Size)
	}
	return f, err
}

// blobText reads a small file by its digest.
func (c *contents) blobText(d v1.Descriptor) ([]byte, error) {
	if d.Size > maxText {
		return nil, fmt.Errorf("%s has %d bytes, and %d are enough for any", d.Digest, d.Size, maxText)
	}
	f, err := c.blob(d)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return text, verify(text, d.Digest)
}

// verify compares a text with its digest.
func verify(text []byte, want v1.Hash) error {
	h, err := v1.Hasher(want.Algorithm)
	if err != nil {
		return err
	}
	h.Write(text)
	return same(h, want)
}

// isLayout tells the form of the Open Container Initiative.
func (c *contents) isLayout() bool {
	return c.files["index.json"] != nil && c.files["oci-layout"] != nil
}
