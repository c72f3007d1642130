package columns

// run is a run that took place: neither absent nor void.
type run struct {
	Tool          string   `parquet:"tool,dict"`
	Team          string   `parquet:"team,dict"`
	Instance      string   `parquet:"instance,dict"`
	Model         string   `parquet:"model,dict"`
	Parameter     *string  `parquet:"parameter,dict,optional"`
	Kind          *string  `parquet:"kind,dict,optional"`
	Class         string   `parquet:"class,dict"`
	Examination   string   `parquet:"examination,dict"`
	Category      string   `parquet:"category,dict"`
	Participation string   `parquet:"participation,dict"`
	Termination   *string  `parquet:"termination,dict,optional"`
	Host          *string  `parquet:"host,dict,optional"`
	Started       *int64   `parquet:"started,optional,timestamp(microsecond)"`
	CPU           *int64   `parquet:"cpu_us,optional"`
	Wall          *int64   `parquet:"wall_us,optional"`
	Memory        *int64   `parquet:"memory_bytes,optional"`
	Energy        *int64   `parquet:"energy_uj,optional"`
	Units         *int64   `parquet:"units,optional"`
	Points        *float64 `parquet:"points,optional"`
	NoScore       *string  `parquet:"no_score,dict,optional"`
	Flags         []string `parquet:"flags,list"`
	Fastest       bool     `parquet:"fastest"`
	Smallest      bool     `parquet:"smallest"`
}

// answer is a value that a run which answered was asked for.
type answer struct {
	Tool        string   `parquet:"tool,dict"`
	Instance    string   `parquet:"instance,dict"`
	Examination string   `parquet:"examination,dict"`
	Item        string   `parquet:"value_id,dict"`
	Answer      *string  `parquet:"answer,dict,optional"`
	Mark        string   `parquet:"mark,dict"`
	Reference   *string  `parquet:"reference,dict,optional"`
	Techniques  []string `parquet:"techniques,list"`
	At          *int64   `parquet:"at_us,optional"`
}

// point is an addend of the score of a run.
type point struct {
	Tool        string   `parquet:"tool,dict"`
	Instance    string   `parquet:"instance,dict"`
	Examination string   `parquet:"examination,dict"`
	Item        *string  `parquet:"value_id,dict,optional"`
	Rule        string   `parquet:"rule,dict"`
	Reason      string   `parquet:"reason,dict"`
	Points      float64  `parquet:"points"`
	Raw         *float64 `parquet:"raw_points,optional"`
}

// reference is a value that was asked for.
type reference struct {
	Instance    string  `parquet:"instance,dict"`
	Model       string  `parquet:"model,dict"`
	Kind        *string `parquet:"kind,dict,optional"`
	Examination string  `parquet:"examination,dict"`
	Item        string  `parquet:"value_id,dict"`
	Reference   *string `parquet:"reference,dict,optional"`
	Clause      string  `parquet:"clause,dict"`
	Votes       int32   `parquet:"votes"`
	Supporters  int32   `parquet:"supporters"`
	Referee     *string `parquet:"referee,dict,optional"`
	Proved      *string `parquet:"proved,dict,optional"`
	Evidence    *string `parquet:"evidence,dict,optional"`
}

// ranking is a tool in a category.
type ranking struct {
	Category   string  `parquet:"category,dict"`
	Tool       string  `parquet:"tool,dict"`
	Team       string  `parquet:"team,dict"`
	Rank       *int32  `parquet:"rank,optional"`
	Points     float64 `parquet:"points"`
	Right      int32   `parquet:"right"`
	Wrong      int32   `parquet:"wrong"`
	SuccessCPU int64   `parquet:"success_cpu_us"`
}

// tool is a participant.
type tool struct {
	Tool             string  `parquet:"tool"`
	Team             string  `parquet:"team"`
	OutOfCompetition bool    `parquet:"out_of_competition"`
	Consistent       int32   `parquet:"consistent"`
	Answered         int32   `parquet:"answered"`
	Agreed           int32   `parquet:"agreed"`
	Confidence       float64 `parquet:"confidence"`
}
