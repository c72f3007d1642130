package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"podium/internal/files"
)

// PackRef says where an output lies: one compressed member of a pack. The zero
// value is an empty output.
type PackRef struct {
	Pack   string `json:"pack,omitempty"` // file name inside packs/
	Offset int64  `json:"offset,omitempty"`
	Length int64  `json:"length,omitempty"` // compressed, bytes
	Size   int64  `json:"size,omitempty"`   // uncompressed, bytes
	SHA256 string `json:"sha256,omitempty"` // of the uncompressed bytes, hexadecimal
}

// pack is a worker's append-only file of compressed outputs.
type pack struct {
	mu   sync.Mutex
	f    *os.File
	name string
	size int64
}

func newPack(dir, name string) (*pack, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	return &pack{f: f, name: name}, nil
}

// append puts the spooled outputs at the end of the pack and syncs once.
func (p *pack) append(spools ...*spool) ([]PackRef, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	refs := make([]PackRef, len(spools))
	at := p.size
	for i, s := range spools {
		if s.raw == 0 {
			continue
		}
		n, err := s.copyTo(io.NewOffsetWriter(p.f, at))
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", p.name, errors.Join(err, p.f.Truncate(p.size)))
		}
		refs[i] = PackRef{p.name, at, n, s.raw, hex.EncodeToString(s.sum.Sum(nil))}
		at += n
	}
	if at > p.size {
		if err := p.f.Sync(); err != nil {
			return nil, fmt.Errorf("pack %s: %w", p.name, err)
		}
	}
	p.size = at
	return refs, nil
}

func (p *pack) Close() error { return p.f.Close() }

// spool compresses an output as it comes, into a file without a name, so that
// a gigabyte of noise costs no memory.
type spool struct {
	f   *os.File
	enc *zstd.Encoder
	sum hash.Hash
	raw int64
	err error
}

func newSpool(dir string) (*spool, error) {
	f, err := os.CreateTemp(dir, "spool-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	enc, err := zstd.NewWriter(f, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		f.Close()
		return nil, err
	}
	return &spool{f: f, enc: enc, sum: sha256.New()}, nil
}

// Write never fails, so that a full disk of ours does not look like a closed
// pipe to the tool; the error comes out when the spool is packed.
func (s *spool) Write(b []byte) (int, error) {
	if s.err == nil {
		_, s.err = s.enc.Write(b)
		s.sum.Write(b)
		s.raw += int64(len(b))
	}
	return len(b), nil
}

func (s *spool) copyTo(w io.Writer) (int64, error) {
	if s.err == nil {
		s.err = s.enc.Close()
	}
	if s.err != nil {
		return 0, s.err
	}
	if _, err := s.f.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	return io.Copy(w, s.f)
}

func (s *spool) Close() error {
	s.enc.Close()
	return s.f.Close()
}

// Output opens an output for reading. What is read is checked against its
// digest at the end: a damaged pack is an error, never other bytes.
func (c *Campaign) Output(ref PackRef) (io.ReadCloser, error) {
	if ref.Size == 0 {
		return io.NopCloser(io.LimitReader(nil, 0)), nil
	}
	if filepath.Base(ref.Pack) != ref.Pack {
		return nil, fmt.Errorf("%q is no name of a pack", ref.Pack)
	}
	f, err := files.OpenNamed(filepath.Join(c.Dir, "packs", ref.Pack))
	if err != nil {
		return nil, err
	}
	dec := decoders.Get().(*zstd.Decoder)
	if err := dec.Reset(io.NewSectionReader(f, ref.Offset, ref.Length)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &outputReader{f, dec, sha256.New(), ref, 0}, nil
}

// decoders are used again: to make one takes longer than most outputs. They run in
// the goroutine that reads.
var decoders = sync.Pool{New: func() any {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		panic(err) // of an option
	}
	return dec
}}

type outputReader struct {
	f    *os.File
	dec  *zstd.Decoder
	sum  hash.Hash
	ref  PackRef
	read int64
}

func (o *outputReader) Read(b []byte) (int, error) {
	if o.dec == nil {
		return 0, os.ErrClosed
	}
	n, err := o.dec.Read(b)
	o.sum.Write(b[:n])
	o.read += int64(n)
	if o.read > o.ref.Size || err == io.EOF && (o.read != o.ref.Size || hex.EncodeToString(o.sum.Sum(nil)) != o.ref.SHA256) {
		return n, o.ref.otherDigest()
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("pack %s: the output at offset %d is damaged: %w", o.ref.Pack, o.ref.Offset, err)
	}
	return n, err
}

func (r PackRef) otherDigest() error {
	return fmt.Errorf("pack %s: the output at offset %d does not have the digest that the journal gives", r.Pack, r.Offset)
}

func (o *outputReader) Close() error {
	if o.dec == nil {
		return os.ErrClosed
	}
	err := o.dec.Reset(nil) // lets go of the file
	decoders.Put(o.dec)
	o.dec = nil
	return errors.Join(err, o.f.Close())
}

// Log opens what a run printed: its standard output, and behind it, when there
// is any, its standard error under a heading. Offsets of answers count in it.
func (c *Campaign) Log(f *Finished) (io.ReadCloser, error) {
	stdout, err := c.Output(f.Stdout)
	if err != nil || f.Stderr.Size == 0 {
		return stdout, err
	}
	stderr, err := c.Output(f.Stderr)
	if err != nil {
		return nil, errors.Join(err, stdout.Close())
	}
	heading := strings.NewReader("\n--- standard error ---\n")
	return joined{io.MultiReader(stdout, heading, stderr), stdout, stderr}, nil
}

type joined struct {
	io.Reader
	stdout, stderr io.Closer
}

func (j joined) Close() error { return errors.Join(j.stdout.Close(), j.stderr.Close()) }
