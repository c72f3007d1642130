package columns

// run is a run that took place: neither absent nor void.
type run struct {
	Tool          string   `parquet:"tool,dict" json:"tool"`
	Team          string   `parquet:"team,dict" json:"team"`
	Instance      string   `parquet:"instance,dict" json:"instance"`
	Model         string   `parquet:"model,dict" json:"model"`
	Parameter     *string  `parquet:"parameter,dict,optional" json:"parameter"`
	Kind          *string  `parquet:"kind,dict,optional" json:"kind"`
	Class         string   `parquet:"class,dict" json:"class"`
	Examination   string   `parquet:"examination,dict" json:"examination"`
	Category      string   `parquet:"category,dict" json:"category"`
	Participation string   `parquet:"participation,dict" json:"participation"`
	Termination   *string  `parquet:"termination,dict,optional" json:"termination"`
	Host          *string  `parquet:"host,dict,optional" json:"host"`
	Started       *int64   `parquet:"started,optional,timestamp(microsecond)" json:"started"`
	CPU           *int64   `parquet:"cpu_us,optional" json:"cpu_us"`
	Wall          *int64   `parquet:"wall_us,optional" json:"wall_us"`
	Memory        *int64   `parquet:"memory_bytes,optional" json:"memory_bytes"`
	Energy        *int64   `parquet:"energy_uj,optional" json:"energy_uj"`
	Core          *int64   `parquet:"energy_core_uj,optional" json:"energy_core_uj"`
	Uncore        *int64   `parquet:"energy_uncore_uj,optional" json:"energy_uncore_uj"`
	DRAM          *int64   `parquet:"energy_dram_uj,optional" json:"energy_dram_uj"`
	Units         *int64   `parquet:"units,optional" json:"units"`
	Points        *float64 `parquet:"points,optional" json:"points"`
	NoScore       *string  `parquet:"no_score,dict,optional" json:"no_score"`
	Flags         []string `parquet:"flags,list" json:"flags"`
	Fastest       bool     `parquet:"fastest" json:"fastest"`
	Smallest      bool     `parquet:"smallest" json:"smallest"`
}

// answer is a value that a run which answered was asked for.
type answer struct {
	Tool        string   `parquet:"tool,dict" json:"tool"`
	Instance    string   `parquet:"instance,dict" json:"instance"`
	Examination string   `parquet:"examination,dict" json:"examination"`
	Item        string   `parquet:"value_id,dict" json:"value_id"`
	Answer      *string  `parquet:"answer,dict,optional" json:"answer"`
	Mark        string   `parquet:"mark,dict" json:"mark"`
	Reference   *string  `parquet:"reference,dict,optional" json:"reference"`
	Techniques  []string `parquet:"techniques,list" json:"techniques"`
	At          *int64   `parquet:"at_us,optional" json:"at_us"`
}

// point is an addend of the score of a run.
type point struct {
	Tool        string   `parquet:"tool,dict" json:"tool"`
	Instance    string   `parquet:"instance,dict" json:"instance"`
	Examination string   `parquet:"examination,dict" json:"examination"`
	Item        *string  `parquet:"value_id,dict,optional" json:"value_id"`
	Rule        string   `parquet:"rule,dict" json:"rule"`
	Reason      string   `parquet:"reason,dict" json:"reason"`
	Points      float64  `parquet:"points" json:"points"`
	Raw         *float64 `parquet:"raw_points,optional" json:"raw_points"`
}

// reference is a value that was asked for.
type reference struct {
	Instance    string  `parquet:"instance,dict" json:"instance"`
	Model       string  `parquet:"model,dict" json:"model"`
	Kind        *string `parquet:"kind,dict,optional" json:"kind"`
	Examination string  `parquet:"examination,dict" json:"examination"`
	Item        string  `parquet:"value_id,dict" json:"value_id"`
	Reference   *string `parquet:"reference,dict,optional" json:"reference"`
	Clause      string  `parquet:"clause,dict" json:"clause"`
	Votes       int32   `parquet:"votes" json:"votes"`
	Supporters  int32   `parquet:"supporters" json:"supporters"`
	Referee     *string `parquet:"referee,dict,optional" json:"referee"`
	Proved      *string `parquet:"proved,dict,optional" json:"proved"`
	Evidence    *string `parquet:"evidence,dict,optional" json:"evidence"`
}

// ranking is a tool in a category.
type ranking struct {
	Category   string  `parquet:"category,dict" json:"category"`
	Tool       string  `parquet:"tool,dict" json:"tool"`
	Team       string  `parquet:"team,dict" json:"team"`
	Rank       *int32  `parquet:"rank,optional" json:"rank"`
	Points     float64 `parquet:"points" json:"points"`
	Right      int32   `parquet:"right" json:"right"`
	Wrong      int32   `parquet:"wrong" json:"wrong"`
	SuccessCPU int64   `parquet:"success_cpu_us" json:"success_cpu_us"`
}

// tool is a participant.
type tool struct {
	Tool             string  `parquet:"tool" json:"tool"`
	Team             string  `parquet:"team" json:"team"`
	OutOfCompetition bool    `parquet:"out_of_competition" json:"out_of_competition"`
	Consistent       int32   `parquet:"consistent" json:"consistent"`
	Answered         int32   `parquet:"answered" json:"answered"`
	Agreed           int32   `parquet:"agreed" json:"agreed"`
	Confidence       float64 `parquet:"confidence" json:"confidence"`
}
