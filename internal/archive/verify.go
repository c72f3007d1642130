package archive

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"podium/internal/campaign"
	"podium/internal/contest"
	"podium/internal/publish"
	"podium/pnml/diagnostic"
)

// Check says how an archive is verified.
type Check struct {
	Into      string // directory that it is unpacked to, and left in; empty: a temporary one
	Signers   string // file of allowed signers (ssh-keygen(1)); empty: no signature is asked for
	Signer    string // one of them; empty: any
	Signature string // file; empty: [SignatureFile]
}

// Verified is what was found.
type Verified struct {
	Root    string // digest of SHA256SUMS, in hexadecimal
	Signer  string // empty without a signature
	Name    string // of the campaign
	Files   int
	Bytes   int64
	Runs    int // whose outputs were read
	Lines   int // of tables, that were computed again
	LeftOut []string
	// Deviations are the places where the tables say something else than what is
	// computed from journals and outputs.
	Deviations diagnostic.List
}

// Verify checks an archive: every digest, the signature, the inputs against the
// plan, every output against the journal; and it computes all tables anew. What is
// damaged is a [diagnostic.List].
func Verify(ctx context.Context, archive string, by Check) (*Verified, error) {
	dir, err := place(by.Into)
	if err != nil {
		return nil, err
	}
	if by.Into == "" {
		defer os.RemoveAll(dir)
	}
	u, found, err := unpack(ctx, archive, dir)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		return nil, found
	}
	root := sha256.Sum256(u.sums)
	v := &Verified{Root: hex.EncodeToString(root[:]), Name: u.facts.Campaign, Files: len(u.files), Bytes: u.bytes, LeftOut: u.facts.LeftOut}
	if by.Signers != "" {
		signature := by.Signature
		if signature == "" {
			signature = SignatureFile(archive)
		}
		if v.Signer, err = signer(ctx, u.sums, signature, by.Signers, by.Signer); err != nil {
			return nil, err
		}
	}
	c, err := campaign.Open(filepath.Join(dir, campaignDir))
	if err != nil {
		return nil, err
	}
	if err := v.checkInputs(ctx, c); err != nil {
		return nil, err
	}
	return v, v.recompute(ctx, c, dir, archive)
}

// place makes the directory that an archive is unpacked to.
func place(into string) (string, error) {
	if into == "" {
		return os.MkdirTemp("", "podium-archive-")
	}
	list, err := os.ReadDir(into)
	if err == nil && len(list) > 0 {
		return "", diagnostic.List{{File: into, Code: "archive-target", Message: "the directory is not empty", Hint: "name another with --into"}}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return into, os.MkdirAll(into, 0o755)
}

// checkInputs compares the inputs that are there with the digests of the plan.
func (v *Verified) checkInputs(ctx context.Context, c *campaign.Campaign) error {
	return c.CheckInputs(ctx, !slices.Contains(v.LeftOut, partTools), !slices.Contains(v.LeftOut, partInstances))
}

// recompute reads the journals and all outputs, and compares the tables with those
// of the archive.
func (v *Verified) recompute(ctx context.Context, c *campaign.Campaign, dir, archive string) error {
	j, err := contest.Judge(ctx, c, contest.Options{})
	if err != nil {
		return err
	}
	if err := j.Log.Damage.Err(); err != nil {
		return err
	}
	if v.Runs, err = j.Log.CheckOutputs(ctx); err != nil {
		return err
	}
	again := filepath.Join(dir, resultsDir+"-again")
	if err := publish.WriteTables(ctx, again, j.View()); err != nil {
		return err
	}
	defer os.RemoveAll(again)
	tables, err := filepath.Glob(filepath.Join(dir, resultsDir, "csv", "*.csv"))
	if err != nil {
		return err
	}
	for _, table := range tables {
		name := filepath.Base(table)
		n, line, err := differing(table, filepath.Join(again, "csv", name))
		if err != nil {
			return err
		}
		v.Lines += n
		if line > 0 {
			v.Deviations = append(v.Deviations, diagnostic.Diagnostic{File: archive + ":" + resultsDir + "/csv/" + name, Line: line, Code: "archive-deviates",
				Message: "computed anew from journals and outputs, this line is another one", Hint: "--into DIR keeps the campaign, and podium explain shows each point"})
		}
	}
	return nil
}

// differing compares a table of an archive with the one that is computed: how many rows
// were compared, and the line of the first that differs; 0 for none. Columns are known
// by their names: later versions of Podium may have more of them.
func differing(recorded, computed string) (n, line int, err error) {
	a, err := os.Open(recorded)
	if err != nil {
		return 0, 0, err
	}
	defer a.Close()
	b, err := os.Open(computed)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 1, nil
	} else if err != nil {
		return 0, 0, err
	}
	defer b.Close()
	left, right := csv.NewReader(bufio.NewReader(a)), csv.NewReader(bufio.NewReader(b))
	left.ReuseRecord, right.ReuseRecord = true, true
	var column []int // of the computed table, by that of the recorded one
	at := 1
	for ; ; n++ {
		row, errLeft := left.Read()
		again, errRight := right.Read()
		if errors.Is(errLeft, io.EOF) && errors.Is(errRight, io.EOF) {
			return n, 0, nil
		}
		if len(row) > 0 {
			at, _ = left.FieldPos(0)
		}
		switch {
		case errors.Is(errLeft, io.EOF) || errors.Is(errRight, io.EOF):
			return n, at, nil
		case errRight != nil:
			return n, 0, errRight
		case errLeft != nil:
			return n, at, nil
		case n == 0:
			for _, name := range row {
				column = append(column, slices.Index(again, name))
			}
		}
		for k, cell := range row {
			if column[k] < 0 || cell != again[column[k]] {
				return n, at, nil
			}
		}
	}
}
