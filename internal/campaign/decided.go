package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"podium/pnml/diagnostic"
)

// MaxDecision bounds the file of a decision, in bytes.
const MaxDecision = 256 << 10

// DecisionFile is the file of the decision with a number, from 1, on the campaign in a
// directory. Decisions are explained in internal/decisions; here they only say which
// runs are to be done again.
func DecisionFile(dir string, number int) string {
	return filepath.Join(dir, "decisions", strconv.Itoa(number)+".json")
}

// InForce tells of each decision whether it counts: it is not revoked by a later one
// that counts itself. revokes gives the number of the decision that each revokes, 0 for
// none.
func InForce(revokes []int) []bool {
	force := slices.Repeat([]bool{true}, len(revokes))
	for i := len(revokes) - 1; i >= 0; i-- {
		if n := revokes[i]; force[i] && 0 < n && n <= i {
			force[n-1] = false
		}
	}
	return force
}

// decided is what a log knows of decisions.
type decided struct {
	sums    []string // SHA-256 of the files
	revokes []int
	force   map[string]bool // the sums of those in force
}

// readDecided takes in what was decided since the last time, and reports whether that is
// something.
func (c *Campaign) readDecided(d *decided) (news bool, err error) {
	for {
		file := DecisionFile(c.Dir, len(d.sums)+1)
		f, err := openRegular(file)
		if errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return false, err
		}
		text, err := io.ReadAll(io.LimitReader(f, MaxDecision))
		if err = errors.Join(err, f.Close()); err != nil {
			return false, err
		}
		var one struct {
			Revokes int `json:"revokes"`
		}
		if err := json.Unmarshal(text, &one); err != nil {
			return false, diagnostic.List{{File: file, Code: "decision", Message: err.Error(), Hint: "restore the file as it was written"}}
		}
		sum := sha256.Sum256(text)
		d.sums, d.revokes, news = append(d.sums, hex.EncodeToString(sum[:])), append(d.revokes, one.Revokes), true
	}
	if news {
		d.enforce(d.revokes)
	}
	return news, nil
}

// enforce says which decisions are in force when these are revoked.
func (d *decided) enforce(revokes []int) {
	d.force = map[string]bool{}
	for i, counts := range InForce(revokes) {
		if i < len(d.sums) {
			d.force[d.sums[i]] = counts
		}
	}
}
