package cmd

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// reread reads the stored outputs of runs again. With take the new answers are recorded.
func (s *streams) reread(ctx context.Context, c *campaign.Campaign, only string, take bool) error {
	log, err := c.Read(ctx)
	if err != nil {
		return err
	}
	s.sayAll(log.Damage)
	is, err := chosen(c, only, log)
	if err != nil {
		return err
	}
	changes, read, unread, err := log.Reread(ctx, Version(), is, replayRun)
	if err != nil {
		return err
	}
	if s.asJSON {
		err = s.reply(rereadOf(changes, read, take && len(changes) > 0))
	} else {
		err = campaign.WriteChanges(s.out, changes, read)
	}
	if err != nil {
		return err
	}
	runs := wording.Count(len(changes), "run", "runs")
	switch {
	case len(changes) == 0:
	case !take:
		fmt.Fprintf(s.err, "nothing is written: --take records the new answers of %s\n", runs)
	default:
		defer s.upkeep.hold()()
		if err := c.TakeReadings(ctx, Version(), changes); err != nil {
			return err
		}
		fmt.Fprintf(s.err, "the new answers of %s count; `podium publish %s` writes the pages again\n", runs, c.Dir)
	}
	return s.unread(unread)
}

// unread says which packs have outputs that could not be read.
func (s *streams) unread(list diagnostic.List) error {
	if len(list) == 0 {
		return nil
	}
	s.sayAll(list)
	return incompleteError{"outputs of " + wording.Count(len(list), "pack", "packs") + " cannot be read, and are left out"}
}

// rereadOf returns what is read otherwise as a document.
func rereadOf(changes []campaign.Change, read campaign.ByExam, take bool) rereadReply {
	document := rereadReply{Exams: []rereadExam{}, Changes: []rereadRun{}, Written: take}
	otherwise := map[examinations.ID]int{}
	for i := range changes {
		run := changes[i].Before.Run
		otherwise[run.Exam]++
		document.Changes = append(document.Changes, rereadRun{run.Tool, run.Instance, string(run.Exam), changes[i].Lines()})
	}
	for _, exam := range slices.Sorted(maps.Keys(read)) {
		document.Exams = append(document.Exams, rereadExam{string(exam), read[exam], otherwise[exam]})
	}
	return document
}
