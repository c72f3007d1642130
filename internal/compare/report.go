package compare

import (
	"podium/examinations"
	"podium/internal/judged"
	"podium/internal/publish"
	"podium/scoring"
)

// FamilyError bounds the probability that a report on two equal sides makes any
// claim that rests on statistics.
const FamilyError = 0.05

// Source is one side.
type Source struct {
	Name, Edition string
	Result        *scoring.Result
	// Repeated sums up what all times took that a run was made; nil where it was made
	// once. Repeated itself is nil where all runs were.
	Repeated func(sheet, tool int) *judged.Repeated
}

// Pair names a tool on both sides.
type Pair struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// Report is what changed from Before to After.
type Report struct {
	Format       string   `json:"format"`
	Before       Side     `json:"before"`
	After        Side     `json:"after"`
	Instances    int      `json:"instances"`    // that both sides have
	Examinations int      `json:"examinations"` // that both sides have
	LeftOut      []string `json:"left_out"`     // sentences: what only one side has
	FamilyError  float64  `json:"family_error"`
	Worse        bool     `json:"worse"`
	Tools        []Tool   `json:"tools"`

	tasks bool // both sides are on tasks alone
}

// say returns a text in the words of what is compared: nets, or tasks.
func (r *Report) say(text string) string {
	if r.tasks {
		return publish.TaskWords(text)
	}
	return text
}

// Side names a side and its rules.
type Side struct {
	Name    string `json:"name"`
	Edition string `json:"edition"`
}

// Tool is what changed of one tool.
type Tool struct {
	Pair
	Runs         int           `json:"runs"` // that both sides have
	OneSided     int           `json:"one_sided_runs"`
	All          Row           `json:"all"`
	Examinations []Examination `json:"examinations"`
	Changes      []Change      `json:"changes"`
	// LimitsWorse tells that significantly more models lost values to limits than
	// gained some.
	LimitsWorse bool `json:"limits_worse"`
	// Repeated are the runs that any side made several times.
	Repeated []Repeated `json:"repetitions,omitempty"`

	points []point
}

// Examination is the row of one examination.
type Examination struct {
	ID examinations.ID `json:"examination"`
	Row
}

// Row counts values and states ratios.
type Row struct {
	Values Counts `json:"values"`
	Time   Ratio  `json:"cpu_time"`
	Memory Ratio  `json:"memory"`
}

// Counts are numbers of values. Each value is in one of them, but LostAtLimit, which
// is a part of Lost. Values that neither side answered are in none.
type Counts struct {
	Same        int `json:"same"`
	Gained      int `json:"gained"`
	Lost        int `json:"lost"`
	LostAtLimit int `json:"lost_at_limit"`
	Changed     int `json:"changed"`
	Wrong       int `json:"newly_wrong"`
	Mended      int `json:"mended"`
}

// Kind is what became of a value.
type Kind string

// The kinds of changes.
const (
	Gained  Kind = "gained"      // an answer where there was none
	Lost    Kind = "lost"        // no answer where there was one
	Changed Kind = "changed"     // two answers that differ; nobody knows which is wrong
	Wrong   Kind = "newly wrong" // a wrong answer where there was none
	Mended  Kind = "mended"      // no wrong answer where there was one
)

// Change is a value that is not the same on both sides. An empty answer is none.
type Change struct {
	Kind        Kind            `json:"kind"`
	Instance    string          `json:"instance"`
	Examination examinations.ID `json:"examination"`
	Value       string          `json:"value"`
	Before      string          `json:"before"`
	After       string          `json:"after"`
	AtLimit     bool            `json:"at_limit,omitempty"` // a limit ended the run that lacks the value
}

// Worse reports whether a change alone is a reason to call After worse. A value that a
// limit took may be noise: such values count together.
func (c Change) Worse() bool {
	return c.Kind == Wrong || c.Kind == Changed || c.Kind == Lost && !c.AtLimit
}

// Claim is what may be said of a ratio.
type Claim string

// The claims.
const (
	More    Claim = "more" // the interval is above 1
	Less    Claim = "less" // the interval is below 1
	Unclear Claim = "no change seen"
	TooFew  Claim = "too few models"
)

// Ratio is after/before over the runs that gave the same set of values on both
// sides and that no limit ended.
type Ratio struct {
	Runs   int   `json:"runs"`
	Models int   `json:"models"` // observations
	Needed int   `json:"models_needed"`
	Claim  Claim `json:"claim"`
	// Ratio is an estimate, 0 without runs. Low and High are its interval, 0 with too
	// few models.
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// point is a run on the scatter plot: times in seconds, negative where unsolved.
type point struct{ before, after float64 }
