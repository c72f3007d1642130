package scoring

import (
	"slices"

	"podium/confidence"
	"podium/examinations"
	"podium/models"
)

// Tool is a participant. Tools are sorted by Order, then by name.
type Tool struct {
	Name string
	// Family joins the variants of one submission (E-4.5); "" stands for a
	// family of its own.
	Family string
	Order  int // place in lists
	// OutOfCompetition marks a tool that votes and is scored but takes no
	// place, such as the winner of last year that is run again.
	OutOfCompetition bool
	// OptOut lists the categories in which the tool shows no results (SV-COMP).
	OptOut []string
	// FirstTime marks a tool that takes part for the first time.
	FirstTime bool
}

// Instance is a net of the contest.
type Instance struct {
	Name  string
	ID    models.ID // with Family = Name where the name is not that of a net
	Class models.Class
	// FamilySize is the number of instances of the family, of both kinds.
	FamilySize int
	// Twin is the number of the instance of the other kind with the same family
	// and parameter, or -1.
	Twin int
}

// Examination is what an edition states about one examination.
type Examination struct {
	ID       examinations.ID
	Category string
	Items    []string // names of the values, in the order of vectors; nil for formula ids
	Required int      // number of values asked for
	Points   []int64  // of one value, in the units of rules: one entry for each item, or one for all
	// Task marks a category of tasks (SV-COMP): its one value is a verdict. NewBuilder sets it
	// of examinations that "*" stands for.
	Task bool
	// Intervals reports that answers may be intervals, for information: they are no votes and not
	// judged, and the reference set of E-3.2 is shown beside the reference.
	Intervals bool
}

// PointsOf returns the points of the value at a position of the vector, in units.
func (e *Examination) PointsOf(position int) int64 {
	if position < len(e.Points) {
		return e.Points[position]
	}
	return e.Points[len(e.Points)-1]
}

// Sheet is one examination of one instance.
type Sheet struct {
	Instance, Exam int32
	First          int32 // number of its first value
	Values         int32 // number of its values
}

// Participation says how a run as a whole ended (E-1.7).
type Participation uint8

// The participations of E-1.7, and those that published files and failures of
// the host add. Only runs that are Answered have answers.
const (
	Absent        Participation = iota // there is no such run
	Answered                           // some value was given, or each was left open
	CannotCompute                      // CC: stated, or nothing well-formed was found
	DoNotCompete                       // DNC
	OutOfTime                          // DNF: stopped by a limit without any value
	Unreadable                         // the log was lost or cannot be used
	Void                               // our failure: never counts against the tool
)

var participations = [...]string{"absent", "answered", "CC", "DNC", "DNF", "Unknown", "void"}

// String is the word of published files.
func (p Participation) String() string { return participations[p] }

// OptedOut reports whether a tool shows no results of a sheet: it opts out of its category (SV-COMP).
func (c *Contest) OptedOut(sheet, tool int) bool {
	return slices.Contains(c.Tools[tool].OptOut, c.Exams[c.Sheets[sheet].Exam].Category)
}

// Unmeasured is the value of a time or size that was not measured.
const Unmeasured int64 = -1

// Run is one tool on one sheet.
type Run struct {
	Participation Participation
	Ending        Ending
	Vector        int32        // number of values that the tool's vector has; less than the sheet's where it was cut
	CPU, Wall     int64        // microseconds, or Unmeasured
	Memory        int64        // bytes, or Unmeasured
	Energy        int64        // microjoules; 0 where it was not measured
	Parts         *EnergyParts // of the energy, nil where none was measured
	// Order decides where a rule prefers the first of equal runs: the place of
	// the row in a published file. Equal orders are decided by the tools' order.
	Order  int32
	Source string // where the answers come from, such as a run id or a place in a log
}

// EnergyParts is what was measured of the energy of a run besides the processor packages as a
// whole, in microjoules. A figure of 0 was not measured.
type EnergyParts struct {
	Core   int64 // cores, within the packages
	Uncore int64 // the rest of the packages, such as graphics
	DRAM   int64 // memory, beside the packages
}

// OrNil returns the parts, nil where none was measured.
func (p EnergyParts) OrNil() *EnergyParts {
	if p == (EnergyParts{}) {
		return nil
	}
	return &p
}

// Energies returns the energy of the packages and its parts.
func (r *Run) Energies() (whole int64, parts EnergyParts) {
	if r.Parts != nil {
		parts = *r.Parts
	}
	return r.Energy, parts
}

// Witness is the result of validating the witness of an answer (SV-COMP).
type Witness uint8

// The results of validation.
const (
	Unasked     Witness = iota // this edition or category asks for none
	Confirmed                  // at least one validator confirms
	Unconfirmed                // none does
)

// Contest holds the answers of all tools, in columns. A contest is not changed
// once it is built; functions that change it make another.
type Contest struct {
	Tools      []Tool
	Instances  []Instance
	Exams      []Examination
	Sheets     []Sheet              // sorted by instance, then by examination in the order of Exams
	Items      []string             // by value
	Values     []examinations.Value // by confidence.Answer; Values[0] is no answer
	Ballots    *confidence.Ballots
	Runs       []Run               // [sheet*len(Tools) + tool]
	Oracle     []confidence.Answer // by value, given from outside the vote; nil for none
	Certified  []confidence.Answer // by value, proved by a referee; nil without one
	Told       []confidence.Answer // by value, stated by what runs are given; nil for none
	Copies     []string            // by value, the item of its sheet that asks the same before it, or ""; nil for none
	Witnesses  []Witness           // by cell of the ballots; nil for none
	AnsweredAt []int32             // by cell of the ballots: when the answer was given, see AnswerTime; nil for none
	// AsDisplayed tells that the values are texts of a published file, equal when
	// the texts are, so that a scheme does not shorten them again to compare.
	AsDisplayed bool
	Untimed     int // runs that whatif.Within stopped, and of which it is not known when they gave all their values

	ruled *Ruled // nil for none
}

// AnswerTime is the time of an answer as [Contest.AnsweredAt] has it: milliseconds, rounded up and at least 1,
// of microseconds of wall time since the start of the run; below 0 these are not known, which gives 0.
func AnswerTime(micro int64) int32 {
	const most = 1<<31 - 1
	if micro < 0 {
		return 0
	}
	return int32(min(max(1, micro/1000+min(1, micro%1000)), most))
}

// Run returns a run of a sheet.
func (c *Contest) Run(sheet, tool int) *Run { return &c.Runs[sheet*len(c.Tools)+tool] }

// Answer returns the answer of a tool to a value; the zero Value is no answer.
func (c *Contest) Answer(value, tool int) examinations.Value {
	return c.Values[c.Ballots.Cells[value*len(c.Tools)+tool]]
}

// Witness returns the result of validating the witness of an answer.
func (c *Contest) Witness(value, tool int) Witness {
	if c.Witnesses == nil {
		return Unasked
	}
	return c.Witnesses[value*len(c.Tools)+tool]
}

// ToolNamed returns the number of a tool, or -1.
func (c *Contest) ToolNamed(name string) int {
	for i := range c.Tools {
		if c.Tools[i].Name == name {
			return i
		}
	}
	return -1
}

// SheetName is the name of a sheet.
type SheetName struct {
	Instance string
	Exam     examinations.ID
}

// SheetIndex returns the numbers of all sheets by name. It is made at each call,
// so use it for many look-ups at once.
func (c *Contest) SheetIndex() map[SheetName]int {
	index := make(map[SheetName]int, len(c.Sheets))
	for i, s := range c.Sheets {
		index[SheetName{c.Instances[s.Instance].Name, c.Exams[s.Exam].ID}] = i
	}
	return index
}

// SheetOf returns the number of a sheet, or -1.
func (c *Contest) SheetOf(instance string, exam examinations.ID) int {
	for i, s := range c.Sheets {
		if c.Exams[s.Exam].ID == exam && c.Instances[s.Instance].Name == instance {
			return i
		}
	}
	return -1
}

// ValueOf returns the number of a value by its item name on a sheet, or -1.
func (c *Contest) ValueOf(sheet int, item string) int {
	s := c.Sheets[sheet]
	if i := slices.Index(c.Items[s.First:s.First+s.Values], item); i >= 0 {
		return int(s.First) + i
	}
	return -1
}

// Families returns a number for each tool; tools of one family have equal
// numbers.
func (c *Contest) Families() []int {
	numbers := make([]int, len(c.Tools))
	seen := map[string]int{}
	for i, t := range c.Tools {
		name := t.FamilyName()
		if _, ok := seen[name]; !ok {
			seen[name] = len(seen)
		}
		numbers[i] = seen[name]
	}
	return numbers
}

// FamilyName returns Family, or the tool's own name when Family is empty.
func (t Tool) FamilyName() string {
	if t.Family == "" {
		return t.Name
	}
	return t.Family
}
