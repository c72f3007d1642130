package publish

import (
	"math/big"
	"slices"
	"time"

	"podium/edition"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/netpicture"
	"podium/models"
	"podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/whatif"
)

// Contest is a judged contest with what its pages say beside its runs and values. Slices may
// have any order unless their comment says that the order is kept. Write changes nothing in it.
type Contest struct {
	Judged *judged.Contest // nil of pages that show no contest

	Title     string // "Model Checking Contest 2016"
	Edition   Edition
	ForRecord bool      // false for a rehearsal: the site says so on every page
	FromFiles bool      // read from files of results, which do not say whether they are a record
	Started   time.Time // of the first run; zero when nothing ran
	Finished  time.Time // of the last run
	Version   string    // of the program that ran, judged and published
	Digests   []Named   // digests of what went in (plan, edition, ...), in this order
	Licence   string    // of the data, an address or a name; empty when nobody has said it
	Facts     []Named   // conditions worth a line: driver, limits, seed, ..., in this order
	Machines  []Machine // the machines that ran it
	Drift     []Drift   // how fast the computers were over time, where somebody looked

	Tools        []Tool
	Instances    []Instance
	Examinations []Examination // order kept: it is the order of pages and columns
	Categories   []Category    // order kept
	Earlier      []Earlier     // editions to compare with, in the order of columns

	RefereeFacts []Named  // what the referee did, in this order
	Warnings     []string // sentences about the contest as a whole that must travel with its results

	Program *Program // what makes pages compute; nil: they do not
	Answers []byte   // what the program answers questions from, as internal/ask writes it; empty: no page asks

	onlyRuns  bool                      // values without runs are left out
	team      *team                     // whose tools alone are shown; nil in the contest itself
	runs      []run                     // by sheet, then tool
	optedOut  int                       // runs that are left out, because their tools opt out of the categories
	doubts    map[int][]explain.Warning // by value: what travels with it
	doubtful  map[int][]int             // by value: numbers of doubtKinds, ascending
	questions map[int]question          // by value that is disputed or doubtful: its formula
	sense     *whatif.Sensitivity       // what nearly turned a podium; nil where nobody looked
	points    ratios
}

// Team is the team for whose eyes the pages are, empty in the contest itself.
func (c *Contest) Team() string {
	if c.team == nil {
		return ""
	}
	return c.team.name
}

// Refereed reports whether a referee has proved what it could: every reference has a ruling
// then.
func (c *Contest) Refereed() bool { return c.Judged != nil && c.Judged.Proofs != nil }

// Consistent is the number of consistent values (|V| of E-2.2); 0 where nobody votes.
func (c *Contest) Consistent() int {
	if c.Judged.Result.Scheme.Elect == nil || len(c.Judged.Result.Shares) == 0 {
		return 0
	}
	return c.Judged.Result.Shares[0].Consistent
}

// emulated reports whether processors of some machines were emulated in software.
func (c *Contest) emulated() bool {
	return slices.ContainsFunc(c.Machines, func(m Machine) bool { return m.Emulated })
}

// Named is a fact: a name and a text.
type Named = judged.Named

// Edition is the rule set that judged, with what is said of it.
type Edition struct {
	edition.Edition
	Rules  []edition.Words // quoted where points and references cite their numbers: of several of one number, the first
	Asked  []Named         // the examinations, with their categories and values
	Limits []Named         // of runs, by kind of tool
}

// Machine is a physical machine that ran tools.
type Machine struct {
	Name string
	campaign.Machine
	Emulated bool // some of its virtual machines had processors that are emulated in software
}

// ToolKind says how a tool uses the cores it is given (E-5.2, E-5.3).
type ToolKind string

// The two kinds of tools.
const (
	Sequential ToolKind = "sequential"
	Concurrent ToolKind = "concurrent"
)

// Tool is a submitted program. Its name is unique among the tools.
type Tool struct {
	scoring.Tool
	Version    string
	Digest     string
	Kind       ToolKind
	About      string // one sentence
	Authors    string
	Home       string // a web address, as its authors wrote it
	Licence    string
	Archive    string   // where others get this version: an address or a DOI
	Techniques []string // that its authors declare
}

// Instance is one net of the contest.
type Instance struct {
	ID     models.ID
	Class  models.Class
	Digest string
	Facts  []Named  // number of places, transitions, ..., in this order
	Record []Named  // what its submitters say of the model, in this order
	Form   []string // structural properties that hold
	// FormKnown: the structure was looked at; FormUnknown are the properties that it did not decide.
	FormKnown   bool
	FormUnknown []string
	// Property is what is asked of a task (SV-COMP); empty for a net, and where it is not known.
	Property string
	Net      *netpicture.Picture // to be drawn; nil where it is large or not known
}

// Examination is an examination and the category it is ranked in.
type Examination = scoring.Examination

// Category is a category or meta category with its ranking.
type Category struct {
	scoring.Board
	Of      []string            // of a meta category: the categories, or meta categories, that it is made of
	Weights map[string]*big.Rat // of a meta category: by what factor the points of each category count
	Most    *big.Rat            // the maximal score, of tasks; nil in a contest on nets
	Efforts [][2]scoring.Effort // on tasks, by tool: of answers TRUE and FALSE; nil in a contest on nets
}
