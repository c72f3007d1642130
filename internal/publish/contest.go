package publish

import (
	"io"
	"iter"
	"math/big"
	"slices"
	"time"

	"podium/examinations"
	"podium/internal/netpicture"
	"podium/models"
)

// Contest is a scored contest in the form that is shown. Slices may have any
// order unless their comment says that the order is kept. Write changes nothing
// in it.
//
// Durations are as measured (microseconds or finer), sizes are bytes, points
// and weights are exact; they are rounded only where they are printed.
type Contest struct {
	Title     string // "Model Checking Contest 2016"
	Team      string // whose tools alone are shown, see ForTeam; empty in the contest itself
	Edition   Edition
	ForRecord bool      // false for a rehearsal: the site says so on every page
	OptedOut  int       // runs that are left out, because their tools opt out of the categories
	FromFiles bool      // read from files of results, which do not say whether they are a record
	Started   time.Time // of the first run; zero when nothing ran
	Finished  time.Time // of the last run
	Version   string    // of the program that ran, judged and published
	Digests   []Named   // digests of what went in (plan, edition, ...), in this order
	Facts     []Named   // conditions worth a line: driver, limits, seed, ..., in this order
	Machines  []Machine // the machines that ran it
	Drift     []Drift   // how fast the computers were over time, where somebody looked

	Tools        []Tool
	Instances    []Instance
	Examinations []Examination // order kept: it is the order of pages and columns
	Categories   []Category    // order kept
	Earlier      []Earlier     // editions to compare with, in the order of columns

	Runs        []Run
	Confidences []Confidence
	Consistent  int // number of consistent values, |V| of E-2.2
	References  []Reference
	// Refereed tells that a referee has proved what it could: every reference
	// has a ruling then. The facts say by which means.
	Refereed     bool
	RefereeFacts []Named    // in this order
	Efforts      []Effort   // on all tasks, as those of a category
	Decisions    []Decision // in the order in which they were taken
	Warnings     []string   // sentences about the contest as a whole that must travel with its results

	Program *Program // what makes pages compute; nil: they do not
	Answers []byte   // what the program answers questions from, as internal/ask writes it; empty: no page asks
}

// emulated tells that processors of some machines were emulated in software.
func (c *Contest) emulated() bool {
	return slices.ContainsFunc(c.Machines, func(m Machine) bool { return m.Emulated })
}

// Named is a fact: a name and a text.
type Named struct{ Name, Text string }

// Edition is the rule set that judged.
type Edition struct {
	ID      string
	Title   string
	Digest  string
	Sources []string // addresses of the rules as published
	Rules   []Rule   // order kept
	// BestVariant: only the best variant of a tool takes a place (E-4.5).
	BestVariant bool

	Asked    []Named  // the examinations, with their categories and values
	Limits   []Named  // of runs, by kind of tool
	Known    []string // what sources state of a year whose rules could not be read: one sentence each
	Inferred []string // what no source states
	Unknown  []string // facts that were looked for and not found
}

// Rule is a rule in words, quoted where points and references cite its number. A number may
// stand under several titles: the first is what they cite.
type Rule struct {
	ID    string // its number; may be empty
	Title string // what it is about
	Text  string
}

// Machine is a physical machine that ran tools.
type Machine struct {
	Name      string
	System    string // kernel and distribution
	Processor string
	Cores     int
	Memory    int64 // bytes
	Emulated  bool  // some of its virtual machines had processors that are emulated in software
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
	Name             string
	Family, Variant  string // tools of one family are variants of each other (E-4.5); Variant may be empty
	Version          string
	Digest           string
	Kind             ToolKind
	About            string // one sentence
	Authors          string
	Home             string // a web address, as its authors wrote it
	Licence          string
	Techniques       []string // that its authors declare
	OutOfCompetition bool     // is scored and votes, takes no place on a podium
	OptOut           []string // categories in which it shows no results, nor runs (SV-COMP)
	FirstTime        bool     // takes part for the first time, where the edition says so (SV-COMP)
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
type Examination struct {
	ID       examinations.ID
	Category string
	Task     bool // a category of tasks (SV-COMP), and no examination of nets
}

// Category is a group of examinations that is ranked (E-4.5).
type Category struct {
	Name      string
	Of        []string            // of a meta category: the categories, or meta categories, that it is made of
	Weights   map[string]*big.Rat // of a meta category: by what factor the points of each category count
	Most      *big.Rat            // the maximal score, of tasks; nil in a contest on nets
	Demo      bool                // a demonstration: shown, and not scored
	Standings []Standing
	Rankings  []Ranking // that the edition names besides, in this order
	Efforts   []Effort  // on tasks: of each tool for TRUE and for FALSE, in this order; nil in a contest on nets
	Margins   []Margin  // neighbours on the podium, closest first
	Without   []Without // who would stand higher without another tool's answers
}

// Effort is what a tool's answers of one kind, TRUE or FALSE, are worth, and what they took.
type Effort struct {
	Tool, Answer           string
	Right, Wrong           int
	Confirmed, Unconfirmed int    // of the right answers; the others were asked for no witness
	CPU                    Middle // of runs with a right answer, in seconds
	Energy                 Middle // of the same, in joules
}

// Middle is the mean and the median of the figures that were measured; nil without any.
type Middle struct {
	Of           int
	Mean, Median *big.Rat
}

// Margin is the distance in points between two neighbours in a ranking, and which
// disputed values would bring the one behind nearer, the strongest first.
type Margin struct {
	Ahead, Behind string
	Points        *big.Rat
	Decisions     []Decisive
	Needed        int // disputed values that would have to be decided otherwise; 0: not even all would do
}

// Decisive is a disputed value that could have been decided otherwise.
type Decisive struct {
	Key                  examinations.Key
	Reference, Otherwise string // "?" for none
	Refuted              bool   // the other value is refuted by proof
	Points               *big.Rat
}

// Without says that a tool would stand higher if another had not taken part, beyond
// the place that this one leaves free.
type Without struct {
	Tool, Other   string
	Before, After int // ranks of Other
	// Reference values of the category that would differ: to a value that is refuted, to the
	// one that is proved, to one that is neither, and to none.
	Refuted, Proved, Open, Lost int
}

// Ranking is another ranking of a category (SV-COMP): Correct, Green, New.
type Ranking struct {
	Name  string
	Unit  string // of the measures
	Lines []RankingLine
}

// RankingLine is a tool in a ranking. Equal tools share a rank.
type RankingLine struct {
	Rank    int
	Tool    string
	Measure *big.Rat
}

// Standing is the place of a tool in a category.
type Standing struct {
	Tool   string
	Points *big.Rat // nil is zero
	Dash   bool     // nothing is shown: opted out, or below zero where that counts as nothing
	Rank   int      // from 1 among all tools; equal tools share it; 0 is unranked
	Place  int      // on the podium: 1 to 3, shared by equals; 0 for no place
	Note   string   // why a tool with a good rank has no place, e.g. "sibling of A-fast"

	// Of the runs that have a right value and no wrong one.
	SuccessCPU    time.Duration
	SuccessEnergy int64 // microjoules; 0 where it was not measured

	// Solved are the right values, Wrong the wrong ones. Of the wrong answers to tasks,
	// FalseAlarms say FALSE, and WrongProofs say TRUE.
	Solved, Wrong, FalseAlarms, WrongProofs int
}

// Participation says whether a run answered its examination (E-1.7).
type Participation string

// The three participations.
const (
	Answered      Participation = "answered"
	CannotCompute Participation = "CANNOT_COMPUTE"
	DoNotCompete  Participation = "DO_NOT_COMPETE"
)

// Run is one tool on one examination of one instance. Of a large contest all runs are
// in memory together: what only some pages show is a [Whole].
type Run struct {
	Tool     string
	Instance models.ID
	Exam     examinations.ID

	Void string // why the run is void, empty for a valid run; a void run counts for nobody

	Participation Participation
	Termination   string // exited, signal, cputime, walltime, time (either), memory, time+memory, output, disk, panic; empty where it is not known
	ExitCode      int    // when exited
	Signal        int    // when signalled

	CPU, Wall  time.Duration
	MemoryPeak int64 // bytes
	// FromFile: a file of results says the outcome. Exit code and signal, user and system
	// time and the output are not known, nor is a wall time of 0.
	FromFile          bool
	NoTimes, NoMemory bool // not measured: CPU, User and System, or MemoryPeak, are what was seen
	Drifted           bool // the computer was slower or faster than usual around the run; Warnings say how
	SetAside          bool // by a flag: its answers are no votes and neither right nor wrong
	Logged            bool // what the tool printed was kept

	Points   *big.Rat  // the sum of the items; nil is zero
	NoScore  string    // why the run has no score, a clause with its rule; empty when it has one
	Repeated *Repeated // what all times took that the run was made; nil of one that was made once

	// Late gives the rest each time it is asked for. Where it is nil, the rest is Whole.
	Late Late
	*Whole
}

// Whole is what a run has beside what all pages need. Only a run without Late has it:
// pages call the methods of Run.
type Whole struct {
	Setting
	Answers []Answer
	Items   []Item // every point of the run; as printed, they add up
	Factors []Item // what made points out of the raw points of the items; their Points are the factor
}

// Setting is where a run took place, and what was measured of it besides.
type Setting struct {
	Attempts int    // tries, void ones included
	Machine  string // name of the machine
	Emulated bool   // the processor of its machine was emulated in software: its times are no record
	Origin   string // how its virtual machine came about, and why; "" where there is none

	User, System time.Duration
	HostCPU      time.Duration // of a virtual machine's process; 0 where there is none
	HostMemory   int64         // its peak, in bytes
	Energy       Energy        // zero where nobody looked
	OutputBytes  int64
	Measured     string // what measured CPU time and memory: cgroup2, rlimit, ...
	Warnings     []string
	Flags        []string // what each flag of the run found and does, with its rule

	// Log opens what the tool printed, of a run that is Logged. Each call gives a new
	// reader, and several runs' logs are open at the same time, so it may be called from
	// several goroutines.
	Log func() (io.ReadCloser, error)
	// Remarks says, a line each, what `podium try` says of a run besides its values: about
	// its output, how it ended, and the end of standard error; nil where there is nothing to
	// say. It reads the output again.
	Remarks func() ([]string, error)
}

// Late gives what a run has much of, each time anew. It may be called from several
// goroutines.
type Late interface {
	Setting() Setting
	Answers() iter.Seq[Answer]
	Items() (items, factors []Item)
}

func (r *Run) setting() Setting {
	switch {
	case r.Late != nil:
		return r.Late.Setting()
	case r.Whole != nil:
		return r.Whole.Setting
	}
	return Setting{}
}

func (r *Run) answers() iter.Seq[Answer] {
	switch {
	case r.Late != nil:
		return r.Late.Answers()
	case r.Whole != nil:
		return slices.Values(r.Whole.Answers)
	}
	return slices.Values[[]Answer](nil)
}

func (r *Run) items() (items, factors []Item) {
	switch {
	case r.Late != nil:
		return r.Late.Items()
	case r.Whole != nil:
		return r.Whole.Items, r.Whole.Factors
	}
	return nil, nil
}

// Energy is what processor packages used during a run, in microjoules. A figure of 0
// was not measured.
type Energy struct {
	State                       string // measured, estimate or not measured; empty where nobody looked
	Package, Core, Uncore, DRAM int64
	Why                         string // why figures are missing, or how they were estimated
}

// Answer is one value that a run gave.
type Answer struct {
	Item       string // as in examinations.Key
	Value      examinations.Value
	Mark       Mark
	Techniques string        // separated by blanks
	At         time.Duration // wall time since the start of the tool; negative when unknown
	Offset     int64         // of the first byte of its line in the log; negative when unknown
	Witness    Witness       // zero where no run can prove the value, or none was asked for
}

// Witness is the result of replaying the runs that a tool left for an answer.
type Witness struct {
	State  string // confirmed, unconfirmed or refuted; empty when only a bound is proved
	Proved string // the value, with >= before a lower bound; may be empty
	Detail string
	// Of the witness of an answer to a task: its format, 1.0, 2.0, 2.1 or own, empty where
	// there is none; and whether its form is wrong, so that no validator got it.
	Format    string
	Malformed bool
}

// Mark is the judgement of one asked value. Masks of published results have '?' also
// where nothing was answered and there is no reference; here that is [Missing].
type Mark byte

// The judgements.
const (
	Right    Mark = 'T' // equal to the reference value
	Wrong    Mark = 'X' // differs from the reference value
	Unjudged Mark = '?' // there is no reference value
	Missing  Mark = '-' // nothing was answered
	Aside    Mark = '~' // not judged: the run is set aside, or the value is judged for nobody
)

// judged is the mark of an answer of the run as pages and tables show it.
func (r *Run) judged(m Mark) Mark {
	if r.SetAside && m != Missing {
		return Aside
	}
	return m
}

// Item is one addend of a score (style: every point names its rule).
type Item struct {
	Item   string // the value it is for, empty for the run as a whole
	Rule   string // "E-4.3"
	Reason string
	Points *big.Rat
	Raw    *big.Rat // the points that the rule states, before all factors; nil where there is no factor
}

// Confidence is the confidence of a tool (E-2.2): Agree of Answered consistent
// values. Answered may be zero.
type Confidence struct {
	Tool            string
	Agree, Answered int
}

// State says how a reference value was decided (E-3.1).
type State string

// The states of references.
const (
	Agreed   State = "agreed"   // all tools that answered agree
	Majority State = "majority" // the greatest weight
	Single   State = "single"   // one tool, which is trusted enough
	Weak     State = "weak"     // one tool, which is not: shown, not used
	Unknown  State = "unknown"  // nobody answered, or a tie
	Oracle   State = "oracle"   // given from outside the vote
	Certain  State = "certain"  // proved by the referee, in editions where that decides
	Jury     State = "jury"     // set by a decision of the jury
	Struck   State = "struck"   // none: by a decision of the jury the value is judged for nobody
)

// Word is what pages show of it; tables hold the state itself.
func (s State) Word() string {
	if s == Oracle {
		return "expected"
	}
	return string(s)
}

// Reference is the reference value of one asked value. There is one for every
// value that was asked, unknown or not: it tells what the examination asked.
type Reference struct {
	Key         examinations.Key
	Value       examinations.Value // zero when unknown
	State       State
	Rule        string   // "E-3.1"
	Clause      string   // what the rule says in this case, a sentence
	Question    string   // the formula as text, may be empty
	QuestionXML string   // and as it stands in its file
	Doubts      []string // sentences that travel with the value: elected by one tool, by a near tie, ...
	Ruling      *Ruling  // nil in a contest without referee

	// LateVotes, where it is set, gives the votes and the silent each time it is asked for,
	// and the fields are empty.
	LateVotes LateVotes
	Votes     []Vote
	Silent    []Silent // answers that are no votes
}

// LateVotes gives who answered what to a value. It may be called from several goroutines.
type LateVotes interface {
	Votes() []Vote
	Silent() []Silent
}

func (r *Reference) votes() []Vote {
	if r.LateVotes != nil {
		return r.LateVotes.Votes()
	}
	return r.Votes
}

func (r *Reference) silent() []Silent {
	if r.LateVotes != nil {
		return r.LateVotes.Silent()
	}
	return r.Silent
}

// ruling is what the referee says of the value, zero where there is none.
func (r *Reference) ruling() Ruling {
	if r.Ruling == nil {
		return Ruling{}
	}
	return *r.Ruling
}

// known tells that there is a value to judge answers by: a weak one is shown and
// not used.
func (r *Reference) known() bool { return r.State != Unknown && r.State != Weak && r.State != Struck }

// Disputed tells that tools gave different values, with a vote or without.
func (r *Reference) Disputed() bool { return differ(r.votes(), r.silent()) }

// Silent is an answer that is no vote, such as that of a run that is set aside.
type Silent struct {
	Tool  string
	Value examinations.Value
	Why   string // a clause, with the rule
}

// Vote is the answer of a tool and its weight, the confidence of the tool.
type Vote struct {
	Tool   string
	Value  examinations.Value
	Weight *big.Rat
}
