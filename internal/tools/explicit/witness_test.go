//go:build unix

package explicit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock/clocktest"
	"podium/internal/realdata"
	"podium/internal/tools/engine"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml"
	"podium/pnml/unfold"
)

// left is what the tool leaves for one examination of a real instance.
type left struct {
	in      instance
	exam    examinations.ID
	net     *replay.Net
	answers map[string]string
	files   [][]byte
}

func (l *left) formula(item string) (formula.Formula, bool) {
	k := slices.IndexFunc(l.in.props[l.exam], func(p formula.Property) bool { return p.ID == item })
	if k < 0 {
		return nil, false
	}
	return l.in.props[l.exam][k].Formula, true
}

// replay returns the state of every claim of some text.
func (l *left) replay(t testing.TB, text []byte) []witness.Result {
	t.Helper()
	var all []witness.Result
	r := replay.NewReader(bytes.NewReader(text), l.net, replay.Options{File: "w", Instance: l.in.id.String(), Exam: l.exam})
	for r.Scan() {
		all = append(all, l.net.Check(t.Context(), r.Witness(), l.formula)...)
	}
	return all
}

// eachLeft answers every examination of every real instance, with witnesses.
func eachLeft(t *testing.T, visit func(l *left)) {
	dir := realdata.Dir(t)
	paths, err := filepath.Glob(filepath.Join(dir, "instances", *only+".tgz"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no instances (%v)", err)
	}
	for _, path := range paths {
		in := readInstance(t, path)
		view, err := unfold.Of(t.Context(), in.doc, unfold.Limits{Arcs: 1 << 22})
		if err != nil {
			t.Logf("%s is left out: %v", in.id, err)
			continue
		}
		for _, exam := range Examinations {
			l := &left{in: in, exam: exam, net: replay.NewNet(view)}
			var output bytes.Buffer
			task := engine.Task{Exam: exam, View: view, Properties: in.props[exam], Memory: 1 << 30, Cores: 1,
				Witnesses: &engine.Witnesses{Dir: t.TempDir(), Instance: in.id.String(), Exam: exam}}
			err := Engine{}.Answer(clocktest.Looks(looks), task, engine.NewPrinter(&output, exam))
			if err != nil || task.Witnesses.Err() != nil {
				t.Errorf("%s %s: %v, %v", in.id, exam, err, task.Witnesses.Err())
			}
			l.answers = answersIn(t, exam, output.Bytes())
			files, err := filepath.Glob(filepath.Join(task.Witnesses.Dir, "*"+witness.Suffix))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				l.files = append(l.files, text)
			}
			visit(l)
		}
	}
}

// demanded reports whether an answer must have a witness: EF true, AG false,
// deadlock, not one-safe, unbounded.
func demanded(exam examinations.ID, f formula.Formula, value examinations.Value) bool {
	switch exam {
	case examinations.StateSpace, examinations.UpperBounds, examinations.ReachabilityDeadlock, examinations.GlobalProperties, examinations.OneSafe:
		return replay.Provable(exam, nil, value)
	case examinations.ReachabilityCardinality, examinations.ReachabilityFireability:
		return replay.Provable(exam, f, value)
	}
	return false
}

// TestWitnesses: whatever a run can prove of the real instances is proved by one, and
// what is left of that after edits is refused.
func TestWitnesses(t *testing.T) {
	type count struct{ answers, provable, confirmed, demanded, missing, bounds int }
	tally := map[examinations.ID]*count{}
	largest := 0
	edited := map[string]int{}
	eachLeft(t, func(l *left) {
		l.spoil(t, edited)
		if tally[l.exam] == nil {
			tally[l.exam] = &count{}
		}
		n := tally[l.exam]
		confirmed := map[string]bool{}
		for _, text := range l.files {
			largest = max(largest, len(text))
			for _, r := range l.replay(t, text) {
				switch {
				case r.State != witness.Confirmed:
					t.Errorf("%s %s %s is %s: %s", l.in.id, l.exam, r.Claim, r.State, r.Detail)
				case r.Claim.AtLeast:
					n.bounds++
				default:
					confirmed[r.Claim.Item] = true
				}
			}
		}
		for item, text := range l.answers {
			f, _ := l.formula(item)
			value, _ := examinations.ParseValue(text, l.exam.Kind())
			n.answers++
			if replay.Provable(l.exam, f, value) {
				n.provable++
			}
			if confirmed[item] {
				n.confirmed++
			}
			if demanded(l.exam, f, value) {
				if n.demanded++; !confirmed[item] {
					n.missing++
					t.Logf("%s %s %s %s has no witness", l.in.id, l.exam, item, value)
				}
			}
		}
	})
	for _, exam := range Examinations {
		n := tally[exam]
		t.Logf("%-24s %4d answers, %4d of a kind that runs prove, %4d confirmed; of %3d demanded %d are missing; %d lower bounds", exam, n.answers, n.provable, n.confirmed, n.demanded, n.missing, n.bounds)
		if n.missing > 0 {
			t.Errorf("%s: %d of %d witnesses are missing", exam, n.missing, n.demanded)
		}
	}
	t.Logf("the largest witness has %d bytes", largest)
	t.Logf("spoilt witnesses that are refused: %v", edited)
	refused := 0
	for _, n := range edited {
		refused += n
	}
	if *only == "*" && (refused < 1000 || len(edited) < len(edits)-1) {
		t.Errorf("only these were tried: %v", edited)
	}
}

// plainly is a replay for tests only, on maps of ids. It tells whether every
// firing is possible.
type plainly struct {
	net    *pnml.Net
	tokens map[string]uint64
}

func (p *plainly) fire(id string) bool {
	t, ok := p.net.Transitions.Find(id)
	if !ok {
		return false
	}
	pre, weights := p.net.Pre.Row(t)
	for k, place := range pre {
		w := weights.At(k)
		name := p.net.Places.At(int(place))
		if p.tokens[name] < w {
			return false
		}
		p.tokens[name] -= w
	}
	post, weights := p.net.Post.Row(t)
	for k, place := range post {
		p.tokens[p.net.Places.At(int(place))] += weights.At(k)
	}
	return true
}

// fires replays the fire lines of a witness of a P/T net.
func fires(net *pnml.Net, text []byte) bool {
	p := &plainly{net: net}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch words[0] {
		case "run":
			p.tokens = map[string]uint64{}
			for i, n := range net.Initial {
				p.tokens[net.Places.At(i)] = n
			}
		case "fire":
			for _, id := range words[1:] {
				if !p.fire(id) {
					return false
				}
			}
		}
	}
	return true
}

// edits are the ways to spoil a witness. After one of bytes, anything may be right.
var edits = [...]string{"cut", "claim", "instance", "examination", "unknown", "insert", "delete", "replace", "bytes"}

// spoil edits a witness so that it proves its claims no more, and names the edit.
// Edits of runs may leave a proof: the caller asks the plain replay.
func spoil(rng *rand.Rand, net *pnml.Net, text string) (spoilt, edit string) {
	lines := strings.SplitAfter(text, "\n")
	pick := func(word string) int {
		var at []int
		for i, line := range lines {
			if strings.HasPrefix(line, word) {
				at = append(at, i)
			}
		}
		if len(at) == 0 {
			return -1
		}
		return at[rng.IntN(len(at))]
	}
	swap := func(word, from, to string) {
		if i := pick(word); i >= 0 {
			lines[i] = strings.Replace(lines[i], from, to, 1)
		}
	}
	edit = edits[rng.IntN(len(edits))]
	fire := pick("fire")
	some := net.Transitions.At(rng.IntN(max(net.Transitions.Len(), 1)))
	if fire < 0 && slices.Contains([]string{"unknown", "insert", "delete", "replace"}, edit) {
		edit = "cut"
	}
	switch edit {
	case "cut":
		return text[:rng.IntN(len(text)-len("end\n"))], edit
	case "claim":
		switch {
		case strings.Contains(text, " TRUE\n"):
			swap("value", " TRUE", " FALSE")
		case strings.Contains(text, " FALSE\n"):
			swap("value", " FALSE", " TRUE")
		case strings.Contains(text, " +inf\n"):
			for i, line := range lines {
				if strings.HasPrefix(line, "value") {
					lines[i] = strings.Replace(line, " +inf", " 12", 1)
				}
			}
		default:
			swap("value", " >=", " >=1000000000000")
		}
	case "instance":
		swap("instance", "instance ", "instance X")
	case "examination":
		swap("examination", "examination ", "examination X")
	case "unknown":
		words := strings.Fields(lines[fire])
		words[1+rng.IntN(len(words)-1)] = "no_such_transition_" + fmt.Sprint(rng.Uint32())
		lines[fire] = strings.Join(words, " ") + "\n"
	case "bytes":
		b := []byte(text)
		b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		return string(b), edit
	default:
		words := strings.Fields(lines[fire])
		at := 1 + rng.IntN(len(words)-1)
		switch edit {
		case "insert":
			words = slices.Insert(words, at, some)
		case "delete":
			words = slices.Delete(words, at, at+1)
		case "replace":
			words[at] = some
		}
		lines[fire] = strings.Join(words, " ") + "\n"
	}
	return strings.Join(lines, ""), edit
}

// spoil edits the witnesses of a P/T net at random. Those are refused that prove
// nothing by their construction, and those whose runs a plain replay cannot fire; they
// are counted by kind of edit.
func (l *left) spoil(t *testing.T, edited map[string]int) {
	if l.in.doc.Net == nil {
		return
	}
	for k, text := range l.files {
		if len(text) > 1<<16 || k >= 4 {
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(len(text)), uint64(k)))
		for range 6 {
			spoilt, edit := spoil(rng, l.in.doc.Net, string(text))
			if edit == "bytes" {
				l.replay(t, []byte(spoilt)) // must only not fail
				continue
			}
			byRun := slices.Contains([]string{"insert", "delete", "replace"}, edit)
			if byRun && fires(l.in.doc.Net, []byte(spoilt)) {
				continue // may be a proof still
			}
			edited[edit]++
			for _, r := range l.replay(t, []byte(spoilt)) {
				if r.State == witness.Confirmed && !(edit == "claim" && strings.Count(spoilt, "value ") > 1) {
					t.Errorf("%s %s: %s is taken after the edit %s:\n%.2000s", l.in.id, l.exam, r.Claim, edit, spoilt)
				}
			}
		}
	}
}
