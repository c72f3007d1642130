package edition

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/confidence"
	"podium/examinations"
	"podium/internal/yaml"
	"podium/models"
	"podium/scoring"
)

// Format is the value of the key "format" in the file of an edition.
const Format = "podium-edition/1"

var topKeys = []string{"format", "id", "title", "basis", "sources", "known", "inferred", "unknown", "unit", "compare", "votes",
	"examinations", "limits", "given", "classes", "witnesses", "verdicts",
	"qualification", "out_of_competition", "first_time", "opt_out", "demo", "rankings", "consistent", "confidence", "elect", "certified", "flags", "not_judged", "scoring", "ranking", "metas"}

// reader reads the document of an edition, and keeps the functions that it names.
type reader struct {
	yaml.Walker
	uses []use
}

// edition reads the whole document.
func (r *reader) edition(data []byte) *Edition {
	root := r.Root(data)
	if root == nil {
		return nil
	}
	top := r.Mapping(root, "an edition", topKeys)
	if top == nil {
		return nil
	}
	if format := r.Text(top, root, "format", false); format != "" && format != Format {
		r.Fail(top["format"].Value, "edition-format", "", "the format is %q, not %q", format, Format)
	}
	e := &Edition{
		ID:       r.Text(top, root, "id", false),
		Title:    r.Text(top, root, "title", true),
		Basis:    r.Text(top, root, "basis", true),
		Sources:  r.Words(top, "sources"),
		Known:    r.Words(top, "known"),
		Inferred: r.Words(top, "inferred"),
		Unknown:  r.Words(top, "unknown"),

		Qualification:    r.qualification(top),
		OutOfCompetition: r.Words(top, "out_of_competition"),
		FirstTime:        r.Words(top, "first_time"),
		OptOut:           r.optOut(top),
		Witnesses:        r.witnesses(top),
		Verdicts:         r.verdicts(top, root),
		Kinds:            map[examinations.ID]examinations.Kind{},
	}
	if e.Basis != "" && (!slices.Contains(Standings, e.Standing()) || e.Standing() == e.Basis) {
		r.Fail(top["basis"].Value, "edition-value", "", "basis says verified, read or inferred, then a colon, and why")
	}
	r.examinations(top, root, e)
	r.limits(top, e)
	e.Given = r.given(top)
	r.classes(top, e)
	e.Scheme = r.scheme(top, root, e)
	e.Scheme.Name = e.ID
	e.uses = r.uses
	return e
}

func (r *reader) examinations(top map[string]yaml.Entry, root yaml.Node, e *Edition) {
	list := r.List(top, "examinations")
	if len(list) == 0 {
		r.Fail(root, "edition-missing-key", "", "an edition lists its examinations")
	}
	for _, n := range list {
		in := r.Mapping(n, "an examination", []string{"id", "category", "kind", "items", "values", "points", "intervals"})
		if in == nil {
			continue
		}
		x := scoring.Examination{
			ID:       examinations.ID(r.Text(in, n, "id", false)),
			Category: r.Text(in, n, "category", true),
			Items:    r.Words(in, "items"),
		}
		if x.Category == "" {
			x.Category = string(x.ID)
		}
		if _, twice := e.Kinds[x.ID]; twice {
			r.Fail(n, "edition-repeated-key", "", "the examination %s is listed twice", x.ID)
		}
		e.Kinds[x.ID] = r.kind(in, n)
		x.Intervals = r.intervals(in, n, x.ID)
		x.Required = r.required(in, n, x.Items)
		x.Points = r.points(in, n, x.Required)
		e.Examinations = append(e.Examinations, x)
	}
}

// intervals reads whether answers may be intervals (E-3.2).
func (r *reader) intervals(in map[string]yaml.Entry, at yaml.Node, id examinations.ID) bool {
	e, given := in["intervals"]
	if given && (id != examinations.UpperBounds || r.Text(in, at, "intervals", false) != "information") {
		r.Fail(e.Value, "edition-value", "", "intervals: information lets tools answer UpperBounds by intervals, which are shown; no rule says how they are scored")
	}
	return given
}

func (r *reader) kind(in map[string]yaml.Entry, at yaml.Node) examinations.Kind {
	switch word := r.Text(in, at, "kind", false); word {
	case "nat":
		return examinations.Nat
	case "bool", "":
	default:
		r.Fail(in["kind"].Value, "edition-value", "", "the kind of values is bool or nat, not %q", word)
	}
	return examinations.Bool
}

// maxValues bounds the number of values of one examination.
const maxValues = 1 << 20

func (r *reader) required(in map[string]yaml.Entry, at yaml.Node, items []string) int {
	if items != nil {
		if v, ok := in["values"]; ok {
			r.Fail(v.Key, "edition-value", "", "an examination has items or a number of values, not both")
		}
		for i, item := range items {
			if slices.Contains(items[:i], item) {
				r.Fail(in["items"].Key, "edition-value", "", "the item %s is listed twice", item)
			}
		}
		return len(items)
	}
	n, err := strconv.Atoi(r.Text(in, at, "values", false))
	if err != nil || n < 1 || n > maxValues {
		r.Fail(at, "edition-value", "", "values is a number from 1 to %d", maxValues)
		return 1
	}
	return n
}

// maxPoints bounds the points of one examination.
const maxPoints = 10_000

// points reads a total that is shared equally, or one number per value.
func (r *reader) points(in map[string]yaml.Entry, at yaml.Node, required int) []int64 {
	e, ok := in["points"]
	if !ok {
		return []int64{1}
	}
	if _, isList := yaml.Elements(e.Value); isList {
		var points []int64
		for _, word := range r.Words(in, "points") {
			points = append(points, r.number(e.Value, "points", word))
		}
		if len(points) != required {
			r.Fail(e.Value, "edition-value", "", "%d points are listed for %d values", len(points), required)
			return []int64{1}
		}
		return points
	}
	total := r.number(e.Value, "points", r.Text(in, at, "points", false))
	if total%int64(required) != 0 {
		r.Fail(e.Value, "edition-points", fmt.Sprintf("choose a unit of 1/%d and %d times the points everywhere", required, required),
			"%d points do not divide among %d values", total, required)
		return []int64{1}
	}
	return []int64{total / int64(required)}
}

func (r *reader) number(at yaml.Node, what, word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < -maxPoints || n > maxPoints {
		r.Fail(at, "edition-value", "", "%s is a whole number up to %d, not %q", what, maxPoints, word)
		return 0
	}
	return n
}

func (r *reader) limits(top map[string]yaml.Entry, e *Edition) {
	at, ok := top["limits"]
	if !ok {
		return
	}
	in := r.Mapping(at.Value, "limits", []string{"pinned", "sequential", "concurrent", "violation", "correctness"})
	if pinned, ok := in["pinned"]; ok {
		unit := r.Text(in, at.Value, "pinned", false)
		if unit != "model" && unit != "instance" {
			r.Fail(pinned.Value, "edition-value", "", "pinned is model or instance: all runs of one are done on one computer (E-5.1)")
		}
		e.Limits.PinInstances = unit == "instance"
	}
	for name, into := range map[string]*Confinement{"sequential": &e.Limits.Sequential, "concurrent": &e.Limits.Concurrent} {
		entry, ok := in[name]
		if !ok {
			r.Fail(at.Key, "edition-missing-key", "", "limits have the keys sequential and concurrent")
			continue
		}
		*into = r.confinement(entry.Value)
	}
	for name, into := range map[string]**Confinement{"violation": &e.Limits.Violation, "correctness": &e.Limits.Correctness} {
		if entry, ok := in[name]; ok {
			c := r.confinement(entry.Value, "share")
			*into = &c
			r.share(entry.Value, &c, e.Limits.Sequential.CPU)
		}
	}
}

// given reads what runs are given of instances.
func (r *reader) given(top map[string]yaml.Entry) models.Handout {
	at, ok := top["given"]
	if !ok {
		return models.GiveWithoutAsked
	}
	h := models.Handout(r.Text(top, at.Key, "given", false))
	if !slices.Contains(models.Handouts, h) {
		r.Fail(at.Value, "edition-value", "", "given is all, without-asked or no-form, not %q", h)
	}
	return h
}

// share reads the CPU time of validators as a part of that of verifiers: 10%. It is theirs where
// no other is given.
func (r *reader) share(n yaml.Node, c *Confinement, cpu time.Duration) {
	in := r.Mapping(n, "a limit", nil)
	e, ok := in["share"]
	if !ok {
		return
	}
	digits, percent := strings.CutSuffix(r.Text(in, e.Key, "share", false), "%")
	share, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case !percent || err != nil || share < 1 || share > 1000:
		r.Fail(e.Value, "edition-value", "", "share is a part of the verifiers' CPU time, from 1%% to 1000%%")
		return
	case cpu == 0:
		r.Fail(e.Value, "edition-value", "", "share needs a limit of CPU time of sequential tools")
		return
	}
	if c.Share = share; c.CPU == 0 {
		c.CPU = cpu / 100 * time.Duration(share)
	}
}

func (r *reader) confinement(n yaml.Node, extra ...string) Confinement {
	in := r.Mapping(n, "a limit", append([]string{"cpu", "wall", "memory", "cores"}, extra...))
	c := Confinement{
		CPU:    r.duration(in, "cpu"),
		Wall:   r.duration(in, "wall"),
		Memory: r.size(in, n),
	}
	cores, err := strconv.Atoi(r.Text(in, n, "cores", false))
	if err != nil || cores < 1 || cores > 4096 {
		r.Fail(n, "edition-value", "", "cores is a number from 1 to 4096")
	}
	c.Cores = cores
	return c
}

func (r *reader) duration(in map[string]yaml.Entry, name string) time.Duration {
	e, ok := in[name]
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(r.Text(in, e.Key, name, false))
	if err != nil || d <= 0 {
		r.Fail(e.Value, "edition-value", "", "%s is a duration such as 1h, 15m or 90s", name)
	}
	return d
}

var byteUnits = []struct {
	suffix string
	bytes  int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"GB", 1_000_000_000}, {"MB", 1_000_000}}

func (r *reader) size(in map[string]yaml.Entry, at yaml.Node) int64 {
	text := r.Text(in, at, "memory", false)
	for _, u := range byteUnits {
		if digits, ok := strings.CutSuffix(text, u.suffix); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
			if err == nil && n > 0 && n <= math.MaxInt64/u.bytes {
				return n * u.bytes
			}
		}
	}
	if e, ok := in["memory"]; ok {
		at = e.Value
	}
	r.Fail(at, "edition-value", "", "memory is a size such as 16GB, 16GiB or 512MB")
	return 0
}

func (r *reader) classes(top map[string]yaml.Entry, e *Edition) {
	at, ok := top["classes"]
	if !ok {
		return
	}
	in := r.Mapping(at.Value, "classes", []string{"surprise", "stripped_prefix"})
	e.Classes = Classes{Surprise: r.Words(in, "surprise"), StrippedPrefix: r.Text(in, at.Value, "stripped_prefix", true)}
}

// scheme reads everything that names functions.
func (r *reader) scheme(top map[string]yaml.Entry, root yaml.Node, e *Edition) *scoring.Scheme {
	s := &scoring.Scheme{Unit: r.unit(top)}
	if c, ok := top["compare"]; ok {
		word := r.Text(top, root, "compare", false)
		display, known := comparisons[word]
		if !known {
			r.Fail(c.Value, "edition-value", "", "compare is exact or displayed, not %q", word)
		}
		s.Display = display
	}
	if v, ok := top["votes"]; ok {
		switch word := r.Text(top, root, "votes", false); word {
		case "every-tool":
		case "one-per-family":
			s.OnePerFamily = true
		case "competitors":
			s.CompetitorsVote = true
		default:
			r.Fail(v.Value, "edition-value", "", "votes is every-tool, one-per-family or competitors, not %q", word)
		}
	}
	r.voting(top, root, s)
	r.flags(top, s)
	r.notJudged(top, s, e)
	r.rules(top, root, s)
	r.metas(top, s)
	s.Alternatives, s.Demo = r.rankings(top), r.Words(top, "demo")
	if at, ok := top["certified"]; ok {
		if f, args, _, ok := call(r, at.Value, "certified", functionsOf(certifiedFunctions)); ok {
			s.Certified = certifiedFunctions[f].Make(args)
		}
	}
	if at, ok := top["ranking"]; ok {
		if f, args, _, ok := call(r, at.Value, "ranking", functionsOf(rankingFunctions)); ok {
			s.Ranking = rankingFunctions[f].Make(args)
		}
	} else {
		r.Fail(root, "edition-missing-key", "", "the key %q is missing", "ranking")
	}
	return s
}

func (r *reader) unit(top map[string]yaml.Entry) int64 {
	e, ok := top["unit"]
	if !ok {
		return 1
	}
	text, _ := yaml.Scalar(e.Value)
	u, err := confidence.ParseRatio(text)
	if err != nil || u.Num() != 1 {
		r.Fail(e.Value, "edition-value", "", "unit is 1 or a part of one point such as 1/100, not %q", text)
		return 1
	}
	return u.Den()
}

// voting reads the three functions of E-2 and E-3.
func (r *reader) voting(top map[string]yaml.Entry, root yaml.Node, s *scoring.Scheme) {
	elect, ok := top["elect"]
	if !ok {
		r.Fail(root, "edition-missing-key", "", "the key %q is missing", "elect")
		return
	}
	if f, args, _, ok := call(r, elect.Value, "elect", functionsOf(electFunctions)); ok {
		s.Elect = electFunctions[f].Make(args)
		if s.Elect == nil {
			return // an oracle needs no confidences
		}
	}
	for _, name := range []string{"consistent", "confidence"} {
		if _, ok := top[name]; !ok {
			r.Fail(root, "edition-missing-key", "", "the key %q is missing", name)
			return
		}
	}
	if f, args, _, ok := call(r, top["consistent"].Value, "consistent", functionsOf(consistentFunctions)); ok {
		s.Consistent = consistentFunctions[f].Make(args)
	}
	if f, args, _, ok := call(r, top["confidence"].Value, "confidence", functionsOf(shareFunctions)); ok {
		s.Share = shareFunctions[f].Make(args)
	}
}

func (r *reader) flags(top map[string]yaml.Entry, s *scoring.Scheme) {
	list := r.List(top, "flags")
	if len(list) > scoring.MaxFlags {
		r.Fail(top["flags"].Value, "edition-value", "", "an edition has at most %d flags", scoring.MaxFlags)
		return
	}
	for _, n := range list {
		f, args, extra, ok := call(r, n, "flags", functionsOf(flagFunctions), "rule", "name", "effect")
		if !ok {
			continue
		}
		flag := scoring.Flag{Name: extra["name"], Rule: extra["rule"], Found: flagFunctions[f].Doc, Detect: flagFunctions[f].Make(args)}
		if word, given := extra["effect"]; given {
			effect, known := effects[word]
			if !known {
				r.Fail(n, "edition-value", "", "the effect of a flag is shown, set-aside or all-wrong, not %q", word)
			}
			flag.Effect = effect
		}
		if flag.Detect == nil && flag.Effect != scoring.ShowOnly {
			r.Fail(n, "edition-value", "", "any-wrong depends on the references, so its effect can only be shown")
		}
		s.Flags = append(s.Flags, flag)
	}
}

func (r *reader) notJudged(top map[string]yaml.Entry, s *scoring.Scheme, e *Edition) {
	for _, n := range r.List(top, "not_judged") {
		in := r.Mapping(n, "not_judged", []string{"examination", "item", "net"})
		if in == nil {
			continue
		}
		x := scoring.NotJudged{Exam: examinations.ID(r.Text(in, n, "examination", false)), Item: r.Text(in, n, "item", false)}
		if _, known := e.Kinds[x.Exam]; !known {
			r.Fail(n, "edition-value", "", "the edition has no examination %s", x.Exam)
		}
		switch r.Text(in, n, "net", false) {
		case "COL":
			x.Kind = models.COL
		case "PT":
			x.Kind = models.PT
		default:
			r.Fail(n, "edition-value", "", "net is COL or PT")
		}
		s.NotJudged = append(s.NotJudged, x)
	}
}

func (r *reader) rules(top map[string]yaml.Entry, root yaml.Node, s *scoring.Scheme) {
	list := r.List(top, "scoring")
	if len(list) == 0 {
		r.Fail(root, "edition-missing-key", "", "the list %q is missing or empty", "scoring")
	}
	for _, n := range list {
		f, args, extra, ok := call(r, n, "scoring", functionsOf(ruleFunctions), "rule", "only")
		if !ok {
			continue
		}
		if only, given := extra["only"]; given && only != "nets" && only != "tasks" {
			r.Fail(n, "edition-value", "", "only is nets or tasks, not %q", only)
		}
		if extra["rule"] == "" {
			r.Fail(n, "edition-missing-key", "", "a rule names its number in the rules of the contest: rule: E-4.2")
		}
		s.Rules = append(s.Rules, scoring.Rule{ID: extra["rule"], Apply: use{only: extra["only"]}.onlyOf(ruleFunctions[f].Make(args))})
	}
}

// metas reads {id: C-Overall, of: [...], fn: normalised}.
func (r *reader) metas(top map[string]yaml.Entry, s *scoring.Scheme) {
	for _, n := range r.List(top, "metas") {
		in := r.Mapping(n, "a meta category", []string{"id", "of", "fn"})
		if in == nil {
			continue
		}
		m := scoring.Meta{Name: r.Text(in, n, "id", false), Of: r.Words(in, "of")}
		switch word := r.Text(in, n, "fn", false); word {
		case "sum":
		case "normalised":
			m.Normalised = true
		default:
			r.Fail(n, "edition-unknown-function", "one of sum, normalised", "metas has no function %q", word)
		}
		r.patterns(in, "of", m.Of)
		if len(m.Of) == 0 {
			r.Fail(n, "edition-missing-key", "", "a meta category lists its parts: of: [...]")
		}
		s.Metas = append(s.Metas, m)
	}
}

// rankings reads the names of the rankings that are published besides.
func (r *reader) rankings(top map[string]yaml.Entry) (list []scoring.Alternative) {
	for i, word := range r.Words(top, "rankings") {
		at := slices.IndexFunc(scoring.Alternatives, func(a scoring.Alternative) bool { return a.String() == word })
		if at < 0 || slices.Contains(list, scoring.Alternative(at)) {
			r.Fail(r.List(top, "rankings")[i], "edition-value", "", "rankings lists each of Correct, Green and New once at most, not %q", word)
			continue
		}
		list = append(list, scoring.Alternatives[at])
	}
	return list
}

// optOut reads, by tool, the categories that it opts out of.
func (r *reader) optOut(top map[string]yaml.Entry) map[string][]string {
	e, ok := top["opt_out"]
	if !ok {
		return nil
	}
	in := r.Mapping(e.Value, "opt_out", nil)
	out := map[string][]string{}
	for _, tool := range slices.Sorted(maps.Keys(in)) {
		out[tool] = r.Words(in, tool)
	}
	return out
}

// functionsOf takes the descriptions out of a table.
func functionsOf[T any](table []struct {
	function
	Make func(arguments) T
}) []function {
	functions := make([]function, len(table))
	for i := range table {
		functions[i] = table[i].function
	}
	return functions
}

// call reads {fn: name, parameter: value, ...} and finds the function. extra
// keys are given back apart.
func call(r *reader, n yaml.Node, what string, table []function, extra ...string) (index int, args arguments, rest map[string]string, ok bool) {
	in := r.Mapping(n, what, nil)
	if in == nil {
		return 0, nil, nil, false
	}
	name := r.Text(in, n, "fn", false)
	if name == "" {
		return 0, nil, nil, false
	}
	index = slices.IndexFunc(table, func(f function) bool { return f.Name == name })
	if index < 0 {
		r.Fail(in["fn"].Value, "edition-unknown-function", "one of "+names(table), "%s has no function %q", what, name)
		return 0, nil, nil, false
	}
	given, rest := map[string]string{}, map[string]string{}
	for key, e := range in {
		text := r.argument(e)
		switch {
		case key == "fn":
		case slices.Contains(extra, key) || key == "rule":
			rest[key] = text
		default:
			given[key] = text
		}
	}
	args, wrong := table[index].check(given)
	for key, err := range wrong {
		at := n
		if e, there := in[key]; there {
			at = e.Key
		}
		r.Fail(at, "edition-parameter", "", "%v", err)
	}
	r.uses = append(r.uses, use{what, index, table[index], given, rest["rule"], rest["only"]})
	return index, args, rest, len(wrong) == 0
}

// argument is the text of a parameter; a list is joined with commas.
func (r *reader) argument(e yaml.Entry) string {
	if _, isList := yaml.Elements(e.Value); isList {
		return strings.Join(r.Words(map[string]yaml.Entry{e.Name: e}, e.Name), ",")
	}
	text, ok := yaml.Scalar(e.Value)
	if !ok {
		r.Fail(e.Value, "edition-shape", "", "%s is one word, a number or a list of words", e.Name)
	}
	return text
}

func names(table []function) string {
	var list []string
	for _, f := range table {
		list = append(list, f.Name)
	}
	return strings.Join(list, ", ")
}
