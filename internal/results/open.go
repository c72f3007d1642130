package results

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// maxUnpacked bounds what a compressed file may unpack to.
const maxUnpacked = 4 << 30

// errTooLarge says that the bound was reached.
var errTooLarge = fmt.Errorf("the file unpacks to more than %d bytes", int64(maxUnpacked))

// Open returns the content of a file of results that may be packed as .zip, .gz,
// .tar.gz, .tar or .bz2, which its first bytes tell, together with the name of
// the file inside. Of an archive the only file with one of the suffixes is taken.
func Open(name string, data []byte, suffixes ...string) (inner string, content io.Reader, err error) {
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return openZip(data, suffixes)
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return "", nil, err
		}
		return openStream(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".tgz"), z, suffixes)
	case bytes.HasPrefix(data, []byte("BZh")):
		return openStream(strings.TrimSuffix(name, ".bz2"), bzip2.NewReader(bytes.NewReader(data)), suffixes)
	}
	return openStream(name, bytes.NewReader(data), suffixes)
}

// openStream looks for a tar archive in an unpacked stream.
func openStream(name string, in io.Reader, suffixes []string) (string, io.Reader, error) {
	in = &bounded{in: in, left: maxUnpacked}
	head := make([]byte, 512)
	n, err := io.ReadFull(in, head)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", nil, err
	}
	whole := io.MultiReader(bytes.NewReader(head[:n]), in)
	if n < 512 || string(head[257:262]) != "ustar" {
		return name, whole, nil
	}
	archive := tar.NewReader(whole)
	for {
		h, err := archive.Next()
		if err == io.EOF {
			return "", nil, fmt.Errorf("the archive holds no file %s", strings.Join(suffixes, " or "))
		}
		if err != nil {
			return "", nil, err
		}
		if h.Typeflag == tar.TypeReg && wanted(h.Name, suffixes) {
			return h.Name, archive, nil
		}
	}
}

func openZip(data []byte, suffixes []string) (string, io.Reader, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", nil, err
	}
	var match *zip.File
	for _, f := range archive.File {
		if f.FileInfo().IsDir() || !wanted(f.Name, suffixes) {
			continue
		}
		if match != nil {
			return "", nil, fmt.Errorf("the archive holds %s and %s", match.Name, f.Name)
		}
		match = f
	}
	if match == nil {
		return "", nil, fmt.Errorf("the archive holds no file %s", strings.Join(suffixes, " or "))
	}
	in, err := match.Open()
	if err != nil {
		return "", nil, err
	}
	return match.Name, &bounded{in: in, left: maxUnpacked}, nil
}

// wanted leaves out the attribute files that macOS adds to archives.
func wanted(name string, suffixes []string) bool {
	base := path.Base(name)
	if strings.HasPrefix(base, "._") || strings.HasPrefix(name, "__MACOSX/") {
		return false
	}
	for _, s := range suffixes {
		if strings.HasSuffix(base, s) {
			return true
		}
	}
	return len(suffixes) == 0
}

// bounded is a reader that fails instead of giving more than left bytes.
type bounded struct {
	in   io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.in.Read(p)
	b.left -= int64(n)
	return n, err
}
