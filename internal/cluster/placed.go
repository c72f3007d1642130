package cluster

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// Placed says on which host a model is. It is written once, as placed/MODEL@NUMBER;
// a person who moves the model adds the next one, and the last counts.
type Placed struct {
	Model  string    `json:"model"`
	Number int       `json:"number"` // 1, and one more for each move
	Host   string    `json:"host"`
	At     time.Time `json:"at"`
}

// readPlaced reads where the models are.
func (cl *Cluster) readPlaced() (map[string]Placed, error) {
	all := map[string]Placed{}
	names, err := os.ReadDir(cl.path("placed"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range names {
		model, digits, _ := strings.Cut(e.Name(), "@")
		n, err := strconv.Atoi(digits)
		if err != nil || n <= all[model].Number {
			continue
		}
		var p Placed
		if err := readJSON(cl.path("placed", e.Name()), &p); err != nil {
			return nil, err
		}
		if p.Model != model || p.Number != n || !isHost(p.Host) {
			return nil, damaged(cl.path("placed", e.Name()), "it says something else than its name")
		}
		all[model] = p
	}
	return all, nil
}

// writePlaced gives a model its next host. Where somebody else was faster, theirs
// counts.
func (cl *Cluster) writePlaced(p Placed) error {
	err := cl.writeOnce(p, "placed", p.Model+"@"+strconv.Itoa(p.Number))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
