package cluster

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Status is a campaign on its hosts at one time.
type Status struct {
	Hosts    []HostStatus `json:"hosts"`
	Problems []Problem    `json:"problems"`
}

// HostStatus is a host with its share of the campaign.
type HostStatus struct {
	Host
	Jobs       []Queued `json:"jobs"`
	Models     int      `json:"models"`      // that are placed here
	ModelsLeft int      `json:"models_left"` // of them those that have runs left
	Runs       int      `json:"runs"`
	RunsLeft   int      `json:"runs_left"`
}

// Problem is what keeps a campaign from going on, and what to do about it.
type Problem struct {
	What string `json:"problem"`
	Next string `json:"next"`
}

// Status asks Slurm and the journals. A problem is no error.
func (cl *Cluster) Status(ctx context.Context) (*Status, error) {
	s, err := cl.survey(ctx)
	if err != nil {
		return nil, err
	}
	seen, err := hosts(ctx, cl.Config.Partition, cl.Config.Hosts)
	if err != nil {
		return nil, err
	}
	st := &Status{}
	for _, name := range cl.Config.Hosts {
		h := HostStatus{Host: seen[name]}
		if h.Host.Name = name; h.State == "" {
			h.State = "unknown"
		}
		for _, j := range s.jobs {
			if j.Host == name {
				h.Jobs = append(h.Jobs, j)
			}
		}
		for _, model := range cl.Campaign.Plan.Units() {
			if s.placed[model].Host != name {
				continue
			}
			h.Models++
			for range cl.Campaign.Plan.RunsOf(model) {
				h.Runs++
			}
			if n := s.open[model]; n > 0 {
				h.ModelsLeft++
				h.RunsLeft += n
			}
		}
		st.Hosts = append(st.Hosts, h)
	}
	st.Problems = append(cl.hostProblems(st), cl.workProblems(s)...)
	return st, nil
}

// problems are found one after the other.
type problems []Problem

func (p *problems) add(what, next string, args ...any) {
	*p = append(*p, Problem{fmt.Sprintf(what, args...), next})
}

// hostProblems looks at the hosts and at the jobs that wait for them.
func (cl *Cluster) hostProblems(st *Status) []Problem {
	var found problems
	memory, _ := cl.Config.memory()
	if d := cl.Config.Driver; d != "" && d != cl.Campaign.Plan.Driver {
		found.add("cluster.yaml says driver %s, and the campaign was planned for %s", "correct cluster.yaml, or plan a campaign for the other driver", d, cl.Campaign.Plan.Driver)
	}
	for i := range st.Hosts {
		h := &st.Hosts[i]
		switch {
		case h.State == "unknown":
			found.add("Slurm has no host %s in the partition", "compare cluster.yaml with `sinfo`", h.Host.Name)
			continue
		case !h.up():
			found.add("host %s is %s (%s)", "when it is well again, an administrator says `scontrol update nodename="+h.Host.Name+" state=resume`; else move its models with `podium cluster move`", h.Host.Name, h.State, diagnostic.Printable(h.Reason))
		}
		if h.Cores < cl.Config.Cores {
			found.add("host %s has %d cores in Slurm, and cluster.yaml says %d", "correct cores in cluster.yaml", h.Host.Name, h.Cores, cl.Config.Cores)
		}
		if h.Memory < memory {
			found.add("host %s has %d bytes of memory in Slurm, and cluster.yaml says %d", "correct memory in cluster.yaml", h.Host.Name, h.Memory, memory)
		}
		keys := map[string]bool{}
		for _, j := range h.Jobs {
			if keys[j.Key] {
				found.add("job %s for host %s is in the queue twice; it does no harm", "wait, or scancel one of the two", j.ID, h.Host.Name)
			}
			keys[j.Key] = true
			if strings.Contains(strings.ToLower(j.Reason), "held") || strings.Contains(j.Reason, "BadConstraints") || strings.Contains(j.Reason, "Invalid") {
				found.add("job %s for host %s waits for a person (%s)", "scontrol release it, or `podium cluster cancel` and submit again", j.ID, h.Host.Name, diagnostic.Printable(j.Reason))
			}
		}
	}
	return found
}

// workProblems looks at the models.
func (cl *Cluster) workProblems(s *survey) []Problem {
	var found problems
	if n := len(cl.Campaign.Plan.Units()) - len(s.placed); n > 0 {
		found.add("%s no host yet", "`podium cluster submit` gives every model one", wording.Count(n, "model has", "models have"))
	}
	first := map[string]string{} // of each class: the first host that has worked
	for _, h := range cl.Config.Hosts {
		class, processor := cl.Config.Classes[h], s.inside[short(h)]
		switch other := first[class]; {
		case processor == "":
		case other == "":
			first[class] = h
		case s.inside[short(other)] != processor:
			found.add("hosts %s (%s) and %s (%s) have different processors", "give them different classes in cluster.yaml: times on them do not compare", other, s.inside[short(other)], h, processor)
		}
	}
	lost := 0
	for _, model := range cl.Campaign.Plan.Units() {
		p, ok := s.placed[model]
		if !ok || s.open[model] == 0 {
			continue
		}
		if !slices.Contains(cl.Config.Hosts, p.Host) {
			found.add("model %s is on host %s, which cluster.yaml does not name", "name the host, or move the model with `podium cluster move`", model, p.Host)
		} else if !s.has(p) {
			lost++
		}
		if home := s.homes[model]; home != "" && p.Number == 1 && short(home) != short(p.Host) {
			found.add("model %s is placed on host %s and was begun on computer %s", "`podium cluster move` does it again on the host of your choice; ignore this where the two are one computer", model, p.Host, home)
		}
	}
	if lost > 0 {
		found.add("%s runs left and no job", "`podium cluster submit`", wording.Count(lost, "model has", "models have"))
	}
	for _, j := range s.jobs {
		if s.known[j.Key] == nil {
			found.add("job %s is not known to this campaign", "see what it is with scontrol show job", j.ID)
		}
	}
	return found
}

// short is a name of a host without its domain.
func short(host string) string {
	name, _, _ := strings.Cut(host, ".")
	return name
}

// Write prints a line for each host, and how many problems there are.
func (st *Status) Write(w io.Writer) error {
	t := wording.Table(w)
	fmt.Fprintln(t, "host\tin Slurm\tjob\tmodels done\truns done")
	for _, h := range st.Hosts {
		var jobs []string
		for _, j := range h.Jobs {
			jobs = append(jobs, j.ID+" "+j.State)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d/%d\t%d/%d\n", h.Host.Name, diagnostic.Printable(h.State), cmp.Or(strings.Join(jobs, ", "), "-"), h.Models-h.ModelsLeft, h.Models, h.Runs-h.RunsLeft, h.Runs)
	}
	if n := len(st.Problems); n > 0 {
		fmt.Fprintf(t, "\n%s: `podium cluster doctor` says which, and what to do\n", wording.Count(n, "problem", "problems"))
	}
	return t.Flush()
}

// WriteProblems prints each problem with the next step.
func (st *Status) WriteProblems(w io.Writer) error {
	if len(st.Problems) == 0 {
		_, err := fmt.Fprintf(w, "%s: Slurm knows all, all are up, and every model with runs left has a job\n", wording.Count(len(st.Hosts), "host", "hosts"))
		return err
	}
	for _, p := range st.Problems {
		if _, err := fmt.Fprintf(w, "%s; next: %s\n", p.What, p.Next); err != nil {
			return err
		}
	}
	return nil
}
