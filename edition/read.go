package edition

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/confidence"
	"podium/examinations"
	"podium/internal/yaml"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// Format is the value of the key "format" in the file of an edition.
const Format = "podium-edition/1"

var topKeys = []string{"format", "id", "title", "sources", "inferred", "unknown", "unit", "compare", "votes",
	"examinations", "limits", "classes",
	"out_of_competition", "consistent", "confidence", "elect", "certified", "flags", "not_judged", "scoring", "ranking", "metas"}

// edition reads the whole document.
func (r *reader) edition(data []byte) *Edition {
	root := r.parse(data)
	if root == nil {
		return nil
	}
	top := r.mapping(root, "an edition", topKeys)
	if top == nil {
		return nil
	}
	if format := r.text(top, root, "format", false); format != "" && format != Format {
		r.fail(top["format"].value, "edition-format", "", "the format is %q, not %q", format, Format)
	}
	e := &Edition{
		ID:       r.text(top, root, "id", false),
		Title:    r.text(top, root, "title", true),
		Sources:  r.words(top, "sources"),
		Inferred: r.words(top, "inferred"),
		Unknown:  r.words(top, "unknown"),

		OutOfCompetition: r.words(top, "out_of_competition"),
		Kinds:            map[examinations.ID]examinations.Kind{},
	}
	r.examinations(top, root, e)
	r.limits(top, e)
	r.classes(top, e)
	e.Scheme = r.scheme(top, root, e)
	e.Scheme.Name = e.ID
	e.uses = r.uses
	return e
}

func (r *reader) examinations(top map[string]entry, root yaml.Node, e *Edition) {
	list := r.list(top, "examinations")
	if len(list) == 0 {
		r.fail(root, "edition-missing-key", "", "an edition lists its examinations")
	}
	for _, n := range list {
		in := r.mapping(n, "an examination", []string{"id", "category", "kind", "items", "values", "points"})
		if in == nil {
			continue
		}
		x := scoring.Examination{
			ID:       examinations.ID(r.text(in, n, "id", false)),
			Category: r.text(in, n, "category", true),
			Items:    r.words(in, "items"),
		}
		if x.Category == "" {
			x.Category = string(x.ID)
		}
		if _, twice := e.Kinds[x.ID]; twice {
			r.fail(n, "edition-repeated-key", "", "the examination %s is listed twice", x.ID)
		}
		e.Kinds[x.ID] = r.kind(in, n)
		x.Required = r.required(in, n, x.Items)
		x.Points = r.points(in, n, x.Required)
		e.Examinations = append(e.Examinations, x)
	}
}

func (r *reader) kind(in map[string]entry, at yaml.Node) examinations.Kind {
	switch word := r.text(in, at, "kind", false); word {
	case "nat":
		return examinations.Nat
	case "bool", "":
	default:
		r.fail(in["kind"].value, "edition-value", "", "the kind of values is bool or nat, not %q", word)
	}
	return examinations.Bool
}

// maxValues bounds the number of values of one examination.
const maxValues = 1 << 20

func (r *reader) required(in map[string]entry, at yaml.Node, items []string) int {
	if items != nil {
		if v, ok := in["values"]; ok {
			r.fail(v.key, "edition-value", "", "an examination has items or a number of values, not both")
		}
		for i, item := range items {
			if slices.Contains(items[:i], item) {
				r.fail(in["items"].key, "edition-value", "", "the item %s is listed twice", item)
			}
		}
		return len(items)
	}
	n, err := strconv.Atoi(r.text(in, at, "values", false))
	if err != nil || n < 1 || n > maxValues {
		r.fail(at, "edition-value", "", "values is a number from 1 to %d", maxValues)
		return 1
	}
	return n
}

// maxPoints bounds the points of one examination.
const maxPoints = 10_000

// points reads a total that is shared equally, or one number per value.
func (r *reader) points(in map[string]entry, at yaml.Node, required int) []int64 {
	e, ok := in["points"]
	if !ok {
		return []int64{1}
	}
	if _, isList := e.value.(*yaml.SequenceNode); isList {
		var points []int64
		for _, word := range r.words(in, "points") {
			points = append(points, r.number(e.value, "points", word))
		}
		if len(points) != required {
			r.fail(e.value, "edition-value", "", "%d points are listed for %d values", len(points), required)
			return []int64{1}
		}
		return points
	}
	total := r.number(e.value, "points", r.text(in, at, "points", false))
	if total%int64(required) != 0 {
		r.fail(e.value, "edition-points", fmt.Sprintf("choose a unit of 1/%d and %d times the points everywhere", required, required),
			"%d points do not divide among %d values", total, required)
		return []int64{1}
	}
	return []int64{total / int64(required)}
}

func (r *reader) number(at yaml.Node, what, word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < -maxPoints || n > maxPoints {
		r.fail(at, "edition-value", "", "%s is a whole number up to %d, not %q", what, maxPoints, word)
		return 0
	}
	return n
}

func (r *reader) limits(top map[string]entry, e *Edition) {
	at, ok := top["limits"]
	if !ok {
		return
	}
	in := r.mapping(at.value, "limits", []string{"pinned", "sequential", "concurrent"})
	if pinned, ok := in["pinned"]; ok {
		unit := r.text(in, at.value, "pinned", false)
		if unit != "model" && unit != "instance" {
			r.fail(pinned.value, "edition-value", "", "pinned is model or instance: all runs of one are done on one computer (E-5.1)")
		}
		e.Limits.PinInstances = unit == "instance"
	}
	for name, into := range map[string]*Confinement{"sequential": &e.Limits.Sequential, "concurrent": &e.Limits.Concurrent} {
		entry, ok := in[name]
		if !ok {
			r.fail(at.key, "edition-missing-key", "", "limits have the keys sequential and concurrent")
			continue
		}
		*into = r.confinement(entry.value)
	}
}

func (r *reader) confinement(n yaml.Node) Confinement {
	in := r.mapping(n, "a limit", []string{"cpu", "wall", "memory", "cores"})
	c := Confinement{
		CPU:    r.duration(in, "cpu"),
		Wall:   r.duration(in, "wall"),
		Memory: r.size(in, n),
	}
	cores, err := strconv.Atoi(r.text(in, n, "cores", false))
	if err != nil || cores < 1 || cores > 4096 {
		r.fail(n, "edition-value", "", "cores is a number from 1 to 4096")
	}
	c.Cores = cores
	return c
}

func (r *reader) duration(in map[string]entry, name string) time.Duration {
	e, ok := in[name]
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(r.text(in, e.key, name, false))
	if err != nil || d <= 0 {
		r.fail(e.value, "edition-value", "", "%s is a duration such as 1h, 15m or 90s", name)
	}
	return d
}

var byteUnits = []struct {
	suffix string
	bytes  int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"GB", 1_000_000_000}, {"MB", 1_000_000}}

func (r *reader) size(in map[string]entry, at yaml.Node) int64 {
	text := r.text(in, at, "memory", false)
	for _, u := range byteUnits {
		if digits, ok := strings.CutSuffix(text, u.suffix); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
			if err == nil && n > 0 && n <= math.MaxInt64/u.bytes {
				return n * u.bytes
			}
		}
	}
	if e, ok := in["memory"]; ok {
		at = e.value
	}
	r.fail(at, "edition-value", "", "memory is a size such as 16GB, 16GiB or 512MB")
	return 0
}

func (r *reader) classes(top map[string]entry, e *Edition) {
	at, ok := top["classes"]
	if !ok {
		return
	}
	in := r.mapping(at.value, "classes", []string{"surprise", "stripped_prefix"})
	e.Classes = Classes{Surprise: r.words(in, "surprise"), StrippedPrefix: r.text(in, at.value, "stripped_prefix", true)}
}

// scheme reads everything that names functions.
func (r *reader) scheme(top map[string]entry, root yaml.Node, e *Edition) *scoring.Scheme {
	s := &scoring.Scheme{Unit: r.unit(top)}
	if c, ok := top["compare"]; ok {
		word := r.text(top, root, "compare", false)
		display, known := comparisons[word]
		if !known {
			r.fail(c.value, "edition-value", "", "compare is exact or displayed, not %q", word)
		}
		s.Display = display
	}
	if v, ok := top["votes"]; ok {
		switch word := r.text(top, root, "votes", false); word {
		case "every-tool":
		case "one-per-family":
			s.OnePerFamily = true
		case "competitors":
			s.CompetitorsVote = true
		default:
			r.fail(v.value, "edition-value", "", "votes is every-tool, one-per-family or competitors, not %q", word)
		}
	}
	r.voting(top, root, s)
	r.flags(top, s)
	r.notJudged(top, s, e)
	r.rules(top, root, s)
	r.metas(top, s)
	if at, ok := top["certified"]; ok {
		if f, args, _, ok := call(r, at.value, "certified", functionsOf(certifiedFunctions)); ok {
			s.Certified = certifiedFunctions[f].Make(args)
		}
	}
	if at, ok := top["ranking"]; ok {
		if f, args, _, ok := call(r, at.value, "ranking", functionsOf(rankingFunctions)); ok {
			s.Ranking = rankingFunctions[f].Make(args)
		}
	} else {
		r.fail(root, "edition-missing-key", "", "the key %q is missing", "ranking")
	}
	return s
}

func (r *reader) unit(top map[string]entry) int64 {
	e, ok := top["unit"]
	if !ok {
		return 1
	}
	text, _ := scalar(e.value)
	u, err := confidence.ParseRatio(text)
	if err != nil || u.Num() != 1 {
		r.fail(e.value, "edition-value", "", "unit is 1 or a part of one point such as 1/100, not %q", text)
		return 1
	}
	return u.Den()
}

// voting reads the three functions of E-2 and E-3.
func (r *reader) voting(top map[string]entry, root yaml.Node, s *scoring.Scheme) {
	elect, ok := top["elect"]
	if !ok {
		r.fail(root, "edition-missing-key", "", "the key %q is missing", "elect")
		return
	}
	if f, args, _, ok := call(r, elect.value, "elect", functionsOf(electFunctions)); ok {
		s.Elect = electFunctions[f].Make(args)
		if s.Elect == nil {
			return // an oracle needs no confidences
		}
	}
	for _, name := range []string{"consistent", "confidence"} {
		if _, ok := top[name]; !ok {
			r.fail(root, "edition-missing-key", "", "the key %q is missing", name)
			return
		}
	}
	if f, args, _, ok := call(r, top["consistent"].value, "consistent", functionsOf(consistentFunctions)); ok {
		s.Consistent = consistentFunctions[f].Make(args)
	}
	if f, args, _, ok := call(r, top["confidence"].value, "confidence", functionsOf(shareFunctions)); ok {
		s.Share = shareFunctions[f].Make(args)
	}
}

func (r *reader) flags(top map[string]entry, s *scoring.Scheme) {
	list := r.list(top, "flags")
	if len(list) > scoring.MaxFlags {
		r.fail(top["flags"].value, "edition-value", "", "an edition has at most %d flags", scoring.MaxFlags)
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
				r.fail(n, "edition-value", "", "the effect of a flag is shown, set-aside or all-wrong, not %q", word)
			}
			flag.Effect = effect
		}
		if flag.Detect == nil && flag.Effect != scoring.ShowOnly {
			r.fail(n, "edition-value", "", "any-wrong depends on the references, so its effect can only be shown")
		}
		s.Flags = append(s.Flags, flag)
	}
}

func (r *reader) notJudged(top map[string]entry, s *scoring.Scheme, e *Edition) {
	for _, n := range r.list(top, "not_judged") {
		in := r.mapping(n, "not_judged", []string{"examination", "item", "net"})
		if in == nil {
			continue
		}
		x := scoring.NotJudged{Exam: examinations.ID(r.text(in, n, "examination", false)), Item: r.text(in, n, "item", false)}
		if _, known := e.Kinds[x.Exam]; !known {
			r.fail(n, "edition-value", "", "the edition has no examination %s", x.Exam)
		}
		switch r.text(in, n, "net", false) {
		case "COL":
			x.Kind = models.COL
		case "PT":
			x.Kind = models.PT
		default:
			r.fail(n, "edition-value", "", "net is COL or PT")
		}
		s.NotJudged = append(s.NotJudged, x)
	}
}

func (r *reader) rules(top map[string]entry, root yaml.Node, s *scoring.Scheme) {
	list := r.list(top, "scoring")
	if len(list) == 0 {
		r.fail(root, "edition-missing-key", "", "the list %q is missing or empty", "scoring")
	}
	for _, n := range list {
		f, args, extra, ok := call(r, n, "scoring", functionsOf(ruleFunctions), "rule")
		if !ok {
			continue
		}
		if extra["rule"] == "" {
			r.fail(n, "edition-missing-key", "", "a rule names its number in the rules of the contest: rule: E-4.2")
		}
		s.Rules = append(s.Rules, scoring.Rule{ID: extra["rule"], Apply: ruleFunctions[f].Make(args)})
	}
}

// metas reads {id: C-Overall, of: [...], fn: normalised}.
func (r *reader) metas(top map[string]entry, s *scoring.Scheme) {
	for _, n := range r.list(top, "metas") {
		in := r.mapping(n, "a meta category", []string{"id", "of", "fn"})
		if in == nil {
			continue
		}
		m := scoring.Meta{Name: r.text(in, n, "id", false), Of: r.words(in, "of")}
		switch word := r.text(in, n, "fn", false); word {
		case "sum":
		case "normalised":
			m.Normalised = true
		default:
			r.fail(n, "edition-unknown-function", "one of sum, normalised", "metas has no function %q", word)
		}
		if len(m.Of) == 0 {
			r.fail(n, "edition-missing-key", "", "a meta category lists its parts: of: [...]")
		}
		s.Metas = append(s.Metas, m)
	}
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
	in := r.mapping(n, what, nil)
	if in == nil {
		return 0, nil, nil, false
	}
	name := r.text(in, n, "fn", false)
	if name == "" {
		return 0, nil, nil, false
	}
	index = slices.IndexFunc(table, func(f function) bool { return f.Name == name })
	if index < 0 {
		r.fail(in["fn"].value, "edition-unknown-function", "one of "+names(table), "%s has no function %q", what, name)
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
			at = e.key
		}
		r.fail(at, "edition-parameter", "", "%v", err)
	}
	r.uses = append(r.uses, use{what, index, table[index], given})
	return index, args, rest, len(wrong) == 0
}

// argument is the text of a parameter; a list is joined with commas.
func (r *reader) argument(e entry) string {
	if _, isList := e.value.(*yaml.SequenceNode); isList {
		return strings.Join(r.words(map[string]entry{e.name: e}, e.name), ",")
	}
	text, ok := scalar(e.value)
	if !ok {
		r.fail(e.value, "edition-shape", "", "%s is one word, a number or a list of words", e.name)
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

// Check gives all findings about an edition file. Name is the file in the
// findings.
func Check(name string, data []byte) diagnostic.List {
	_, found := Load(name, data)
	return found
}
