package campaign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"podium/examinations"
	"podium/internal/files"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// PlanFormat is the format key of campaign.json.
const PlanFormat = "podium-campaign/1"

// planFile is the first plan, written once, last of all when a campaign is made.
const planFile = "campaign.json"

// Plan lists all runs of a campaign and the rules for them; it is written once. A
// campaign that was extended has several, of which the last counts.
type Plan struct {
	Format        string            `json:"format"`
	Number        int               `json:"number,omitempty"`        // in the sequence of plans, from 1; 0 is 1
	Before        string            `json:"before_sha256,omitempty"` // digest of the plan before
	Name          string            `json:"name"`
	Created       time.Time         `json:"created"`
	Version       string            `json:"version"` // of podium
	Edition       string            `json:"edition"` // id
	EditionDigest string            `json:"edition_sha256"`
	Driver        string            `json:"driver"` // vm driver the campaign was planned for
	Seed          uint64            `json:"seed"`
	Embargo       time.Time         `json:"embargo,omitzero"`        // until then surprise models are not published (M-6)
	Sequential    Confinement       `json:"sequential"`              // E-5.2
	Concurrent    Confinement       `json:"concurrent"`              // E-5.3
	Violation     *Confinement      `json:"violation,omitempty"`     // of the validation of violations (SV-COMP)
	Correctness   *Confinement      `json:"correctness,omitempty"`   // of the validation of proofs
	Repeat        int               `json:"repeat,omitempty"`        // how often each run is made; 0 is once
	Handout       models.Handout    `json:"given,omitempty"`         // what runs are given of instances; "" in plans of earlier versions: all files
	PinInstances  bool              `json:"pin_instances,omitempty"` // instances are pinned to computers, and not models (E-5.1)
	Intervals     bool              `json:"intervals,omitempty"`     // answers to UpperBounds may be intervals (E-3.2)
	Witnesses     bool              `json:"witnesses,omitempty"`     // tools are asked for runs that prove their values
	Examinations  []examinations.ID `json:"examinations"`
	Tools         []PlannedTool     `json:"tools"`
	Instances     []PlannedInstance `json:"instances"`
	// Later gives the number of the plan that an examination joined with, when it was
	// not the first.
	Later    map[examinations.ID]int `json:"later_examinations,omitempty"`
	Replaced []PlannedTool           `json:"replaced,omitempty"` // earlier versions of tools, which take no part
	// Families are the names of the tools of each family whose tools are not all called as it is: what
	// the organisers confirmed, and what is one submission anyway.
	Families map[string][]string `json:"families,omitempty"`
	Origins  []string            `json:"origins,omitempty"` // directories that tools and instances were copied from, which runs must not see
}

// Confinement is the machine and the limits of one run: microseconds and bytes;
// 0 does not limit.
type Confinement struct {
	Cores     int   `json:"cores"`
	Memory    int64 `json:"memory"`
	CPUTime   int64 `json:"cpu_us"`
	WallTime  int64 `json:"wall_us"`
	Processes int   `json:"processes"`
	Output    int64 `json:"output"`
	Disk      int64 `json:"disk"`
}

// String says machine and limits in a line.
func (c Confinement) String() string {
	return strings.Join(c.parts(), ", ")
}

func (c Confinement) parts() []string {
	return []string{wording.Count(c.Cores, "core", "cores"), wording.Memory(c.Memory) + " of memory", timeLimit(c.CPUTime, "CPU time"), timeLimit(c.WallTime, "wall time"),
		wording.Count(c.Processes, "process", "processes"), fmt.Sprintf("%d MB of output", c.Output/1e6), fmt.Sprintf("%d MB on disk", c.Disk/1e6)}
}

// timeLimit says how much of a time there is, in microseconds.
func timeLimit(us int64, what string) string {
	if us == 0 {
		return "no limit of " + what
	}
	return wording.Brief(time.Duration(us)*time.Microsecond) + " of " + what
}

// apart returns the parts in which two confinements differ.
func apart(a, b *Confinement) (ofA, ofB string) {
	if a == nil || b == nil {
		return confinementText(a), confinementText(b)
	}
	var inA, inB []string
	x, y := a.parts(), b.parts()
	for i := range x {
		if x[i] != y[i] {
			inA, inB = append(inA, x[i]), append(inB, y[i])
		}
	}
	return strings.Join(inA, ", "), strings.Join(inB, ", ")
}

// Limits is the confinement as a machine takes it.
func (c Confinement) Limits() vm.Limits {
	return vm.Limits{
		CPUTime: time.Duration(c.CPUTime) * time.Microsecond, WallTime: time.Duration(c.WallTime) * time.Microsecond,
		Memory: c.Memory, Processes: c.Processes, Output: c.Output, Disk: c.Disk,
	}
}

// PlannedTool is a tool as it was when the campaign was planned.
type PlannedTool struct {
	Name       string   `json:"name"`
	Title      string   `json:"title,omitempty"`
	Version    string   `json:"version,omitempty"`
	Family     string   `json:"family"` // see [Plan.Confirmed]
	Submission string   `json:"-"`      // name in the manifest, while it is planned
	Concurrent bool     `json:"concurrent"`
	BuiltIn    bool     `json:"built_in"`
	Head       string   `json:"head"`
	Dir        string   `json:"dir"`                // absolute, or relative to the campaign
	Image      string   `json:"image,omitempty"`    // of the tool, in Dir
	System     string   `json:"system,omitempty"`   // image in Dir with the file system that the tool sees
	Writable   []string `json:"writable,omitempty"` // directories in Dir, see [vm.Spec]
	Digest     string   `json:"sha256"`
	Since      int      `json:"since,omitempty"` // number of the plan that it joined with; 0 is 1
	// OutOfCompetition: the manifest or the person who planned says so.
	OutOfCompetition bool           `json:"out_of_competition,omitempty"`
	Participation    *Participation `json:"participation,omitempty"` // nil: in all
	OptOut           []string       `json:"opt_out,omitempty"`       // categories and properties without results: see [Plan.OptsOut]
	Task             *TaskTool      `json:"task,omitempty"`          // how it is run on tasks
}

// PlannedInstance is an instance as it was when the campaign was planned.
type PlannedInstance struct {
	ID     string `json:"id"`
	Family string `json:"family"`
	Class  string `json:"class"`
	Path   string `json:"path"` // absolute, or relative to the campaign
	Digest string `json:"sha256"`
	Since  int    `json:"since,omitempty"` // number of the plan that it joined with; 0 is 1
	// Formulas are the ids of the formulas of each formula examination, in the
	// order of the file: what is asked is known without the model.
	Formulas map[examinations.ID][]string `json:"formulas,omitempty"`
	Task     *PlannedTask                 `json:"task,omitempty"` // of a task of SV-COMP; nil for a net
	Size     *NetSize                     `json:"size,omitempty"` // nil for a task
	// Whole is the digest of all files of the instance, where runs are not given all of them; empty
	// where they are. Withheld names those files and properties of the form.
	Whole    string   `json:"whole_sha256,omitempty"`
	Withheld []string `json:"withheld,omitempty"`
	// Told are values that are asked, by item, and that the files which runs are given state.
	Told map[examinations.ID]map[string]string `json:"told,omitempty"`
	// Copies are formulas that ask the same as an earlier one of their file, by id: the first that
	// asks it.
	Copies map[examinations.ID]map[string]string `json:"copies,omitempty"`
	// Source is the instance as runs are given it, until it is copied.
	Source *models.Instance `json:"-"`
	// Origin is the directory that the instance was taken from, where that is not its path.
	Origin string `json:"-"`
}

// NetSize is how large a net is, as it is written.
type NetSize struct {
	Places      int    `json:"places"`
	Transitions int    `json:"transitions"`
	Arcs        int    `json:"arcs"`
	Tokens      string `json:"tokens,omitempty"`  // of the initial marking, decimal; empty for a coloured net
	Units       int    `json:"units,omitempty"`   // of its NUPN section
	Colours     string `json:"colours,omitempty"` // of all places of a coloured net together, decimal: the places of its unfolding
}

// Items lists the values that an examination asks for on the instance.
func (i PlannedInstance) Items(exam examinations.ID) []string {
	return i.kind().items(i, exam)
}

// Asks reports whether an examination is asked of the instance: each of a net, and of a
// task the categories that it is in.
func (i PlannedInstance) Asks(exam examinations.ID) bool {
	return i.kind().asks(i, exam)
}

// Run names one run.
type Run struct {
	Tool     string          `json:"tool"`
	Instance string          `json:"instance"`
	Exam     examinations.ID `json:"exam"`
	// Repetition is 2 for the second time that the run is made, and so on. It is 0 for
	// the first, which alone counts for scores: see docs/compare.md.
	Repetition int `json:"repetition,omitempty"`
}

// String is "tool instance examination", with " #2" behind it for the second time.
func (r Run) String() string {
	name := r.Tool + " " + r.Instance + " " + string(r.Exam)
	if r.Repetition > 0 {
		name += " #" + strconv.Itoa(r.Repetition)
	}
	return name
}

// Only chooses the run, in the language of `--only`, with all times that it is made.
func (r Run) Only() string {
	return fmt.Sprintf("tool=%s instance=%s examination=%s", r.Tool, r.Instance, r.Exam)
}

// Compare orders by instance, examination, tool and repetition.
func (r Run) Compare(o Run) int {
	return cmp.Or(cmp.Compare(r.Instance, o.Instance), cmp.Compare(r.Exam, o.Exam), cmp.Compare(r.Tool, o.Tool), cmp.Compare(r.Repetition, o.Repetition))
}

// MaxRepeat bounds how often a run is made.
const MaxRepeat = 1000

// repetitions returns the numbers of all times that a run is made.
func (p *Plan) repetitions() iter.Seq[int] {
	return func(yield func(int) bool) {
		for n := 1; n <= max(1, p.Repeat); n++ {
			if n == 1 && !yield(0) || n > 1 && !yield(n) {
				return
			}
		}
	}
}

// Sort puts the instances in the order that a plan has, which is that of their
// names as texts. Plans are compared only after it.
func (p *Plan) Sort() {
	slices.SortFunc(p.Instances, func(a, b PlannedInstance) int { return cmp.Compare(a.ID, b.ID) })
}

// Unit is what is pinned to one computer with an instance (E-5.1): its model, or the
// instance alone where the edition says so, and where it is a task.
func (p *Plan) Unit(i PlannedInstance) string {
	if p.PinInstances {
		return i.ID
	}
	return i.kind().unit(i)
}

// Units lists what is pinned to a computer each, models or instances, in the order in
// which they are worked on.
func (p *Plan) Units() []string {
	var list []string
	seen := map[string]bool{}
	for _, i := range p.Instances {
		if unit := p.Unit(i); !seen[unit] {
			seen[unit] = true
			list = append(list, unit)
		}
	}
	return list
}

// RunsOf returns the runs of one unit: all tools on one examination of one
// instance stand together, so that what a bonus compares was measured at about
// the same time. Their order is drawn under the seed of the campaign for each of
// them, so that no tool always comes first, or always behind the same other one.
// Where runs are repeated, all tools are run once before the first is run again. What joins the campaign later changes no order of what was there.
func (p *Plan) RunsOf(unit string) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		first, behind := 0, len(p.Instances)
		if i, ok := p.index(unit); ok && p.Unit(p.Instances[i]) == unit { // an instance alone: there are many of them
			first, behind = i, i+1
		}
		for i := first; i < behind; i++ {
			inst := p.Instances[i]
			if p.Unit(inst) != unit {
				continue
			}
			place := p.place(i)
			for e, exam := range p.Examinations {
				if !inst.Asks(exam) {
					continue
				}
				for n := range p.repetitions() {
					for _, k := range p.order(place, e, n, max(1, inst.Since, p.Later[exam])) {
						if p.Tools[k].TakesPart(inst, exam) && !yield(Run{p.Tools[k].Name, inst.ID, exam, n}) {
							return
						}
					}
				}
			}
		}
	}
}

// place numbers an instance among those that were planned when it joined.
func (p *Plan) place(i int) (n int) {
	if p.Number <= 1 {
		return i
	}
	since := max(1, p.Instances[i].Since)
	for _, before := range p.Instances[:i] {
		if max(1, before.Since) <= since {
			n++
		}
	}
	return n
}

// order draws the order of the tools for one repetition of an examination of an instance: of those that
// were there when both were planned, and behind them of those that joined with each
// later plan.
func (p *Plan) order(place, exam, repetition, since int) []int {
	var all []int
	for number := since; number <= max(1, p.Number); number++ {
		var here []int
		for k, t := range p.Tools {
			if joined := max(1, t.Since); joined == number || number == since && joined < since {
				here = append(here, k)
			}
		}
		draw := rand.New(rand.NewPCG(p.Seed, uint64(number-1)<<56|uint64(place)<<32|uint64(repetition)<<16|uint64(exam)))
		for _, k := range draw.Perm(len(here)) {
			all = append(all, here[k])
		}
	}
	return all
}

// Tool returns a planned tool by name.
func (p *Plan) Tool(name string) (PlannedTool, bool) {
	i := slices.IndexFunc(p.Tools, func(t PlannedTool) bool { return t.Name == name })
	if i < 0 {
		return PlannedTool{}, false
	}
	return p.Tools[i], true
}

func (p *Plan) index(name string) (int, bool) {
	return slices.BinarySearchFunc(p.Instances, name, func(i PlannedInstance, name string) int { return cmp.Compare(i.ID, name) })
}

// Instance returns a planned instance by name; instances are sorted by name.
func (p *Plan) Instance(name string) (PlannedInstance, bool) {
	i, ok := p.index(name)
	if !ok {
		return PlannedInstance{}, false
	}
	return p.Instances[i], true
}

// Confinement returns the machine and the limits of a tool's runs on an instance (E-5.2,
// E-5.3). Validators of witnesses have those of what the witness shows.
func (p *Plan) Confinement(t PlannedTool, i PlannedInstance) Confinement {
	if c := p.ofValidation(i); c != nil {
		return *c
	}
	if t.Concurrent {
		return p.Concurrent
	}
	return p.Sequential
}

// Differences lists, one sentence each, the differences by which another plan
// would run something else. Copies of built-in tools are not compared.
func (p *Plan) Differences(o *Plan) []string {
	var list []string
	differ := func(what string, a, b any) {
		if fmt.Sprint(a) != fmt.Sprint(b) {
			list = append(list, fmt.Sprintf("%s: %v there, %v now", what, a, b))
		}
	}
	differ("edition", p.Edition, o.Edition)
	if p.Edition == o.Edition && p.EditionDigest != o.EditionDigest {
		list = append(list, "the edition file "+p.Edition+" has changed")
	}
	differ("driver", p.Driver, o.Driver)
	differ("seed", p.Seed, o.Seed)
	for _, limits := range []struct {
		what string
		a, b *Confinement
	}{{"sequential tools", &p.Sequential, &o.Sequential}, {"concurrent tools", &p.Concurrent, &o.Concurrent},
		{"the validation of violations", p.Violation, o.Violation}, {"the validation of proofs", p.Correctness, o.Correctness}} {
		there, now := apart(limits.a, limits.b)
		differ("limits of "+limits.what, there, now)
	}
	differ("given to runs", p.Handout, o.Handout)
	differ("witnesses asked for", p.Witnesses, o.Witnesses)
	differ("times that each run is made", max(1, p.Repeat), max(1, o.Repeat))
	differ("examinations", p.Examinations, o.Examinations)
	differ("number of instances", len(p.Instances), len(o.Instances))
	for _, i := range p.Instances {
		if other, ok := o.Instance(i.ID); !ok {
			list = append(list, "instance "+i.ID+" is missing now")
		} else if other.Digest != i.Digest {
			list = append(list, "instance "+i.ID+" has changed")
		} else if !reflect.DeepEqual(other.Task, i.Task) {
			list = append(list, "what is asked and expected of task "+i.ID+" has changed")
		}
	}
	differ("number of tools", len(p.Tools), len(o.Tools))
	for _, t := range p.Tools {
		if other, ok := o.Tool(t.Name); !ok {
			list = append(list, "tool "+t.Name+" is missing now")
		} else if other.Digest != t.Digest && !(t.BuiltIn && other.BuiltIn) {
			list = append(list, "tool "+t.Name+" has changed")
		} else if !reflect.DeepEqual(t.Task, other.Task) {
			list = append(list, "the options of tool "+t.Name+" have changed")
		} else if t.Family != other.Family {
			list = append(list, "the family of tool "+t.Name+" has changed")
		} else if !slices.Equal(p.OptsOut(&t), o.OptsOut(&other)) {
			list = append(list, "what tool "+t.Name+" opts out of has changed")
		} else if !p.sameRuns(&t, o, &other) {
			list = append(list, "what tool "+t.Name+" takes part in has changed")
		}
	}
	return list
}

// sameRuns reports whether a tool takes part in the same runs of the instances that both plans
// have, however the plans say so.
func (p *Plan) sameRuns(t *PlannedTool, o *Plan, other *PlannedTool) bool {
	if reflect.DeepEqual(t.Participation, other.Participation) {
		return true
	}
	for _, i := range p.Instances {
		j, both := o.Instance(i.ID)
		for _, exam := range p.Examinations {
			if both && t.TakesPart(i, exam) != other.TakesPart(j, exam) {
				return false
			}
		}
	}
	return true
}

// validate checks a plan that was read.
func (p *Plan) validate() error {
	if p.Format != PlanFormat {
		return fmt.Errorf("format is %q, not %q", p.Format, PlanFormat)
	}
	if len(p.Tools) == 0 || len(p.Instances) == 0 || len(p.Examinations) == 0 {
		return errors.New("the plan has no tools, no instances or no examinations")
	}
	if p.Witnesses && p.OfTasks() {
		return errors.New("the plan asks for witnesses of nets, and has tasks")
	}
	if p.Repeat < 0 || p.Repeat > MaxRepeat {
		return fmt.Errorf("each run is said to be made %d times, and 1 to %d are possible", p.Repeat, MaxRepeat)
	}
	seen := map[string]bool{}
	for _, t := range p.Tools {
		if t.Name == "" || seen[t.Name] {
			return fmt.Errorf("tool %q has no name or stands twice", t.Name)
		}
		seen[t.Name] = true
		if t.Since < 0 || t.Since > max(1, p.Number) {
			return fmt.Errorf("tool %s is said to have joined with plan %d", t.Name, t.Since)
		}
	}
	for k, i := range p.Instances {
		if err := i.kind().validate(i, p); err != nil {
			return err
		}
		if k > 0 && p.Instances[k-1].ID >= i.ID {
			return fmt.Errorf("instance %s stands twice or out of order", i.ID)
		}
		if _, err := models.ParseClass(i.Class); err != nil {
			return err
		}
		if i.Since < 0 || i.Since > max(1, p.Number) {
			return fmt.Errorf("instance %s is said to have joined with plan %d", i.ID, i.Since)
		}
	}
	if err := p.validatePlaces(); err != nil {
		return err
	}
	return p.validateExaminations()
}

// validatePlaces refuses inputs outside of the campaign: a copy of a campaign is somebody else's
// word. Only an early version, which made no copies of inputs, named all of them where they were.
func (p *Plan) validatePlaces() error {
	early := len(p.Origins) == 0
	outside := ""
	place := func(what, path string) {
		if !filepath.IsLocal(path) || filepath.Clean(path) == "." {
			outside = what + " is said to be in " + diagnostic.Excerpt(path)
		}
		early = early && filepath.IsAbs(path)
	}
	for _, t := range slices.Concat(p.Tools, p.Replaced) {
		place("tool "+diagnostic.Excerpt(t.Name), t.Dir)
	}
	for _, i := range p.Instances {
		place("instance "+i.ID, i.Path)
	}
	if outside == "" || early {
		return nil
	}
	return errors.New(outside + ", outside of the campaign: restore the plan from a copy of the campaign")
}

// validateExaminations takes the examinations of nets, and the categories of tasks.
func (p *Plan) validateExaminations() error {
	for _, e := range p.Examinations {
		_, err := examinations.ParseID(string(e))
		if err != nil && !slices.ContainsFunc(p.Instances, func(i PlannedInstance) bool { return i.Asks(e) }) {
			return err
		}
	}
	return nil
}

// Campaign is a campaign on disk.
type Campaign struct {
	Dir    string
	Plan   Plan         // the last one
	Digest string       // sha256 of its file, in hexadecimal
	Plans  []PlanDigest // all plans, in order
	// Unconfirmed are tools whose manifests name families that nobody has confirmed: each counts for itself.
	Unconfirmed []PlannedTool

	begun time.Time // when the first plan was made
}

// Create writes the plan into dir, which becomes the campaign. A campaign that
// is there already is not touched: the error is [fs.ErrExist].
func Create(dir string, p *Plan) (*Campaign, error) {
	p.Format = PlanFormat
	p.Sort()
	if err := p.validate(); err != nil {
		return nil, err
	}
	for _, sub := range []string{"claims", "journal", "packs"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, err
		}
	}
	text, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return nil, err
	}
	if err := WriteOnce(filepath.Join(dir, planFile), append(text, '\n')); err != nil {
		return nil, err
	}
	return Open(dir)
}

// Open reads the plans of a campaign. It removes what killed processes have left in it.
func Open(dir string) (*Campaign, error) {
	c := &Campaign{Dir: dir}
	err := c.readPlans()
	if below, globErr := filepath.Glob(filepath.Join(dir, "[^.]*")); err == nil && globErr == nil {
		files.Sweep(append(below, dir)...)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diagnostic.List{{File: dir, Code: "campaign-missing", Message: "there is no campaign here",
			Hint: Elsewhere(dir, "`podium plan` or `podium contest` makes one")}}
	} else if errors.Is(err, syscall.ENOTDIR) {
		return nil, diagnostic.List{{File: dir, Code: "campaign-file", Message: "this is a file, and a campaign is a directory",
			Hint: "of a published file of results, `podium verify --edition ID FILE` prints the podium; explain, whatif and export read any file of results"}}
	} else if err != nil {
		return nil, err
	}
	return c, nil
}

func jsonPosition(text []byte, offset int64) (line, col int) {
	before := text[:min(int64(len(text)), offset)]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// Path returns a path of the plan on this machine: relative ones lie in the
// campaign.
func (c *Campaign) Path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(c.Dir, p)
}

// WriteOnce writes a file that must not be there yet: it is there whole, and on the disk, or not at all.
func WriteOnce(path string, text []byte) error {
	s, err := files.StageFile(path, func(f *os.File) error { _, err := f.Write(text); return err })
	if err != nil {
		return err
	}
	return s.CommitNew()
}
