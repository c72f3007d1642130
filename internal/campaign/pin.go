package campaign

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Pin says on which computer a model is run (E-5.1). It is written when the model
// is first claimed, as pins/MODEL@1, and kept; a person who has the model moved to
// another computer adds the next one, and the last counts.
type Pin struct {
	Format string    `json:"format"`
	Model  string    `json:"model"`
	Node   Node      `json:"node"`
	Host   string    `json:"host"` // its name, for people
	Worker string    `json:"worker"`
	At     time.Time `json:"at"`
}

// PinFormat is the format key of a pin.
const PinFormat = "podium-pin/1"

// Away is a model that was begun on another computer, where its other runs must
// be done, too (E-5.1).
type Away struct {
	Model string
	Host  string // name of the other computer
}

// place is where runs of a model were made: by the node, or where the system does not tell it by the
// name of the host. Neither is known of imported runs.
type place struct {
	node Node
	host string
}

// known reports whether the place of imported runs is known at all.
func (p place) known() bool { return !p.node.IsZero() || p.host != "" }

// same reports whether two places are one computer, as far as is known.
func (p place) same(o place) bool {
	if p.node.IsZero() || o.node.IsZero() {
		return p.host == o.host
	}
	return p.node.sameComputer(o.node)
}

func (p Pin) place() place { return place{p.Node, p.Host} }

func (l Lease) place() place { return place{l.Node, l.Host} }

// pinned is the last pin of a model and its number.
type pinned struct {
	Pin
	number int64
}

// readPins takes in the pins that were written since the last time, and returns their
// models.
func (c *Campaign) readPins(known map[string]pinned) (models []string, err error) {
	names, err := os.ReadDir(filepath.Join(c.Dir, "pins"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range names {
		model, n, ok := fileNumber(e.Name())
		if !ok || n <= known[model].number {
			continue
		}
		p := pinned{number: n}
		if err := readSmall(filepath.Join(c.Dir, "pins", e.Name()), PinFormat, &p.Pin); err != nil {
			return nil, err
		}
		known[model] = p
		models = append(models, model)
	}
	return models, nil
}

// pin writes a model's pin of that number, for a worker that has claimed it; somebody
// else's pin of the number is [fs.ErrExist].
func (c *Campaign) pin(l Lease, number int64) error {
	if err := os.MkdirAll(filepath.Join(c.Dir, "pins"), 0o755); err != nil {
		return err
	}
	text, err := json.Marshal(Pin{PinFormat, l.Model, l.Node, l.Host, l.Worker, time.Now().UTC()})
	if err != nil {
		return err
	}
	return WriteOnce(filepath.Join(c.Dir, "pins", numbered(l.Model, number)), append(text, '\n'))
}
