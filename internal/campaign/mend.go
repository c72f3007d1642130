package campaign

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// mendLines puts the records of a copy's journal in the place of those here that are
// damaged, and what it has more behind them. Records that can be read and differ are a
// conflict: one of the journals was changed. Nothing is staged where there is nothing to
// mend.
func (t *two) mendLines(ctx context.Context) (*files.Staged, error) {
	news := false
	s, err := files.StageFile(t.path, func(to *os.File) error {
		ours, theirs := bufio.NewReaderSize(io.NewSectionReader(t.ours, 0, t.have), chunk), bufio.NewReaderSize(io.NewSectionReader(t.theirs, 0, t.offers), chunk)
		out := bufio.NewWriterSize(to, chunk)
		words := newInterner(true)
		for number := 1; ; number++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			mine, _, myEnd := readLine(ours, nil)
			other, _, otherEnd := readLine(theirs, nil)
			line := mine
			for _, err := range []error{myEnd, otherEnd} {
				if err != nil && !errors.Is(err, io.EOF) {
					return t.differ(number, err.Error(), "restore the one that was changed")
				}
			}
			switch {
			case errors.Is(myEnd, io.EOF) && errors.Is(otherEnd, io.EOF):
				return out.Flush()
			case errors.Is(myEnd, io.EOF):
				line, news = other, true
			case errors.Is(otherEnd, io.EOF), bytes.Equal(mine, other):
			default:
				good := func(line []byte) bool {
					_, err := decodeRecord(line, words)
					return err == nil
				}
				switch mineGood, otherGood := good(mine), good(other); {
				case mineGood && otherGood:
					return t.differ(number, "one of them was changed", "restore the one that was changed, or remove it if what only it records may be lost")
				case mineGood:
					return t.differ(number, "this one is damaged", "copy the file again")
				case otherGood:
					line, news = other, true
				}
			}
			out.Write(line)
			if err := out.WriteByte('\n'); err != nil {
				return err
			}
		}
	})
	if err == nil && !news {
		s.Discard()
	}
	return s, err
}

// differ refuses a file of a copy.
func (t *two) differ(line int, why, hint string) error {
	return diagnostic.List{{File: t.theirs.Name(), Line: line, Code: "merge-differs", Message: "this file and " + t.path + " differ in what both of them have: " + why, Hint: hint}}
}

// mendOutputs puts outputs of a copy's pack in the place of those here that have not
// their digests, and what it has more behind them. It returns how many it has mended, and
// how many of the copy are damaged that are whole here.
func (t *two) mendOutputs(ctx context.Context, list []named) (s *files.Staged, mended, worse int, err error) {
	s, err = files.StageFile(t.path, func(to *os.File) error {
		if _, err := io.Copy(to, io.NewSectionReader(t.ours, 0, t.have)); err != nil {
			return err
		}
		if t.offers > t.have {
			if _, err := io.Copy(to, io.NewSectionReader(t.theirs, t.have, t.offers-t.have)); err != nil {
				return err
			}
		}
		for _, ref := range list {
			here, there := ref.whole(ctx, to), ref.whole(ctx, t.theirs)
			if here == nil && there != nil && ref.Offset+ref.Length <= t.offers {
				worse++
			}
			if here == nil || there != nil {
				continue
			}
			if _, err := io.Copy(io.NewOffsetWriter(to, ref.Offset), io.NewSectionReader(t.theirs, ref.Offset, ref.Length)); err != nil {
				return err
			}
			mended++
		}
		return ctx.Err()
	})
	if err == nil && mended == 0 && t.offers <= t.have {
		s.Discard()
	}
	return s, mended, worse, err
}

// whole reads an output in a pack, and says why it is not as it was.
func (r PackRef) whole(ctx context.Context, pack io.ReaderAt) error {
	dec := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(dec)
	if err := dec.Reset(io.NewSectionReader(pack, r.Offset, r.Length)); err != nil {
		return err
	}
	defer dec.Reset(nil)
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(until{ctx, dec}, r.Size+1))
	if err == nil && (n != r.Size || hex.EncodeToString(sum.Sum(nil)) != r.SHA256) {
		err = r.otherDigest()
	}
	return err
}
