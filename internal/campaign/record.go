package campaign

import (
	"fmt"
	"time"

	"podium/examinations/output"
	"podium/internal/sentinel"
	"podium/internal/witness"
	"podium/vm"
	"podium/vm/topology"
)

// Record is one line of a journal; exactly one of its parts is set.
type Record struct {
	Opened   *Opened   `json:"opened,omitempty"`
	Claimed  *Claimed  `json:"claimed,omitempty"`
	Started  *Started  `json:"started,omitempty"`
	Finished *Finished `json:"finished,omitempty"`
	Voided   *Voided   `json:"voided,omitempty"`
	Sentinel *Sentinel `json:"sentinel,omitempty"`
	Again    *Again    `json:"again,omitempty"`
	Reread   *Reread   `json:"reread,omitempty"`
}

// oneKind says what is wrong with a record that has no part or several.
func (r *Record) oneKind() error {
	n := 0
	for _, set := range []bool{r.Opened != nil, r.Claimed != nil, r.Started != nil, r.Finished != nil, r.Voided != nil, r.Sentinel != nil, r.Again != nil, r.Reread != nil} {
		if set {
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("the record has %d parts that this program knows, not one", n)
	}
	return nil
}

// Opened is the first record of a worker's journal.
type Opened struct {
	Format   string `json:"format"`
	Campaign string `json:"campaign_sha256"`
	Worker   string `json:"worker"`
	// About says that the journal holds nothing but records about ends in other journals: readings,
	// and wishes of decisions.
	About    bool      `json:"about,omitempty"`
	Host     string    `json:"host"` // its name, for people
	Node     Node      `json:"node,omitzero"`
	Version  string    `json:"version"` // of podium
	Driver   string    `json:"driver"`
	Record   bool      `json:"for_record"`         // the driver is fit for a contest's record
	Emulated bool      `json:"emulated,omitempty"` // the machines' processors are emulated in software
	At       time.Time `json:"at"`
	Machine  Machine   `json:"machine"`
	// NoEnergy says why no run of the worker has its energy; empty where some may.
	NoEnergy string `json:"no_energy,omitempty"`
}

// Machine is the physical machine that a worker runs on.
type Machine struct {
	System    string `json:"system"`
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	Memory    int64  `json:"memory"` // bytes
}

// Claimed says that a worker has taken the lease of a model, and how far the
// journals of the earlier holders count: what one of them writes behind that was
// made under a lease that was lost, and the runs are done again.
type Claimed struct {
	Model string    `json:"model"`
	Lease int64     `json:"lease"` // its fencing number
	Over  []Fence   `json:"over,omitempty"`
	At    time.Time `json:"at"`
}

// Sentinel holds what the sentinel found on cores of the worker's host.
type Sentinel struct {
	Readings []sentinel.Reading `json:"readings"`
}

// Fence says how far a journal counts for a lease.
type Fence struct {
	Lease  int64  `json:"lease"`
	Worker string `json:"worker"`
	Bytes  int64  `json:"bytes"`
}

// Started says that an attempt of a run begins.
type Started struct {
	Run     Run       `json:"run"`
	Attempt int       `json:"attempt"`
	Lease   int64     `json:"lease,omitempty"` // fencing number of the lease that it is made under
	At      time.Time `json:"at"`

	made made
}

// Finished is the end of a run: the tool's fate and what it said.
type Finished struct {
	Run           Run                  `json:"run"`
	Attempt       int                  `json:"attempt"`
	Worker        string               `json:"worker"`
	Lease         int64                `json:"lease,omitempty"`
	Outcome       vm.Outcome           `json:"outcome"`
	Participation output.Participation `json:"participation"`
	Answers       Answers              `json:"answers,omitzero"`
	Findings      int                  `json:"findings,omitempty"` // lint findings on the output
	Misread       int                  `json:"misread,omitempty"`  // of these, errors: what looks like an answer and was not taken, or contradicts another
	Binding       topology.Binding     `json:"binding,omitzero"`   // on the host
	Stdout        PackRef              `json:"stdout"`
	Stderr        PackRef              `json:"stderr"`
	// Curve is the run over time: it is beside the outputs, so that journals stay short. A run
	// that was not sampled has none.
	Curve PackRef `json:"curve,omitzero"`
	// Left are the files with witnesses, one behind the other, and Witnesses what
	// their replay says of the answers; where the plan asks for them.
	Left      PackRef     `json:"left,omitzero"`
	Witnesses []Witnessed `json:"witnesses,omitempty"`

	// Reread is what has taken the place of participation, answers and witnesses since;
	// nil where the end stands as it was written.
	Reread *Reread `json:"-"`

	made made // where, as the journal says
}

// Witnessed is the result of replaying the witnesses of a run, for one answer.
type Witnessed struct {
	Item   string        `json:"item"`
	State  witness.State `json:"state,omitempty"`
	Proved string        `json:"proved,omitempty"` // what the replay proves, with >= before a lower bound
	Detail string        `json:"detail,omitempty"`
	// Of the witness of an answer to a task: its format, and whether that is not kept.
	Format    string `json:"format,omitempty"`
	Malformed bool   `json:"malformed,omitempty"`
}

// Voided is an attempt that failed by our fault. Final says that it was the
// last: the run is void.
type Voided struct {
	Run     Run       `json:"run"`
	Attempt int       `json:"attempt"`
	Worker  string    `json:"worker"`
	Lease   int64     `json:"lease,omitempty"`
	Reason  string    `json:"reason"`
	Final   bool      `json:"final"`
	At      time.Time `json:"at"`

	made made
}
