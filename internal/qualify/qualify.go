package qualify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/planning"
	"podium/internal/tools"
	"podium/internal/trial"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Plan says what tools are tried on.
type Plan struct {
	Dir      string           // of campaigns, certificate and reports
	Campaign planning.Options // edition, driver and limits; its tools and models are set here
	Known    *oracle.Known    // nil: none

	// Run does the runs of a campaign, and Certify decides values of instances and keeps
	// them in a directory.
	Run     func(*campaign.Campaign) (*campaign.Log, error)
	Certify func(instances []string, dir string) error
}

// certified is where the values of the referee are kept.
const certified = "certified"

// Do tries each submission that can be opened on the instances, in a campaign of its
// own, and reports on all. What was run before with the same files is not run again.
func (p Plan) Do(ctx context.Context, list []Submission, instances []models.Instance) (*Report, error) {
	paths, by := []string{}, map[string]string{}
	for _, i := range instances {
		paths, by[i.ID.String()] = append(paths, i.Path), i.Path
	}
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		return nil, err
	}
	proofs := filepath.Join(p.Dir, certified)
	if err := p.Certify(paths, proofs); err != nil {
		return nil, err
	}
	certificate, err := judged.OpenCertificate(proofs, p.Campaign.Say)
	if err != nil {
		return nil, err
	}
	report := &Report{Format: Format}
	for k := range list {
		s := &list[k]
		if !s.opens() {
			report.Tools = append(report.Tools, unopened(s))
			continue
		}
		if err := s.noteNames(instances); err != nil {
			return nil, err
		}
		c, err := p.campaign(ctx, s, instances)
		if idle := (*planning.IdleError)(nil); errors.As(err, &idle) {
			err = diagnostic.List{{File: filepath.Join(s.Dir, tools.ManifestFile), Code: "submission-no-part", Message: "the tool takes part in none of these examinations and nets",
				Hint: "name others, or run it everywhere with --all"}}
		}
		if err != nil && strings.Contains(err.Error(), s.Dir+string(filepath.Separator)) { // a file of the tool
			s.refuse(err)
			report.Tools = append(report.Tools, unopened(s))
			continue
		} else if err != nil {
			return nil, err
		}
		report.Edition = c.Plan.Edition
		log, err := p.Run(c)
		if err != nil {
			return nil, err
		}
		ed, err := judged.EditionOf(c, "")
		if err != nil {
			return nil, err
		}
		t, err := (&tried{s, c, log, by, trial.Known{Oracle: p.Known, Proved: certificate.Values}, ed.Qualification}).judge(ctx)
		if err != nil {
			return nil, err
		}
		report.Tools = append(report.Tools, t)
	}
	return report, nil
}

// campaign makes the campaign of one tool.
func (p Plan) campaign(ctx context.Context, s *Submission, instances []models.Instance) (*campaign.Campaign, error) {
	o := p.Campaign
	o.Name = "Qualification of " + s.Name
	return o.PrepareOne(ctx, filepath.Join(p.Dir, "runs"), s.Tool, instances)
}
