//go:build unix

package explicit

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"math/big"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock/clocktest"
	"podium/internal/realdata"
	"podium/internal/tools/engine"
	"podium/internal/yardstick"
	"podium/pnml/unfold"
)

var (
	full  = flag.Bool("full", false, "give every examination of the small real instances 60 s of processor time and 8 GB, and demand all their answers")
	only  = flag.String("only", "*", "the instances to look at, a pattern of file names without extension")
	large = flag.Duration("large", 5*time.Second, "with -full, the time for every examination of the large instances")
)

// looks is how often the clock is looked at in each examination of a real instance. It
// counts the work that is done, so that what is answered does not depend on how busy the
// computer is.
const looks = 500

// TestOracle runs every examination on every real instance, P/T or coloured, until the
// clock was looked at for the last time: no answer may contradict the agreed one. With
// -full, instances with fewer than two million markings must be answered whole.
func TestOracle(t *testing.T) {
	dir := realdata.Dir(t)
	oracle := readOracle(t)
	paths, err := filepath.Glob(filepath.Join(dir, "instances", *only+".tgz"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("only %d instances (%v)", len(paths), err)
	}
	tally := map[examinations.ID]*[3]int{} // answered, of the values with an agreed one, of all
	for _, path := range paths {
		in := readInstance(t, path)
		small := isSmall(oracle[examinations.Key{Instance: in.id, Exam: examinations.StateSpace, Item: "STATES"}])
		limit, memory := time.Duration(0), int64(512<<20)
		switch {
		case *full && small:
			limit, memory = 20*time.Minute, 8<<30 // the clock says little on a busy machine
		case *full:
			limit, memory = *large, 8<<30
		}
		for _, exam := range Examinations {
			if tally[exam] == nil {
				tally[exam] = new([3]int)
			}
			start := yardstick.CPUTime()
			n := checkAgainst(t, oracle, in, exam, limit, memory, small && *full, tally[exam])
			took := yardstick.CPUTime() - start
			if *full && small && took > time.Minute {
				t.Errorf("%s %s took %v of processor time", in.id, exam, took)
			}
			if *full && (took > 10*time.Second || n < len(exam.Items(formula.IDs(in.props[exam])))) {
				t.Logf("%s %s: %d of %d in %.1f s", in.id, exam, n, len(exam.Items(formula.IDs(in.props[exam]))), took.Seconds())
			}
		}
	}
	compared := 0
	for _, exam := range Examinations {
		n := tally[exam]
		compared += n[1]
		t.Logf("%-24s %4d of %4d values answered, %4d of them with an agreed answer", exam, n[0], n[2], n[1])
		if *only == "*" && n[1] == 0 && exam != examinations.GlobalProperties {
			t.Errorf("%s: nothing was compared", exam)
		}
	}
	if *only == "*" && compared < realdata.Least(2000, 1000) {
		t.Errorf("only %d values were compared", compared)
	}
}

func isSmall(states examinations.Value) bool {
	n, ok := new(big.Int).SetString(states.Text, 10)
	return ok && n.Cmp(big.NewInt(2_000_000)) < 0
}

func checkAgainst(t *testing.T, oracle map[examinations.Key]examinations.Value, in instance, exam examinations.ID, limit time.Duration, memory int64, all bool, tally *[3]int) int {
	t.Helper()
	var ctx context.Context = clocktest.Looks(looks)
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(t.Context(), limit)
		defer cancel()
	}
	var output bytes.Buffer
	task := engine.Task{Exam: exam, Properties: in.props[exam], Memory: memory, Cores: 2, Budget: limit}
	var large *unfold.TooLarge
	var err error
	if task.View, err = task.Unfold(t.Context(), in.doc); err == nil {
		err = Engine{}.Answer(ctx, task, engine.NewPrinter(&output, exam))
	}
	if err != nil && !errors.As(err, &large) {
		t.Errorf("%s %s: %v", in.id, exam, err)
	}
	answers, items := answersIn(t, exam, output.Bytes()), exam.Items(formula.IDs(in.props[exam]))
	for item, got := range answers {
		if !slices.Contains(items, item) {
			t.Errorf("%s %s: %s was not asked for", in.id, exam, item)
		}
		tally[0]++
		want, known := oracle[examinations.Key{Instance: in.id, Exam: exam, Item: item}]
		if !known {
			continue
		}
		tally[1]++
		if got != want.Text {
			t.Errorf("%s %s %s: answered %s, agreed is %s", in.id, exam, item, got, want.Text)
		}
	}
	tally[2] += len(items)
	if all && len(answers) != len(items) {
		t.Errorf("%s %s: %d of %d values answered on a small instance", in.id, exam, len(answers), len(items))
	}
	return len(answers)
}

// TestUnknownExamination: the tool says that it takes no part.
func TestUnknownExamination(t *testing.T) {
	var output bytes.Buffer
	b := builder()
	if err := (Engine{}).Answer(t.Context(), engine.Task{Exam: "Sortedness", View: unfold.Plain(b)}, engine.NewPrinter(&output, "Sortedness")); err != nil {
		t.Fatal(err)
	}
	if output.String() != "DO_NOT_COMPETE\n" {
		t.Errorf("printed %q", output.String())
	}
}
