package cmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/internal/campaign"
	"podium/vm"
	"podium/vm/energy"
	"podium/vm/topology"
)

// powered is a real driver on a host whose counters are made: each run of a tool moves
// them by the joules of the tool.
type powered struct {
	vm.Driver
	joules map[string]int // by a word of the command
	moved  func(joules int)
}

func (d powered) Boot(ctx context.Context, spec vm.Spec) (vm.Machine, error) {
	m, err := d.Driver.Boot(ctx, spec)
	return poweredMachine{m, d}, err
}

type poweredMachine struct {
	vm.Machine
	driver powered
}

func (m poweredMachine) Exec(ctx context.Context, job vm.Job) (vm.Outcome, error) {
	o, err := m.Machine.Exec(ctx, job)
	for word, n := range m.driver.joules {
		if slices.Contains(job.Command, word) {
			m.driver.moved(n)
		}
	}
	return o, err
}

// TestEnergyFromRunToRanking: energy goes from the counters of a host through real runs to the
// journal, the tables, the pages, BenchExec's XML and the ranking Green. A run that owns its
// package has a figure, one that shares it an estimate, which ranks nobody, and where there
// is no counter every run says so.
func TestEnergyFromRunToRanking(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"frugal", "hungry"} {
		if err := os.MkdirAll("tools/"+name, 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, "tools/"+name+"/tool.yaml", "format: podium-tool/1\nname: "+name+"\ncommand: /bin/sh -c 'echo TRUE' "+name+" {input}\n")
	}
	if err := os.Mkdir("tasks", 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, "tasks/unreach-call.prp", properties[unreach])
	for _, name := range []string{"a", "b"} {
		writeFile(t, "tasks/"+name+".c", "int main(void) { return 0; }\n")
		writeFile(t, "tasks/"+name+".yml", "format_version: '2.0'\ninput_files: "+name+".c\nproperties: [{property_file: unreach-call.prp, expected_verdict: true}]\n")
	}
	writeFile(t, "own.yaml", run(t, 0, "check", "edition", "--show", "svcomp2026")+"rankings: [Green]\n")

	for name, tc := range map[string]struct {
		processors int // of the package; the runs have the first
		state      string
		note       string // of a run of hungry
		joules     string
	}{
		"owned":  {1, "measured", "", "5"},
		"shared": {2, "estimate", "an estimate: ", ""},
		"none":   {0, "not measured", "this host shows no counters of energy (powercap)", ""},
	} {
		root := t.TempDir()
		count := 262143328850 - 4_000_000 // the counter begins again soon
		write := func(file, text string) {
			t.Helper()
			path := filepath.Join(root, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			writeFile(t, path, text+"\n")
		}
		busy, parts := 0, [3]int{}
		moved := func(joules int) {
			if tc.processors == 0 {
				return
			}
			count, busy = (count+joules*1_000_000)%262143328850, busy+1000
			write("sys/class/powercap/intel-rapl:0/energy_uj", fmt.Sprint(count))
			for zone, millijoules := range []int{400, 50, 250} { // of each joule: core, uncore, dram
				parts[zone] += joules * millijoules * 1000
				write(fmt.Sprintf("sys/class/powercap/intel-rapl:0:%d/energy_uj", zone), fmt.Sprint(parts[zone]))
			}
			write("proc/stat", fmt.Sprintf("cpu0 %d 0 0 0 0 0 0 0\ncpu1 %d 0 0 0 0 0 0 0", busy, busy))
		}
		if tc.processors > 0 {
			write("sys/class/powercap/intel-rapl:0/name", "package-0")
			write("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "262143328850")
			for zone, part := range []string{"core", "uncore", "dram"} {
				write(fmt.Sprintf("sys/class/powercap/intel-rapl:0:%d/name", zone), part)
				write(fmt.Sprintf("sys/class/powercap/intel-rapl:0:%d/max_energy_range_uj", zone), "262143328850")
			}
			moved(0)
		}
		for cpu := range tc.processors {
			write(fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu), "0")
		}
		run(t, 0, "plan", "--out", name, "--tasks", "tasks", "--tools", "tools", "--edition", "own.yaml", "--cpu", "10s", "--memory", "200MB", "--cores", "1")
		c, err := campaign.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		driver, err := openDriver("sandbox")
		if err != nil {
			t.Fatal(err)
		}
		host := powered{driver, map[string]int{"frugal": 3, "hungry": 5}, moved}
		if _, err := c.Work(t.Context(), campaign.Options{Driver: energy.Metered(host, energy.Find(root)), Cores: topology.Plain(0).Pool(topology.Wish{}, nil)}); err != nil {
			t.Fatal(err)
		}
		if err := driver.Close(); err != nil {
			t.Fatal(err)
		}
		log, err := c.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for of, f := range log.Finished {
			if f.Outcome.Energy.State() != tc.state {
				t.Errorf("%s, %s: %+v in the journal", name, of, f.Outcome.Energy)
			}
		}
		ranked := "     Green (J per point): nobody\n"
		if tc.joules != "" {
			ranked = "     Green (J per point): 1. frugal 1.50, 2. hungry 2.50\n"
		}
		has(t, run(t, 0, "score", name), ranked)
		energyPublished(t, name, tc.state, tc.note, tc.joules)
		run(t, 0, "export", "--format", "benchexec", "--out", name+"-xml", name)
		xml, err := os.ReadFile(name + "-xml/hungry.results.xml")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(xml), `title="cpuenergy" value="5J"`); got != (tc.joules != "") {
			t.Errorf("%s: BenchExec's XML has a figure: %t", name, got)
		}
		files := []string{"--edition", "own.yaml", name + "-xml/frugal.results.xml", name + "-xml/hungry.results.xml"}
		has(t, run(t, 0, append([]string{"score"}, files...)...), ranked)
		task := []string{"hungry", "a.yml#unreach-call", "tasks", "--json"}
		explained := run(t, 0, append([]string{"explain", "--from", name}, task...)...)
		has(t, explained, `"state": "`+tc.state+`"`)
		if tc.joules == "" {
			continue
		}
		// The parts are in every form, and come back from it.
		has(t, string(xml), `title="cpuenergy-core" value="2J"`, `title="cpuenergy-dram" value="1.25J"`, `title="cpuenergy-uncore" value="0.25J"`)
		has(t, explained, `"package_uj": 5000000`, `"core_uj": 2000000`, `"uncore_uj": 250000`, `"dram_uj": 1250000`)
		for k, source := range [][]string{{name}, files} {
			tables := fmt.Sprintf("%s-tables-%d", name, k)
			run(t, 0, append([]string{"export", "--format", "json", "--out", tables}, source...)...)
			text, err := os.ReadFile(tables + "/runs.jsonl")
			if err != nil {
				t.Fatal(err)
			}
			has(t, string(text), `"energy_uj":5000000,"energy_core_uj":2000000,"energy_uncore_uj":250000,"energy_dram_uj":1250000`)
			site := fmt.Sprintf("%s-site-%d", name, k)
			run(t, 0, append([]string{"publish", "--out", site}, source...)...)
			for _, row := range rowsOf(t, site+"/csv/runs.csv") {
				if row["tool"] == "hungry" && (row["energy_core_j"] != "2" || row["energy_uncore_j"] != "0.25" || row["energy_dram_j"] != "1.25") {
					t.Errorf("%v", row)
				}
			}
		}
	}
}

// energyPublished reads pages and tables of a competition in which hungry took so many
// joules a run.
func energyPublished(t *testing.T, name, state, note, joules string) {
	t.Helper()
	site := name + "-site"
	run(t, 0, "publish", "--out", site, name)
	speaksOfTasks(t, site)
	for _, row := range rowsOf(t, site+"/csv/runs.csv") {
		if row["tool"] == "hungry" && (row["energy"] != state || !strings.HasPrefix(row["energy_note"], note) || joules != "" && row["energy_j"] != joules) {
			t.Errorf("%s: %s, %s J, %s", name, row["energy"], row["energy_j"], row["energy_note"])
		}
	}
	mean := ""
	for _, row := range rowsOf(t, site+"/csv/efforts.csv") {
		if row["category"] == "tasks" && row["tool"] == "hungry" && row["answer"] == "TRUE" {
			mean = row["energy_mean_j"]
		}
	}
	if total := totalsOf(t, site)["tasks hungry"]["success_energy_j"]; mean != joules || (total == "10") != (joules != "") {
		t.Errorf("%s: a mean of %q J, %q J in all", name, mean, total)
	}
	pages, err := filepath.Glob(site + "/instances/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	page, err := os.ReadFile(pages[0])
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{"measured": "5.00 J", "estimate": " J, an estimate", "not measured": note}[state]
	has(t, string(page), shown)
	if n := len(rowsOf(t, site+"/csv/rankings.csv")); (n == 2) != (joules != "") {
		t.Errorf("%s: %d lines of the ranking Green", name, n)
	}
}
