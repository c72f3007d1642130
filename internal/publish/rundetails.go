package publish

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/examinations/output"
	"podium/internal/columns"
	"podium/internal/judged"
	"podium/internal/publish/paths"
	"podium/scoring"
	"podium/vm"
)

// shareWidth is the percentage of all votes' weight.
func shareWidth(part, all *big.Rat) string {
	if all.Sign() <= 0 {
		return "0"
	}
	share := new(big.Rat).Quo(part, all)
	return share.Mul(share, big.NewRat(100, 1)).FloatString(1)
}

// pointsFor sums the items of a value.
func (v *view) pointsFor(r *run, item string) *big.Rat {
	sum := new(big.Rat)
	items, _ := v.items(r)
	for i := range items {
		if r.item(&items[i]) == item {
			sum.Add(sum, items[i].Points)
		}
	}
	return sum
}

// itemRow is an addend of a score.
type itemRow struct {
	Rule, Path, Reason, Points, Exact string
	Raw                               string // empty where there are no raw points
	Loss                              bool
}

// measure is a measured figure.
type measure struct{ Name, Text, Exact string }

// answerTitles are the lines of the log that hold answers, in the memory of titles.
func answerTitles(said []judged.Said, titles map[int64]string) {
	clear(titles)
	for i := range said {
		a := &said[i]
		if a.Offset < 0 {
			continue
		}
		text := clean(a.Item) + ": " + markWords[a.Mark]
		if before := titles[a.Offset]; before != "" {
			text = before + "; " + text
		}
		titles[a.Offset] = text
	}
}

// details writes everything that is known about a run: what became of it, where
// each point comes from, and what it said when and by which techniques.
func (s *site) details(m *markup, c *cell, r *run, said []judged.Said) {
	m.raw(`<details class="run" id="`, s.runAnchor(r), `"><summary>`, string(s.swatch(r.toolName())), "<b>")
	m.text(r.toolName())
	m.raw("</b> ")
	s.writeTotal(m, r)
	if note := runNote(r); note != "" {
		m.raw(` <span class="note">`)
		m.text(note)
		m.raw("</span>")
	}
	m.raw("</summary>\n<p>")
	m.text(outcome(r))
	m.raw("</p>\n")
	if r.noScore != "" {
		m.raw(`<p class="why"><strong>No points:</strong> `)
		m.text(r.noScore)
		m.raw(".</p>\n")
	} else {
		for _, f := range r.flags() {
			m.raw(`<p class="why"><strong>Flag</strong> `)
			m.text(f)
			m.raw(".</p>\n")
		}
	}
	if warnings := r.warnings(); len(warnings) > 0 {
		m.raw(`<ul class="warnings">`)
		for _, w := range warnings {
			m.raw("<li>")
			m.text(w)
			m.raw("</li>")
		}
		m.raw("</ul>\n")
	}
	s.writePoints(m, c, r)
	s.writeSaid(m, c, r, said)
	s.writeCurve(m, r, said)
	writeRemarks(m, r)
	s.writeSetting(m, r)
	m.raw("</details>\n")
}

// writeRemarks says what the team of the tool may want to mend.
func writeRemarks(m *markup, r *run) {
	lines, err := r.of.Judged.Facts.Remarks(r.sheet, r.tool)
	if err != nil {
		lines = append(lines, "The output could not be read again: "+err.Error())
	}
	if len(lines) == 0 {
		return
	}
	m.raw("<p>What <code>podium try</code> says of this run:</p>\n", `<ul class="findings">`)
	for _, line := range lines {
		m.raw("<li>")
		m.text(line)
		m.raw("</li>")
	}
	m.raw("</ul>\n")
}

func (s *site) writeTotal(m *markup, r *run) {
	m.raw(`<span class="total">`)
	if r.noScore != "" {
		m.raw("<strong>no</strong> points")
	} else {
		points := s.shown(r.points)
		m.raw(`<strong title="`, points.exact, `">`, points.decimal, "</strong>", unitOf(points.decimal))
	}
	m.raw("</span>")
}

// writePoints says where the points of a run come from. Values with the same
// items share a line.
func (s *site) writePoints(m *markup, c *cell, r *run) {
	items, factors := s.items(r)
	if len(items) > 0 {
		m.raw(`<ul class="items">`)
		for _, g := range groupItems(c, r, items) {
			s.writeItems(m, r, g)
		}
		m.raw("</ul>\n")
	}
	if len(factors) == 0 {
		return
	}
	m.raw("<p>A rule states raw points. Each counts so many times:</p>\n", `<ul class="items">`)
	for k := range factors {
		f := &factors[k]
		row := s.itemRow(r, f)
		m.raw("<li>")
		m.titled("span", row.Exact)
		m.raw("\u00d7\u00a0", decimal(f.Points), "</span> ")
		s.writeRule(m, row)
		m.raw("</li>")
	}
	m.raw("</ul>\n")
}

// itemGroup are items that differ in nothing but their value.
type itemGroup struct {
	item   *scoring.Addend
	values []string // in the order of the cell; empty for the run as a whole
}

// groupItems groups the items of values that were asked; others stand alone.
func groupItems(c *cell, r *run, items []scoring.Addend) []itemGroup {
	type like struct{ rule, reason, points, raw string }
	var groups []itemGroup
	at := map[like]int{}
	var key like
	for n := range items {
		i := &items[n]
		if before := max(n-1, 0); n == 0 || i.Points != items[before].Points || i.Raw != items[before].Raw {
			key.points, key.raw = exact(i.Points), exact(i.Raw)
		}
		name := r.item(i)
		key.rule, key.reason = i.Item.Rule, r.reason(i)
		n, known := at[key]
		if _, asked := c.item(name); !asked || name == "" {
			n, known = len(groups), false // stands alone
			groups = append(groups, itemGroup{item: i})
		} else if !known {
			n, at[key] = len(groups), len(groups)
			groups = append(groups, itemGroup{item: i})
		}
		if name != "" {
			groups[n].values = append(groups[n].values, name)
		}
	}
	for _, g := range groups {
		slices.SortFunc(g.values, compareItems)
	}
	return groups
}

// writeItems writes a group of items: their sum, what each counts when there are
// several, the rule, and the values.
func (s *site) writeItems(m *markup, r *run, g itemGroup) {
	row := s.itemRow(r, g.item)
	m.raw(`<li class="item`)
	if row.Loss {
		m.raw(" loss")
	}
	if n := len(g.values); n > 1 {
		sum := new(big.Rat).Mul(g.item.Points, big.NewRat(int64(n), 1))
		m.raw(`"><b title="`, exact(sum), `">`, signed(sum), "</b> ", strconv.Itoa(n), " \u00d7 ", row.Points, " ")
	} else {
		m.raw(`"><b title="`, row.Exact, `">`, row.Points, "</b> ")
	}
	s.writeRule(m, row)
	if row.Raw != "" {
		m.raw(` <span class="dim raw">raw points: `, row.Raw, "</span>")
	}
	if len(g.values) > 0 {
		m.raw(` <span class="dim">`)
		m.text(valueList(r.instance().String(), g.values))
		m.raw("</span>")
	}
	m.raw("</li>")
}

// valueList names the values of an instance.
func valueList(inst string, items []string) string {
	var b strings.Builder
	short := shortNames(inst)
	for i, item := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(short(item))
	}
	return b.String()
}

// shortNames returns a function that names values of an instance in their turn, each
// without what the one before begins with: CTLCardinality-2026-00, 01, 02.
func shortNames(inst string) func(item string) string {
	before := ""
	return func(item string) string {
		text := itemWithin(inst, item)
		cut := strings.LastIndexByte(text, '-') + 1
		if cut > 0 && text[:cut] == before {
			return text[cut:]
		}
		before = text[:cut]
		return text
	}
}

// writeRule names a rule, with a link to its text, and the reason it applies.
func (s *site) writeRule(m *markup, row itemRow) {
	if row.Path != "" {
		m.raw(`<a class="rule" href="../`, row.Path, `">`)
		m.text(row.Rule)
		m.raw("</a> ")
	} else {
		m.raw(`<span class="rule">`)
		m.text(row.Rule)
		m.raw("</span> ")
	}
	m.text(row.Reason)
}

// writeSaid lists what a run answered and when, by technique, each with its line
// of the log.
func (s *site) writeSaid(m *markup, c *cell, r *run, said []judged.Said) {
	inst := r.instance().String()
	for first := range said {
		t := said[first].Techniques
		if slices.ContainsFunc(said[:first], func(a judged.Said) bool { return a.Techniques == t }) {
			continue
		}
		m.raw(`<p class="said">`)
		if t == "" {
			m.raw("Answers without a technique: ")
		} else {
			m.raw(`By <span class="techniques">`)
			m.text(t)
			m.raw("</span>: ")
		}
		short := shortNames(inst)
		for i := first; i < len(said); i++ {
			a := &said[i]
			if a.Techniques != t {
				continue
			}
			if i > first {
				m.raw(", ")
			}
			s.writeAnswer(m, c, r, a, short(a.Item))
		}
		m.raw(".</p>\n")
	}
}

func (s *site) writeAnswer(m *markup, c *cell, r *run, a *judged.Said, name string) {
	if a.Offset >= 0 && r.Logged {
		m.link("../", s.answerPath(r, a.Offset), name)
	} else {
		m.text(name)
	}
	if _, asked := c.item(a.Item); !asked {
		m.raw(" ", string(valueHTML(a.Value)), " (not asked)")
	}
	if a.At >= 0 {
		m.raw(" after ", duration(a.At))
	}
	if a.Witness.State != "" {
		m.raw(` <span class="state `, paths.Name(string(a.Witness.State)), `" title="witness: `)
		m.text(a.Witness.Detail)
		m.raw(`">`)
		m.text(string(a.Witness.State))
		m.raw("</span>")
	}
}

// writeSetting says where a run took place and how it was measured, and leads to its log.
func (s *site) writeSetting(m *markup, r *run) {
	var parts []string
	add := func(before, text string) {
		if text != "" {
			parts = append(parts, before+text)
		}
	}
	for _, x := range measures(r) {
		add(x.Name+" ", x.Text)
	}
	add("measured by ", r.Measured)
	add("machine ", r.Host())
	add("on ", r.Place)
	if r.emulated() {
		add("", "emulated processor")
	}
	add("virtual machine: ", r.Origin())
	if r.Attempts > 1 {
		add("", fmt.Sprintf("%d attempts", r.Attempts))
	}
	m.raw(`<p class="dim">`)
	m.text(strings.Join(parts, "; "))
	m.raw(". ")
	if !r.Logged {
		m.raw("No log was kept.")
	} else {
		m.link("../", s.logPath(r), "Log")
	}
	m.raw("</p>\n")
}

func (s *site) itemRow(r *run, i *scoring.Addend) itemRow {
	points := s.shown(i.Points)
	row := itemRow{Rule: clean(i.Item.Rule), Path: s.RulePath(i.Item.Rule), Reason: clean(r.reason(i)), Points: points.signed, Exact: points.exact,
		Loss: i.Points.Sign() < 0}
	if i.Raw != nil {
		row.Raw = s.shown(i.Raw).decimal
	}
	return row
}

// measures are the measured figures of a run, rounded, with the exact figure
// beside them.
func measures(r *run) []measure {
	list := []measure{timeOf("CPU time", r.CPUTime.Duration(), !r.Times())}
	if !r.of.FromFiles {
		list = append(list, timeOf("user time", r.UserTime.Duration(), !r.Times()), timeOf("system time", r.SystemTime.Duration(), !r.Times()))
	}
	if wall := r.wallMeasure(); wall.Name != "" {
		list = append(list, wall)
	}
	list = append(list, r.memoryMeasure())
	if !r.of.FromFiles {
		list = append(list, sizeOf("output", r.OutputBytes, false))
	}
	list = append(list, energyMeasures(r.Energy)...)
	if r.HostCPUTime > 0 {
		list = append(list, timeOf("CPU time, by the host", r.HostCPUTime.Duration(), false), sizeOf("memory peak, by the host", r.HostMemoryPeak, false))
	}
	return list
}

// wallMeasure is empty where no file of results says the wall time.
func (r *run) wallMeasure() measure {
	if !r.walled() {
		return measure{}
	}
	return timeOf("wall time", r.WallTime.Duration(), false)
}

func (r *run) memoryMeasure() measure { return sizeOf("memory peak", r.MemoryPeak, !r.Memory()) }

func timeOf(name string, d time.Duration, not bool) measure {
	return measure{name, duration(d), columns.Seconds(d.Microseconds()) + " s"}.unless(not)
}

func sizeOf(name string, bytes int64, not bool) measure {
	return measure{name, size(bytes), strconv.FormatInt(bytes, 10) + " bytes"}.unless(not)
}

// unless says that a figure was seen and not measured.
func (m measure) unless(not bool) measure {
	if not {
		m.Text, m.Exact = notMeasured, m.Exact+" were seen, which is no measurement"
	}
	return m
}

// energyMeasures are the figures of energy, rounded to hundredths of a joule.
func energyMeasures(e *vm.Energy) (list []measure) {
	if e == nil {
		return nil
	}
	if e.State() == notMeasured {
		list = append(list, measure{"energy", notMeasured + ": " + clean(e.Why), e.Why})
	}
	for _, f := range []struct {
		name  string
		micro int64
	}{{"energy", e.Package}, {"of it cores", e.Core}, {"of it uncore", e.Uncore}, {"energy of memory", e.DRAM}} {
		if f.micro == 0 {
			continue
		}
		m := measure{f.name, big.NewRat(f.micro, 1_000_000).FloatString(2) + " J", columns.Joules(f.micro) + " J"}
		if e.State() == "estimate" {
			m.Text += ", an estimate"
		}
		if e.Why != "" {
			m.Exact += ": " + e.Why
		}
		list = append(list, m)
	}
	return list
}

// outcome says in a sentence what became of a run.
func outcome(r *run) string {
	if r.Void != "" {
		return "Void, it counts for nobody: " + clean(r.Void)
	}
	said := ""
	switch {
	case r.Participation == output.DoesNotCompete:
		said = " It said that it does not compete."
	case r.Participation == output.CannotCompute && netWord(r.instance()) == "":
		said = " It said UNKNOWN, or nothing that is a verdict."
	case r.Participation == output.CannotCompute:
		said = " It said that it cannot compute, or gave no answer."
	}
	switch r.Termination {
	case "":
		return "What ended the run is not in the file of results." + said
	case "exited":
		if r.ExitCode != 0 {
			return fmt.Sprintf("The tool ended by itself with exit code %d.", r.ExitCode) + said
		}
		return "The tool ended by itself." + said
	case "signal":
		return "The tool was ended by " + vm.SignalText(r.Signal) + "." + said
	}
	if words, known := stopWords[r.Termination]; known {
		return "The run was stopped: " + words.long + "." + said
	}
	return "The run ended otherwise: " + clean(string(r.Termination)) + "." + said
}

// stopWords say why runs are stopped.
var stopWords = map[vm.Termination]struct{ short, long string }{
	"cputime":     {"CPU limit", "the limit of CPU time was reached"},
	"time":        {"time limit", "a limit of time was reached; the file of results does not say which"},
	"time+memory": {"time and memory limit", "limits of time and of memory were reached"},
	"walltime":    {"time limit", "the limit of wall time was reached"},
	"memory":      {"memory limit", "the limit of memory was reached"},
	"output":      {"output limit", "the limit of output was reached"},
	"disk":        {"disk limit", "the limit of disk space was reached"},
	"panic":       {"machine panic", "the kernel of the machine died under the tool"},
}

func terminationShort(r *run) string {
	if r.Termination == "signal" {
		return vm.SignalText(r.Signal)
	}
	if words, known := stopWords[r.Termination]; known {
		return words.short
	}
	return clean(string(r.Termination))
}
