package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"podium/internal/campaign"
	"podium/internal/forecast"
	"podium/internal/placement"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Cluster is a campaign and the hosts that it is to be run on.
type Cluster struct {
	Campaign *campaign.Campaign
	Config   *Config
	Version  string       // of podium, for the journal
	Say      func(string) // remarks for the person
}

// RequestError says that a person asked for what the campaign or the cluster does not
// have.
type RequestError struct{ Message string }

func (e *RequestError) Error() string { return e.Message }

// LostError says that jobs do not stay in the queue.
type LostError struct {
	Jobs []*Job
	Logs string // the directory
}

func (e *LostError) Error() string {
	return fmt.Sprintf("%s of %d submissions each is not in the queue and has runs left, the first for host %s; what it said, if it ran at all, stands in %s; `podium cluster doctor` looks for the cause",
		wording.Count(len(e.Jobs), "job", "jobs"), rounds, e.Jobs[0].Host, filepath.Join(e.Logs, e.Jobs[0].Key+"-*.log"))
}

// rounds is how often a job that does not stay is submitted.
const rounds = 3

// Open reads what is said of the hosts of a campaign.
func Open(c *campaign.Campaign, version string, say func(string)) (*Cluster, error) {
	cfg, err := ReadConfig(c)
	if err != nil {
		return nil, err
	}
	return &Cluster{c, cfg, version, say}, nil
}

func (cl *Cluster) path(parts ...string) string {
	return filepath.Join(append([]string{cl.Campaign.Dir, "cluster"}, parts...)...)
}

// survey is what is known at one time.
type survey struct {
	open   map[string]int    // runs that are left of each model that has some
	homes  map[string]string // name of the computer that each begun model is pinned to
	inside map[string]string // processor of each computer that has worked, by its short name
	placed map[string]Placed
	jobs   []Queued
	known  map[string]*Job // of the queue, by key; nil where nobody has written it
}

func (cl *Cluster) survey(ctx context.Context) (*survey, error) {
	s := &survey{known: map[string]*Job{}}
	var err error
	// The queue first: a job that ends meanwhile leaves nothing open.
	if s.jobs, err = queue(ctx, cl.prefix()); err != nil {
		return nil, err
	}
	for _, j := range s.jobs {
		if s.known[j.Key], err = cl.readJob(j.Key); err != nil {
			return nil, err
		}
	}
	if s.placed, err = cl.readPlaced(); err != nil {
		return nil, err
	}
	log, err := cl.Campaign.Read(ctx)
	if err != nil {
		return nil, err
	}
	s.open, s.homes, s.inside = log.Open(), log.Homes(), map[string]string{}
	for _, w := range log.Workers {
		s.inside[short(w.Host)] = w.Machine.Processor
	}
	return s, nil
}

// has reports whether a job in the queue does the model where it is now.
func (s *survey) has(p Placed) bool {
	return slices.ContainsFunc(s.jobs, func(j Queued) bool {
		b := s.known[j.Key]
		return b != nil && !j.ending() && b.has(p)
	})
}

// lacking returns jobs of the models that have runs left and no job.
func (cl *Cluster) lacking(s *survey) (list []*Job) {
	of := map[string][]Placed{}
	for _, model := range cl.Campaign.Plan.Units() {
		if p, ok := s.placed[model]; ok && s.open[model] > 0 && !s.has(p) {
			of[p.Host] = append(of[p.Host], p)
		}
	}
	for _, host := range cl.Config.Hosts {
		models := of[host]
		most := cl.Config.Models
		if most == 0 {
			most = max(1, len(models))
		}
		for part := range slices.Chunk(models, most) {
			list = append(list, cl.newJob(host, part))
		}
	}
	return list
}

// Submit gives every model a host, and every host jobs for what it has left. It may be
// called at any time, by several people: what is in the queue already is not submitted
// again.
//
// History are campaigns and files of results, by which the models are spread that have no
// host yet.
func (cl *Cluster) Submit(ctx context.Context, history []string) error {
	unlock, err := cl.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return cl.submit(ctx, history)
}

// lock keeps others from submitting at the same time. Two that do so anyhow, where the
// file system knows no locks, do no harm.
func (cl *Cluster) lock(ctx context.Context) (unlock func(), err error) {
	for _, dir := range []string{"logs", "jobs", "placed"} {
		if err := os.MkdirAll(cl.path(dir), 0o755); err != nil {
			return nil, err
		}
	}
	f, err := campaign.Lock(ctx, cl.path(".lock"))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil {
		cl.Say("note: the campaign's directory cannot be locked (" + err.Error() + "): let one person submit at a time, or there will be jobs that find nothing to do")
		return func() {}, nil
	}
	return func() { f.Close() }, nil
}

func (cl *Cluster) submit(ctx context.Context, history []string) error {
	s, err := cl.survey(ctx)
	if err != nil {
		return err
	}
	if err := cl.place(ctx, s, history); err != nil {
		return err
	}
	submitted := false
	for range rounds {
		jobs := cl.lacking(s)
		if len(jobs) == 0 {
			cl.tell(s, submitted)
			return nil
		}
		for _, b := range jobs {
			if err := cl.enqueue(ctx, b); err != nil {
				return err
			}
		}
		submitted = true
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(cl.Config.settle):
		}
		if s, err = cl.survey(ctx); err != nil {
			return err
		}
	}
	if jobs := cl.lacking(s); len(jobs) > 0 {
		return &LostError{jobs, cl.path("logs")}
	}
	cl.tell(s, submitted)
	return nil
}

// tell says what the queue holds.
func (cl *Cluster) tell(s *survey, submitted bool) {
	left := 0
	for _, n := range s.open {
		left += n
	}
	switch {
	case left == 0:
		cl.Say("all runs are done")
	case submitted:
		cl.Say(fmt.Sprintf("%s for %s in the queue", wording.Count(len(s.jobs), "job is", "jobs are"), wording.Count(left, "run", "runs")))
	default:
		cl.Say(fmt.Sprintf("nothing to submit: %s in the queue already, for %s", wording.Count(len(s.jobs), "job is", "jobs are"), wording.Count(left, "run", "runs")))
	}
}

func (cl *Cluster) enqueue(ctx context.Context, b *Job) error {
	if err := cl.writeJob(b); err != nil {
		return err
	}
	logs := filepath.Join(cl.Config.Campaign, "cluster", "logs")
	if _, err := call(ctx, cl.Config.script(b), "sbatch", cl.Config.sbatch(b, logs)...); err != nil {
		return err
	}
	cl.Say(fmt.Sprintf("host %s: submitted %s", b.Host, wording.Count(len(b.Models), "model", "models")))
	return nil
}

// place gives the models that have no host one, longest first by what the history
// says of their runs (E-5.1).
func (cl *Cluster) place(ctx context.Context, s *survey, history []string) error {
	seen, err := hosts(ctx, cl.Config.Partition, cl.Config.Hosts)
	if err != nil {
		return err
	}
	var list []placement.Host
	for _, h := range cl.Config.Hosts {
		list = append(list, placement.Host{Name: h, Slots: max(1, cl.Config.Slots), Class: cl.Config.Classes[h], Hardware: seen[h].hardware()})
	}
	units, err := forecast.Units(ctx, &cl.Campaign.Plan, history, cl.Say)
	if err != nil {
		return err
	}
	for i, u := range units {
		units[i].Host = s.placed[u.Name].Host
	}
	p, err := placement.Place(list, units, cl.Campaign.Plan.Seed)
	if err != nil {
		return &RequestError{err.Error() + "; the hosts stand in " + filepath.Join(cl.Campaign.Dir, ConfigFile) + ", and `podium cluster move` moves a model"}
	}
	for _, u := range units {
		if u.Host != "" {
			continue
		}
		host, _ := p.HostOf(u.Name)
		if err := cl.writePlaced(Placed{u.Name, 1, host, time.Now().UTC()}); err != nil {
			return err
		}
	}
	s.placed, err = cl.readPlaced()
	return err
}

// Cancel ends all jobs of the campaign. What they have done is kept.
func (cl *Cluster) Cancel(ctx context.Context) error {
	unlock, err := cl.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	n, err := cl.cancel(ctx, func(string) (bool, error) { return true, nil })
	if err == nil {
		cl.Say(wording.Count(n, "job was cancelled", "jobs were cancelled") + "; `podium cluster submit` goes on")
	}
	return err
}

// cancel ends jobs by their keys, and waits until they are out of the queue. It returns
// the number of jobs.
func (cl *Cluster) cancel(ctx context.Context, which func(key string) (bool, error)) (n int, err error) {
	for end := time.Now().Add(5 * callTime); ; {
		jobs, err := queue(ctx, cl.prefix())
		if err != nil {
			return n, err
		}
		left := 0
		for _, j := range jobs {
			if chosen, err := which(j.Key); err != nil {
				return n, err
			} else if !chosen || j.ending() || !keyText.MatchString(j.Key) {
				continue
			}
			left++
			if _, err := call(ctx, "", "scancel", "--name="+j.Key); err != nil {
				return n, err
			}
		}
		if n = max(n, left); left == 0 {
			return n, nil
		}
		if time.Now().After(end) {
			return n, &SlurmError{"scancel", wording.Count(left, "job is", "jobs are") + " in the queue still", errors.New("it had no effect")}
		}
		select {
		case <-ctx.Done():
			return n, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// Move puts a model on another host, where all its runs are done again; those that
// were made before are kept and no longer count. Jobs that work on the model are
// cancelled, and their other models are submitted again.
func (cl *Cluster) Move(ctx context.Context, model, host string) error {
	if !slices.Contains(cl.Campaign.Plan.Units(), model) {
		return &RequestError{fmt.Sprintf("the campaign has no model %q%s", model, diagnostic.Instead(model, cl.Campaign.Plan.Units()))}
	}
	if !slices.Contains(cl.Config.Hosts, host) {
		return &RequestError{fmt.Sprintf("%s does not name host %q: add it there first%s", ConfigFile, host, diagnostic.Instead(host, cl.Config.Hosts))}
	}
	unlock, err := cl.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	placed, err := cl.readPlaced()
	if err != nil {
		return err
	}
	before, begun := placed[model]
	if a, b := cl.Config.Classes[before.Host], cl.Config.Classes[host]; begun && a != b && a != "" {
		return &RequestError{fmt.Sprintf("model %s belongs to the hosts of class %s, and host %s is of class %s", model, a, host, b)}
	}
	if before.Host != host {
		if err := cl.writePlaced(Placed{model, before.Number + 1, host, time.Now().UTC()}); err != nil {
			return err
		}
	}
	if _, err := cl.cancel(ctx, func(key string) (bool, error) {
		b, err := cl.readJob(key)
		return b != nil && slices.ContainsFunc(b.Models, func(p Placed) bool { return p.Model == model }), err
	}); err != nil {
		return err
	}
	if begun {
		if err := cl.Campaign.Revoke(ctx, model, cl.Version); err != nil {
			return err
		}
	}
	return cl.submit(ctx, nil)
}
