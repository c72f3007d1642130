package ask

import (
	"slices"

	"podium/internal/publish/paths"
	"podium/scoring"
)

// Pages are the pages of a site, from its root, by the names of what they show.
type Pages struct {
	Tools        map[string]string `json:"tools"`
	Models       map[string]string `json:"models"`
	Instances    map[string]string `json:"instances"`
	Examinations map[string]string `json:"examinations"`
	Categories   map[string]string `json:"categories"`
}

// Pages returns the pages that a site has of the contest as it was judged.
func (s *Session) Pages() Pages {
	p := Pages{map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
	for name, file := range s.toolFiles() {
		p.Tools[name] = paths.Tool(file)
	}
	for name, file := range s.instanceFiles() {
		p.Instances[name] = paths.Instance(file)
	}
	instances := s.sortedInstances()
	for name, file := range filesOf(distinct(instances, func(i *scoring.Instance) string { return i.ID.Family })) {
		p.Models[name] = paths.Model(file)
	}
	for i := range s.contest.Exams {
		p.Examinations[string(s.contest.Exams[i].ID)] = paths.Examination(string(s.contest.Exams[i].ID))
	}
	for _, b := range boards(s.official) {
		p.Categories[b.Category] = paths.Category(b.Category)
	}
	return p
}

func (s *Session) toolFiles() map[string]string { return filesOf(slices.Sorted(ToolNames(s.contest))) }

func (s *Session) instanceFiles() map[string]string {
	return filesOf(slices.Collect(Each(s.sortedInstances(), func(i *scoring.Instance) string { return i.Name })))
}

func (s *Session) sortedInstances() []scoring.Instance {
	instances := slices.Clone(s.contest.Instances)
	slices.SortStableFunc(instances, func(a, b scoring.Instance) int { return a.ID.Compare(b.ID) })
	return instances
}

// filesOf names files as a site does, by names in its order.
func filesOf(names []string) map[string]string {
	files := make(map[string]string, len(names))
	for i, file := range paths.Names(names) {
		files[names[i]] = file
	}
	return files
}
