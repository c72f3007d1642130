//go:build linux

package maker

import "syscall"

// Name is the name under which this program is the maker of a machine.
const Name = "podium-maker"

// Descriptors of a maker. The first three are those of the command.
const (
	FdStatus = 3 // reports are written here
	FdOrders = 4 // a World, a Job, and Stop are read here; the end ends the machine
	FdFree   = 5 // the first of those that World and Job name
)

// World describes the file system of one machine. Paths of the host are absolute.
type World struct {
	Root    string // of what is shown, "" for the root of the host
	Places  []Place
	Covered []string // directories below the places that are not to be seen
	// OwnInodes: the places have inodes that no other machine has.
	OwnInodes bool
	Tool      string   // directory of the host
	Writable  []string // directories of the tool
	Input     string   // directory of the host below an overlay, "" for an empty one of the tool's
	// UserNamespace: the machine is in a user namespace of an ordinary user,
	// where device nodes cannot be made.
	UserNamespace bool
	User          int  // who the tool is, as user and as group
	FreshProc     bool // mount a new /proc, which some containers forbid
	InitialRoot   bool // the host's root is the kernel's initial one, which cannot be changed, only covered
	ToolMap       int  // descriptor of a user namespace that maps the owner of Tool to the tool's user, 0 for none
	InputMap      int
	Group         string // directory of the control group that runtimes read their limit of memory from, "" for none
	GroupAt       string // where the machine shows it
	// Files that replace the host's, "" where the host has none.
	Passwd, GroupFile string
	// Where the machine has its directories.
	Home, ToolDir, InstanceDir, ResultDir string
}

// Kind is what a place of a World is.
type Kind int

// The kinds.
const (
	Directory Kind = iota
	File
	Link
)

// Place is something of the host that the machine sees.
type Place struct {
	Path   string // below the root
	Kind   Kind
	Target string // of a link
	Size   int    // of a file, in bytes
	// Top is the first part of the path when the place is on the same file system
	// as that, and no symbolic link lies between them; else it is Path.
	Top string
}

func (s *World) fields(w *wire) {
	w.text(&s.Root)
	list(w, &s.Places, func(p *Place) {
		w.text(&p.Path)
		w.number((*int)(&p.Kind))
		w.text(&p.Target)
		w.number(&p.Size)
		w.text(&p.Top)
	})
	w.texts(&s.Covered)
	w.flag(&s.OwnInodes)
	w.text(&s.Tool)
	w.texts(&s.Writable)
	w.text(&s.Input)
	w.flag(&s.UserNamespace)
	w.number(&s.User)
	w.flag(&s.FreshProc)
	w.flag(&s.InitialRoot)
	w.number(&s.ToolMap)
	w.number(&s.InputMap)
	for _, text := range []*string{&s.Group, &s.GroupAt, &s.Passwd, &s.GroupFile, &s.Home, &s.ToolDir, &s.InstanceDir, &s.ResultDir} {
		w.text(text)
	}
}

// Job is a command and what it is confined to.
type Job struct {
	Command []string // the first is an absolute path in the machine
	Env     []string
	Disk    int // bytes that the private file system may hold, 0 for any number
	// Entrances are descriptors of files that a process writes "0" to, to enter a
	// control group, and Group is that of a directory that the command is cloned
	// into, 0 for none.
	Entrances []int
	Group     int
	CPUs      []int // cores, none for any
	Limits    []Limit
	Filter    string // of system calls, as seccomp takes it; "" for none
}

// Limit is one that the kernel sets for each process alone (setrlimit).
type Limit struct {
	Step       string // what it is for, in error messages
	Resource   int
	Soft, Hard int
}

func (j *Job) fields(w *wire) {
	w.texts(&j.Command)
	w.texts(&j.Env)
	w.number(&j.Disk)
	w.numbers(&j.Entrances)
	w.number(&j.Group)
	w.numbers(&j.CPUs)
	list(w, &j.Limits, func(l *Limit) {
		w.text(&l.Step)
		w.number(&l.Resource)
		w.number(&l.Soft)
		w.number(&l.Hard)
	})
	w.text(&j.Filter)
}

// Stop ends the job that runs.
type Stop struct{}

func (*Stop) fields(*wire) {}

// Report is what the maker says.
type Report struct {
	Event Event
	Step  string // that failed
	Errno int    // why
	End   End    // of the job
}

// Event is what happened.
type Event int

// The events, in their order. A command that cannot be executed Failed and then Ended.
const (
	Ready Event = iota
	Started
	Failed
	Ended
)

// End is how a job ended. Times are in nanoseconds, sizes in bytes.
type End struct {
	Status         int // of the command, as wait(2) has it
	Wall           int
	Left           bool // the command left something running
	User, System   int  // CPU time of all that was waited for
	MaxRSS         int  // of the largest process
	Disk, DiskFree int  // blocks of the private file system
}

func (r *Report) fields(w *wire) {
	w.number((*int)(&r.Event))
	w.text(&r.Step)
	w.number(&r.Errno)
	e := &r.End
	for _, n := range []*int{&e.Status, &e.Wall, &e.User, &e.System, &e.MaxRSS, &e.Disk, &e.DiskFree} {
		w.number(n)
	}
	w.flag(&e.Left)
}

// Err returns the failure that a report tells of, or nil.
func (r *Report) Err() error {
	if r.Event != Failed {
		return nil
	}
	return &Failure{r.Step, syscall.Errno(r.Errno)}
}

// Failure is a step that failed.
type Failure struct {
	Step  string
	Errno syscall.Errno
}

func (f *Failure) Error() string { return f.Step + ": " + f.Errno.Error() }

func (f *Failure) Unwrap() error { return f.Errno }
