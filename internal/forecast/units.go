package forecast

import (
	"context"

	"podium/internal/campaign"
	"podium/internal/placement"
	"podium/models"
)

// Units returns what the plan pins to hosts, models mostly, by name, with the time that each of their runs is
// expected to take, in microseconds, from campaigns and files of results. Where these
// know no time, all runs are taken to be equally long. Say takes warnings.
func Units(ctx context.Context, plan *campaign.Plan, history []string, say func(string)) ([]placement.Unit, error) {
	h := NewHistory()
	for _, path := range history {
		if _, err := h.read(ctx, path, say); err != nil {
			return nil, err
		}
	}
	units := unitsOf(plan, h)
	if plan.PinInstances {
		for i := range units {
			units[i].Model = models.ParseAnyID(units[i].Name).Family
		}
	}
	return units, nil
}

func unitsOf(plan *campaign.Plan, h *History) (units []placement.Unit) {
	e := newEstimate(plan, h, nil)
	if h.Len() > 0 {
		return e.units(e.prices(e.classes))
	}
	for m, name := range e.names {
		units = append(units, placement.Unit{Name: name, Runs: make([]int64, len(e.tasks[m]))})
		for i := range units[m].Runs {
			units[m].Runs[i] = 1
		}
	}
	return units
}
