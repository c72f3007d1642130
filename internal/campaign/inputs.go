package campaign

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"podium/models"
)

// inputs unpacks and checks each instance once for all its runs: they follow each
// other.
type inputs struct {
	campaign *Campaign
	mu       sync.Mutex
	opened   map[string]*opening // by instance
	recent   []string            // instances in the order of their last use
}

// keptInstances bounds how many instances are remembered at a time.
const keptInstances = 16

type opening struct {
	once sync.Once
	dir  string
	err  error
}

func newInputs(c *Campaign) *inputs {
	return &inputs{campaign: c, opened: map[string]*opening{}}
}

// of gives what a run reads.
func (in *inputs) of(run Run) (input, error) {
	id, err := models.ParseID(run.Instance)
	if err != nil {
		return input{}, err
	}
	o := in.opening(run.Instance)
	o.once.Do(func() { o.dir, o.err = in.campaign.unpack(run.Instance) })
	if o.err != nil {
		return input{}, o.err
	}
	planned, _ := in.campaign.Plan.Instance(run.Instance)
	return input{id, o.dir, planned.Items(run.Exam)}, nil
}

func (in *inputs) opening(instance string) *opening {
	in.mu.Lock()
	defer in.mu.Unlock()
	o, ok := in.opened[instance]
	if !ok {
		o = &opening{}
		in.opened[instance] = o
	}
	if i := slices.Index(in.recent, instance); i >= 0 {
		in.recent = slices.Delete(in.recent, i, i+1)
	}
	in.recent = append(in.recent, instance)
	if len(in.recent) > keptInstances {
		delete(in.opened, in.recent[0])
		in.recent = in.recent[1:]
	}
	return o
}

// unpack gives the directory of an instance, checked against the plan.
func (c *Campaign) unpack(instance string) (string, error) {
	planned, ok := c.Plan.Instance(instance)
	if !ok {
		return "", fmt.Errorf("instance %s is not in the plan", instance)
	}
	id, err := models.ParseID(instance)
	if err != nil {
		return "", err
	}
	opened, err := models.Open(c.Path(planned.Path))
	found, ok := opened.Find(id)
	if !ok {
		return "", errors.Join(&ChangedError{What: "instance " + instance}, err)
	}
	digest, err := found.Digest()
	if err != nil {
		return "", err
	}
	if digest != planned.Digest {
		return "", &ChangedError{What: "instance " + instance}
	}
	return found.Directory(filepath.Join(c.Dir, "instances"))
}
