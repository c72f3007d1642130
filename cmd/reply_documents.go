package cmd

import (
	"podium/examinations"
	"podium/internal/archive"
	"podium/internal/ask"
	"podium/internal/cluster"
	"podium/internal/compare"
	"podium/internal/decisions"
	"podium/internal/forecast"
	"podium/internal/judged"
	"podium/internal/planning"
	"podium/internal/progress"
	"podium/internal/qualify"
	"podium/internal/referee"
	"podium/internal/registration"
	"podium/internal/regression"
	"podium/internal/results"
	"podium/internal/stripped"
	"podium/internal/trial"
	"podium/models"
	"podium/models/task"
	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/scoring/explain"
	"podium/vm/host"
)

// replies are the documents of all commands with --json, by the command's path, with a
// flag behind it where the flag makes it another document. A test
// compares their fields with those that docs/json.md describes.
var replies = map[string]any{
	"archive":            archivedReply{},
	"check output":       outputsReply{},
	"check task":         task.Collection{},
	"check witness":      checkedWitnessReply{},
	"cluster doctor":     clusterProblems{},
	"cluster status":     cluster.Status{},
	"compare":            compare.Report{},
	"contest":            publishReply{},
	"decide":             decideReply{},
	"decide list":        decisionsReply{},
	"doctor":             host.Report{},
	"edition list":       editionsReply{},
	"explain":            accountsReply{},
	"explain value":      valueReply{},
	"extend":             extendReply{},
	"image build":        imageReply{},
	"image import":       imageReply{},
	"logs":               logReply{},
	"logs --reread":      rereadReply{},
	"machine probe":      probeReply{},
	"model convert":      convertedReply{},
	"model families":     familiesReply{},
	"model formulas":     formulasReply{},
	"model generate":     generatedReply{},
	"model info":         modelsReply{},
	"model register":     registerReply{},
	"model strip":        strippedReply{},
	"model unfold":       unfoldedReply{},
	"prove":              proveReply{},
	"publish":            publishReply{},
	"qualify":            qualify.Report{},
	"qualify --stripped": stripped.Report{},
	"score":              scoreReply{},
	"shard make":         shardMakeReply{},
	"shard merge":        shardMergeReply{},
	"simulate":           forecast.Forecast{},
	"status":             progress.Status{},
	"teams":              teamsReply{},
	"test":               testReply{},
	"tool list":          toolsReply{},
	"tool write":         writtenReply{},
	"try":                triedReply{},
	"verify":             verifyReply{},
	"version":            versionReply{},
	"whatif":             ask.Answer{},
}

// publishReply is what publish and contest wrote.
type publishReply struct {
	Directory string      `json:"directory"`
	Page      string      `json:"page,omitempty"`
	Scores    *ask.Scores `json:"scores,omitempty"`
}

// decideForm is that of all verbs of decide that take a decision.
const decideForm = "podium-decide/1"

type decideReply struct {
	Format   string             `json:"format"`
	Written  bool               `json:"written"`
	Decision decisions.Decision `json:"decision"`
}

type triedReply struct {
	Tool string     `json:"tool"`
	Runs []triedRun `json:"runs"`
}

// triedRun is a run; of tasks the one value is the verdict.
type triedRun struct {
	Instance    string `json:"instance"`
	Exam        string `json:"examination"`
	Said        string `json:"participation"`
	Termination string `json:"termination"`
	Ended       string `json:"ended"`
	CPU         int64  `json:"cpu_us"`
	Wall        int64  `json:"wall_us"`
	Memory      int64  `json:"memory_bytes"`
	trial.Marks
	Findings []string `json:"findings"`
}

// triedOf returns the runs of a trial.
func triedOf(t *trial.Record) triedReply {
	all := triedReply{Tool: t.Tool.Name, Runs: []triedRun{}}
	for _, c := range t.Cases {
		o := c.Result.Outcome
		all.Runs = append(all.Runs, triedRun{c.Run.Instance, string(c.Run.Exam), c.Result.Said.String(), string(o.Termination), o.Ended(),
			o.CPUTime.Microseconds(), o.WallTime.Microseconds(), o.MemoryPeak, c.Marks, findingsOf(c.Findings)})
	}
	return all
}

// findingsOf returns findings as lines.
func findingsOf(list diagnostic.List) []string {
	lines := []string{}
	for _, d := range list {
		lines = append(lines, d.Error())
	}
	return lines
}

type versionReply struct {
	Version string   `json:"version"`
	Go      string   `json:"go"`
	System  string   `json:"system"`
	Drivers []string `json:"drivers"`
	Guests  bool     `json:"guest_programs"`
}

type archivedReply struct {
	File string `json:"file,omitempty"`
	archive.Written
}

type verifyReply struct {
	File    string           `json:"file"`
	Agrees  bool             `json:"agrees"`
	Results *results.Report  `json:"results,omitempty"`
	Archive *verifiedArchive `json:"archive,omitempty"`
}

type verifiedArchive struct {
	*archive.Verified
	Deviations []string `json:"deviations"`
}

type proveReply struct {
	Exams        []certifiedExam  `json:"examinations"`
	Contradicted []contradiction  `json:"contradicted"`
	Alone        []contradiction  `json:"alone,omitempty"`
	Values       []certifiedValue `json:"values,omitempty"`
	Techniques   []referee.Work   `json:"techniques,omitempty"`
}

type certifiedValue struct {
	Instance string `json:"instance"`
	Exam     string `json:"examination"`
	Item     string `json:"item"`
	Value    string `json:"value"`
	By       string `json:"by"`
}

type certifiedExam struct {
	Exam examinations.ID `json:"examination"`
	referee.Tally
	Decided  int           `json:"decided"`
	Replayed *referee.Took `json:"replayed,omitempty"`
}

type contradiction struct {
	Instance string   `json:"instance"`
	Exam     string   `json:"examination"`
	Item     string   `json:"item"`
	Given    string   `json:"given"`
	Proved   string   `json:"proved,omitempty"`
	By       []string `json:"by,omitempty"`
}

type editionsReply struct {
	Editions []listedEdition `json:"editions"`
}

type listedEdition struct {
	ID    string   `json:"edition"`
	Title string   `json:"title"`
	Basis string   `json:"basis"`
	Exams []string `json:"examinations"`
}

type outputsReply struct {
	Outputs []checkedOutput `json:"outputs"`
}

type checkedOutput struct {
	File     string         `json:"file"`
	Instance string         `json:"instance,omitempty"`
	Exam     string         `json:"examination"`
	Values   []checkedValue `json:"values"`
}

type checkedValue struct {
	Item    string   `json:"item"`
	Value   string   `json:"value,omitempty"`
	Line    int      `json:"line,omitempty"`
	Known   string   `json:"known,omitempty"`
	Verdict string   `json:"verdict,omitempty"`
	By      []string `json:"by,omitempty"`
}

type clusterProblems struct {
	Problems []cluster.Problem `json:"problems"`
}

type decisionsReply struct {
	Decisions []decisions.Decision `json:"decisions"`
}

type accountsReply struct {
	Runs []explainedRun `json:"runs"`
}

type explainedRun struct {
	*explain.RunAccount
	Participation string      `json:"participation"` // in words
	Energy        *usedEnergy `json:"energy,omitempty"`
	Ended         *endedRun   `json:"ended,omitempty"`
}

// usedEnergy has figures in microjoules; 0 was not measured.
type usedEnergy struct {
	State  string `json:"state"` // measured, estimate, not measured
	Whole  int64  `json:"package_uj"`
	Core   int64  `json:"core_uj"`
	Uncore int64  `json:"uncore_uj"`
	DRAM   int64  `json:"dram_uj"`
	Why    string `json:"why,omitempty"`
}

type endedRun struct {
	Termination string           `json:"termination"`
	CPU         int64            `json:"cpu_us"`
	Wall        int64            `json:"wall_us"`
	Memory      int64            `json:"memory_bytes"`
	Measured    string           `json:"measured_by"`
	Binding     string           `json:"binding"`
	Answers     []answerInOutput `json:"answers"`
}

type answerInOutput struct {
	Item   string `json:"item"`
	Value  string `json:"value"`
	Line   int    `json:"line"`
	Offset int64  `json:"offset"`
	At     int64  `json:"at_us"`
}

type valueReply struct {
	*explain.ValueAccount
	Certainty string            `json:"certainty"` // in words
	Warnings  []explain.Warning `json:"warnings"`
	Witnesses []witnessOfTool   `json:"witnesses"`
}

type witnessOfTool struct {
	Tool   string `json:"tool"`
	State  string `json:"state"`
	Detail string `json:"detail"`
	said   string // the state in a sentence
}

type extendReply struct {
	planning.Joined
	Written bool `json:"written"`
}

type imageReply struct {
	File   string `json:"file"`
	Digest string `json:"sha256"`
}

type logReply struct {
	Tool          string `json:"tool"`
	Instance      string `json:"instance"`
	Exam          string `json:"examination"`
	Repetition    int    `json:"repetition,omitempty"`
	Termination   string `json:"termination"`
	Participation string `json:"participation"`
	Output        string `json:"output"`
}

type probeReply struct {
	Ways []host.Lives `json:"ways"`
}

type shardMergeReply struct {
	Copies  []mergedCopy `json:"copies"`
	Planned int          `json:"planned"`
	Done    int          `json:"done"`
}

type mergedCopy struct {
	Dir      string   `json:"directory"`
	Journals int      `json:"journals"`
	Bytes    int64    `json:"bytes"`
	Mended   int      `json:"mended"`
	Refused  []string `json:"refused"`
}

type familiesReply struct {
	Families []models.Family `json:"families"`
}

type formulasReply struct {
	Files []string `json:"files"`
}

type unfoldedReply struct {
	Instance    string `json:"instance"`
	Dir         string `json:"directory,omitempty"`
	File        string `json:"file,omitempty"`
	Map         string `json:"map,omitempty"`
	Places      int    `json:"places"`
	Transitions int    `json:"transitions"`
	Arcs        int    `json:"arcs"`
}

type convertedReply struct {
	File     string        `json:"file"`
	Changes  []pnml.Change `json:"changes"`
	Findings []string      `json:"findings"`
}

type generatedReply struct {
	Instances []writtenInstance `json:"instances"`
}

type writtenInstance struct {
	Instance string `json:"instance"`
	Dir      string `json:"directory"`
}

type registeredRecord struct {
	File string `json:"file"`
	registration.Record
	Instances []string `json:"instances"`
}

type registerReply struct {
	Records   []registeredRecord `json:"records"`
	Campaigns []string           `json:"campaigns"`
}

type strippedReply struct {
	Instance string `json:"instance"`
	Dir      string `json:"directory"`
	Sealed   string `json:"map"`
}

type modelsReply struct {
	Instances []modelInfo `json:"instances"`
}

type teamsReply struct {
	Packages []writtenPackage `json:"packages"`
}

type writtenPackage struct {
	Team  string   `json:"team"`
	Tools []string `json:"tools"`
	Page  string   `json:"page"`
}

type checkedWitnessReply struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Exam   string `json:"examination"`
	Item   string `json:"item"`
	Value  string `json:"value"`
	State  string `json:"state"`
	Proved string `json:"proved,omitempty"`
	Detail string `json:"detail"`
}

type rereadReply struct {
	Exams   []rereadExam `json:"examinations"`
	Changes []rereadRun  `json:"runs"`
	Written bool         `json:"written"`
}

type rereadExam struct {
	Exam      string `json:"examination"`
	Read      int    `json:"read"`
	Otherwise int    `json:"otherwise"`
}

type rereadRun struct {
	Tool     string   `json:"tool"`
	Instance string   `json:"instance"`
	Exam     string   `json:"examination"`
	Changes  []string `json:"changes"`
}

type shardMakeReply struct {
	Shards []writtenShard `json:"shards"`
}

type writtenShard struct {
	Dir    string   `json:"directory"`
	Models []string `json:"models"`
	Runs   int      `json:"runs"`
}

type toolsReply struct {
	Tools []listedTool `json:"tools"`
}

type listedTool struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version,omitempty"`
	Family  string `json:"family,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Authors string `json:"authors,omitempty"`
	Licence string `json:"licence,omitempty"`
	Home    string `json:"home,omitempty"`
	Archive string `json:"archive,omitempty"`
}

type testReply struct {
	*regression.Report
	Worse  int `json:"worse"`
	Undone int `json:"undone"`
}

type writtenReply struct {
	Tools []writtenTool `json:"tools"`
}

type writtenTool struct {
	Name string `json:"name"`
	Dir  string `json:"directory"`
}

// scoreReply are rankings, and with --provisional what they can still become.
type scoreReply struct {
	*ask.Scores
	Missing *int                      `json:"missing,omitempty"`
	Ranges  []judged.ProvisionalBoard `json:"ranges,omitempty"`
}
