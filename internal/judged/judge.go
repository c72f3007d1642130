package judged

import (
	"context"
	"fmt"
	"sync"
	"time"

	"podium/edition"
	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/registration"
	"podium/scoring"
)

// Options say how a campaign is judged. With the zero value it is judged as it
// was planned.
type Options struct {
	Edition     string // id of an edition or the path of one; empty: the campaign's own
	Certificate string // where the certificate is; empty: the campaign's own, if it has one

	WithoutEmbargoed bool      // leave out models that may not be named yet (M-6)
	Now              time.Time // the moment that decides what may be named

	// Brief drops what runs answered after it is scored, which is most of the memory: enough
	// to print a podium.
	Brief bool

	// Say receives remarks for the person: damage of the journal, proofs that are
	// left aside. Nil drops them.
	Say func(remark string)
}

func (o *Options) say(remark string) {
	if o.Say != nil {
		o.Say(remark)
	}
}

// Campaign is a campaign that is judged.
type Campaign struct {
	Contest
	Campaign *campaign.Campaign // as it is shown
	Log      *campaign.Log
	Journal  string // digest of what the log was made from
	Shown    *Shown
	// Validation of the witnesses of a competition on tasks; nil where none was planned.
	Validation *Validation

	Records map[string]registration.Record // what submitters say of models, by name

	before  *scoring.Contest            // without decisions
	index   sync.Once                   // of workers
	workers map[string]*campaign.Opened // by name; see worker
	unread  campaign.Unread
}

// Sources are the plans, the journal and the decisions that the campaign is judged from, with their
// digests.
func (j *Campaign) Sources() (list []Named) {
	for _, p := range j.Campaign.Plans {
		list = append(list, Named{Name: p.File, Text: p.Digest})
	}
	list = append(list, Named{Name: "journal", Text: j.Journal})
	if j.Validation != nil {
		list = append(list, Named{Name: "validation", Text: j.Validation.Digest})
	}
	if j.Decided.Digest != "" {
		list = append(list, Named{Name: "decisions", Text: j.Decided.Digest})
	}
	return list
}

// Judge reads the journal of a campaign and scores its runs, under the decisions
// that were taken on it. Errors are those
// of reading, a *NameError for an unknown edition, and a *campaign.ChangedError
// for an edition that is no longer the one the campaign was planned with.
func Judge(ctx context.Context, c *campaign.Campaign, o Options) (*Campaign, error) {
	if err := onlyValidation(c); err != nil {
		return nil, err
	}
	ed, err := EditionOf(c, o.Edition)
	if err != nil {
		return nil, err
	}
	shown := &Shown{whole: c}
	if o.WithoutEmbargoed {
		shown = Public(c, o.Now)
	}
	log, err := c.Read(ctx)
	if err != nil {
		return nil, err
	}
	journal, err := log.Digest()
	if err != nil {
		return nil, err
	}
	for _, d := range log.Damage {
		o.say(d.Error())
	}
	for _, t := range c.Unconfirmed {
		o.say(fmt.Sprintf("note: %s counts for itself: its manifest says that it is of the family %s, which nobody confirmed; `podium extend %s --family %[2]s=TOOL,%[1]s` does so", t.Name, t.Family, c.Dir))
	}
	proofs, err := certificateOf(c, o.Certificate, o.say)
	if err != nil {
		return nil, err
	}
	shown.log(log)
	proofs = shown.proofs(proofs).withWitnesses(log)
	validation, err := validationOf(ctx, c, ed)
	if err != nil {
		return nil, err
	}
	if validation != nil {
		validation.apply(c, log, ed)
	}
	contest, err := undecided(shown.Campaign(), log, ed, proofs)
	if err != nil {
		return nil, err
	}
	if o.Brief {
		log.DropAnswers()
	}
	decided, err := decisions.Read(c.Dir)
	if err != nil {
		return nil, err
	}
	decided = shown.decided(decided)
	records, err := registration.Kept(c.Dir)
	if err != nil {
		return nil, err
	}
	result := ed.Score(decided.Apply(contest))
	j := &Campaign{Contest: Contest{Result: result, Edition: ed, Proofs: proofs, Decided: decided}, Campaign: shown.Campaign(), Log: log, Journal: journal, Shown: shown, Validation: validation,
		Records: records, before: contest}
	j.Facts = j
	return j, ctx.Err()
}

// undecided makes the contest of a log, without decisions but those that the log heeds.
func undecided(c *campaign.Campaign, log *campaign.Log, ed *edition.Edition, proofs *Certificate) (*scoring.Contest, error) {
	contest, err := FromJournal(c, log, ed)
	if err != nil {
		return nil, err
	}
	if proofs != nil {
		contest = contest.WithCertified(proofs.Values)
	}
	return contest, nil
}
