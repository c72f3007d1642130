package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/internal/publish"
	"podium/pnml/diagnostic"
)

// Options say what goes into an archive.
type Options struct {
	About        About
	WithoutTools bool   // only their digests, where licences do not allow more
	Key          string // of ssh, to sign with; the signature is written beside the archive
}

// Written is an archive that was made, or that would be made.
type Written struct {
	Root  string `json:"root_digest"` // of SHA256SUMS, in hexadecimal: of all there is
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"` // of the files, before compression
	Once  int64  `json:"-"`     // the same, of equal files once
	Sums  []byte `json:"-"`
	// Passed are files below the campaign that no command reads: they are left out.
	Passed []string `json:"-"`
	// Deviations are answers in the journal that the outputs do not say, and records that are
	// damaged: verify will find them, too.
	Deviations diagnostic.List `json:"-"`
}

// Write makes the archive of a judged campaign and its directories, whole or not at all; with an empty
// path it only computes its digest. Inputs and outputs are checked before: a
// [diagnostic.List] names those that are not as they were. The campaign must not change
// meanwhile: a file that does is an error.
func Write(ctx context.Context, path string, j *judged.Campaign, o Options) (w Written, err error) {
	scratch, err := files.NewScratch("", "archive")
	if err != nil {
		return w, err
	}
	defer scratch.Close()
	layout, err := layoutOf(j.Campaign, campaignDir+"/")
	if err != nil {
		return w, err
	}
	if w.Deviations, err = layout.sound(ctx, j.Log, o); err != nil {
		return w, err
	}
	list, f, err := collect(ctx, scratch.Dir, j, layout, o)
	if err != nil {
		return w, err
	}
	w.Passed = list.passed
	w.Sums, w.Files = list.sums(), len(list.files)
	once := map[content]bool{}
	for i := range list.files {
		e := &list.files[i]
		w.Bytes += e.size
		if !once[e.content()] {
			once[e.content()] = true
			w.Once += e.size
		}
	}
	root := sha256.Sum256(w.Sums)
	w.Root = hex.EncodeToString(root[:])
	if path == "" {
		return w, nil
	}
	return w, o.writeSigned(ctx, path, w.Sums, func(out io.Writer) error { return write(ctx, out, list, f, w.Sums) })
}

// writeSigned writes the archive, and the signature if there is a key: both or neither.
func (o Options) writeSigned(ctx context.Context, path string, sums []byte, write func(io.Writer) error) error {
	if o.Key == "" {
		return files.Write(path, write)
	}
	signature, err := Sign(ctx, sums, o.Key)
	if err != nil {
		return err
	}
	whole, err := files.Stage(path, write)
	if err != nil {
		return err
	}
	if err := files.Write(SignatureFile(path), files.Bytes(signature)); err != nil {
		whole.Discard()
		return err
	}
	return whole.Commit()
}

// sound checks the inputs and outputs of a campaign, and returns what verify will find, too.
func (l *layout) sound(ctx context.Context, log *campaign.Log, o Options) (list diagnostic.List, err error) {
	for _, one := range l.all() {
		if one != l {
			if log, err = one.campaign.Read(ctx); err != nil {
				return nil, err
			}
		}
		list = append(list, log.Damage...)
		if err := one.campaign.CheckInputs(ctx, func(dir string) bool { return here(dir) && !(o.WithoutTools && one.isTool(dir)) }); err != nil {
			return nil, err
		}
		found, err := log.CheckOutputs(ctx)
		if err == nil {
			err = found.Damaged.Err()
		}
		if err != nil {
			return nil, err
		}
		list = append(list, misread(found, one.campaign.Dir)...)
	}
	return list, nil
}

// collect reads all that goes into the archive; scratch holds the tables.
func collect(ctx context.Context, scratch string, j *judged.Campaign, l *layout, o Options) (*contents, facts, error) {
	f := factsOf(j, o.WithoutTools)
	list, err := ofCampaign(l, o.WithoutTools)
	if err != nil {
		return nil, f, err
	}
	tables := filepath.Join(scratch, resultsDir)
	if err := publish.WriteTables(ctx, tables, publish.Of(j)); err != nil {
		return nil, f, err
	}
	if err := list.add(tables, resultsDir, all); err != nil {
		return nil, f, err
	}
	list.sort()
	f.Modes, f.Links, f.Empty = list.modes(), list.links, list.empty
	text, err := asJSON(f)
	if err != nil {
		return nil, f, err
	}
	list.text(factsFile, text)
	list.text(readmeFile, readme(f))
	list.sort()
	if err := list.digest(ctx); err != nil {
		return nil, f, err
	}
	if text, err = crate(j, f, o.About, list.files, makers(j.Campaign)); err != nil {
		return nil, f, err
	}
	list.text(crateFile, text)
	list.sort()
	return list, f, list.digest(ctx)
}

// write writes the archive: SHA256SUMS, the files in order, directories without
// files, links, and the digest of all bytes.
func write(ctx context.Context, out io.Writer, list *contents, f facts, sums []byte) error {
	all := sha256.New()
	w, err := newFrames(io.MultiWriter(out, all))
	if err != nil {
		return err
	}
	date, err := time.Parse(time.DateOnly, f.Date)
	if err != nil {
		return err
	}
	header := func(name string, kind byte, mode int64) *tar.Header {
		return &tar.Header{Name: name, Typeflag: kind, Mode: mode, ModTime: date, Format: tar.FormatPAX}
	}
	head := header(sumsFile, tar.TypeReg, int64(plainMode))
	head.Size = int64(len(sums))
	if err := w.add(head, bytes.NewReader(sums)); err != nil {
		return err
	}
	first := map[content]string{}
	for i := range list.files {
		e := &list.files[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if same := first[e.content()]; same != "" && e.size > 0 {
			head := header(e.path, tar.TypeLink, int64(e.mode))
			head.Linkname = same
			if err := w.add(head, nil); err != nil {
				return err
			}
			continue
		}
		first[e.content()] = e.path
		head := header(e.path, tar.TypeReg, int64(e.mode))
		head.Size = e.size
		if err := w.addFile(head, e); err != nil {
			return err
		}
	}
	for _, name := range list.empty {
		if err := w.add(header(name+"/", tar.TypeDir, 0o755), nil); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(list.links)) {
		head := header(name, tar.TypeSymlink, 0o777)
		head.Linkname = list.links[name]
		if err := w.add(head, nil); err != nil {
			return err
		}
	}
	if err := w.end(); err != nil {
		return err
	}
	_, err = out.Write(trailer(all.Sum(nil)))
	return err
}

// frames writes each entry of a tar file as a frame of its own.
type frames struct {
	out io.Writer
	enc *zstd.Encoder
	tar *tar.Writer
}

func newFrames(out io.Writer) (*frames, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	if err != nil {
		return nil, err
	}
	return &frames{out, enc, tar.NewWriter(enc)}, nil
}

func (w *frames) add(head *tar.Header, content io.Reader) error {
	w.enc.Reset(w.out)
	if err := w.tar.WriteHeader(head); err != nil {
		return err
	}
	if content != nil {
		if _, err := io.Copy(w.tar, content); err != nil {
			return err
		}
	}
	if err := w.tar.Flush(); err != nil {
		return err
	}
	return w.enc.Close()
}

// addFile adds a file, which must be what it was when its digest was taken.
func (w *frames) addFile(head *tar.Header, e *entry) error {
	f, err := e.open()
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	err = w.add(head, io.TeeReader(f, sum))
	if errors.Is(err, tar.ErrWriteTooLong) || hex.EncodeToString(sum.Sum(nil)) != e.sum {
		return fmt.Errorf("%s was changed while it was read: wait until nobody runs the campaign, and make the archive again", e.from)
	}
	return err
}

func (w *frames) end() error {
	w.enc.Reset(w.out)
	if err := w.tar.Close(); err != nil {
		return err
	}
	return w.enc.Close()
}

// trailerSize is the length of the last frame.
const trailerSize = 8 + sha256.Size

// trailer is a frame that decoders skip (RFC 8878, 3.1.2), with a digest.
func trailer(sum []byte) []byte {
	frame := binary.LittleEndian.AppendUint32(nil, 0x184D2A50)
	frame = binary.LittleEndian.AppendUint32(frame, sha256.Size)
	return append(frame, sum...)
}

// readme is README.md of an archive.
func readme(f facts) []byte {
	return fmt.Appendf(nil, `# %s

A whole contest of model checkers, as Podium %s planned it and ran it.

- Every file is what it was: `+"`sha256sum -c SHA256SUMS`"+`. The digest of SHA256SUMS itself,
  `+"`sha256sum SHA256SUMS`"+`, is the root digest, which may have been published before the results.
- Every score is what the outputs of the tools are worth: `+"`podium verify ARCHIVE`"+` checks all digests,
  reads journals and outputs, computes everything again, and compares it with results/csv.
- The contest itself is the directory campaign: `+"`podium verify --into DIR ARCHIVE`"+` unpacks it, and
  `+"`podium status DIR/campaign`"+`, explain, score, publish and run work there.
- ro-crate-metadata.json describes the archive to repositories, archive.json to programs.
`, f.Campaign, f.Version)
}
