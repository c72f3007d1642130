package cmd

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// contestSizes are the sizes of docs/lab/scale.md: instances and simulated hosts. Ten
// tools run thirteen examinations of each instance.
var contestSizes = []struct{ instances, hosts int }{{16, 1}, {200, 10}, {1924, 40}, {7700, 200}, {38462, 1000}}

// runsOfInstance is the number of runs of one instance.
const runsOfInstance = 130

// mostPublished is the number of runs up to which pages are written, mostScored that
// up to which whole journals are held in memory.
const (
	mostPublished = 300_000
	mostScored    = 2_000_000
)

// BenchmarkScale prints the tables of docs/lab/scale.md: what the commands of a
// campaign cost at several sizes. PODIUM_SCALE is the most runs of a campaign,
// 30,000 when it is not set.
func BenchmarkScale(b *testing.B) {
	most := 30_000
	if text := os.Getenv("PODIUM_SCALE"); text != "" {
		var err error
		if most, err = strconv.Atoi(text); err != nil {
			b.Fatalf("PODIUM_SCALE=%s: a number of runs is wanted", text)
		}
	}
	var table []cost
	for _, size := range contestSizes {
		runs := size.instances * runsOfInstance
		if runs > most {
			continue
		}
		b.Run(fmt.Sprint(runs), func(b *testing.B) {
			for b.Loop() {
				table = slices.DeleteFunc(table, func(c cost) bool { return c.runs == runs })
				rows := costs(b, size.instances, size.hosts)
				table = append(table, rows...)
				fmt.Fprintln(os.Stderr, scaleTable(rows)) // the whole table may be an hour away
			}
		})
	}
	fmt.Println(scaleTable(table))
}

// TestScale takes a small contest through all commands that BenchmarkScale measures.
func TestScale(t *testing.T) {
	list := costs(t, 2, 1)
	var steps []string
	for _, c := range list {
		steps = append(steps, c.step)
		if c.runs != 2*runsOfInstance || c.cpu <= 0 || c.wall <= 0 || c.memory <= 0 {
			t.Errorf("not measured: %+v", c)
		}
	}
	if want := []string{"plan", "merge", "status", "score", "place", "publish"}; !slices.Equal(steps, want) {
		t.Fatalf("measured: %v, want %v", steps, want)
	}
	if merged, pages := list[1].files, list[5].files; merged < 2 || pages < 2*runsOfInstance/10 {
		t.Errorf("merge leaves %d files, publish %d", merged, pages)
	}
}

// TestScaleTable wants the growth 1 of what grows like n log n, 2 of what takes
// twice as long.
func TestScaleTable(t *testing.T) {
	table := scaleTable([]cost{
		{step: "plan", runs: 1 << 10, cpu: time.Second},
		{step: "score", runs: 1 << 10, cpu: time.Second},
		{step: "plan", runs: 1 << 20, cpu: 2048 * time.Second},
		{step: "score", runs: 1 << 20, cpu: 4096 * time.Second},
	})
	for _, want := range []string{"2048.0 s | 1.00 |", "4096.0 s | 2.00 |"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}

// cost is what one command took and left.
type cost struct {
	step        string
	runs, hosts int
	wall, cpu   time.Duration
	memory      int64 // the most that was resident, bytes
	disk        int64 // written and left, bytes
	files       int   // more than before
}

// costs takes a campaign of so many instances from its models to its pages.
func costs(b testing.TB, instances, hosts int) (list []cost) {
	dir := b.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	syntheticInputs(b, in("models"), in("tools"), instances)
	step := func(name string, args ...string) {
		c := measured(b, dir, args...)
		c.step, c.runs, c.hosts = name, instances*runsOfInstance, hosts
		list = append(list, c)
	}
	step("plan", "plan", "--models", in("models"), "--tools", in("tools"), "--edition", "mcc2020", "--out", in("campaign"))
	remove(b, in("models"))
	answers := podium(in("campaign"), in("shards"))
	answers.Args[0] = "answer-in-shards"
	if out, err := answers.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	merge := []string{"merge", in("campaign")}
	for k := range shardsMerged {
		merge = append(merge, filepath.Join(in("shards"), fmt.Sprint(k)))
	}
	step("merge", merge...)
	remove(b, in("shards"))
	step("status", "status", in("campaign"))
	runs := instances * runsOfInstance
	if runs <= mostScored {
		step("score", "score", in("campaign"))
		step("place", "simulate", in("campaign"), "--hosts", fmt.Sprint(hosts), "--slots", "4")
	}
	if runs <= mostPublished {
		step("publish", "publish", in("campaign"))
	}
	remove(b, in("campaign"))
	return list
}

// measured runs podium in a process of its own. What it writes below dir counts.
func measured(b testing.TB, dir string, args ...string) cost {
	b.Helper()
	disk, files := usage(b, dir)
	c := podium(args...)
	var talk bytes.Buffer
	c.Stderr = &talk
	start := time.Now()
	if err := c.Run(); err != nil {
		b.Fatalf("podium %s: %v\n%s", strings.Join(args, " "), err, talk.Bytes())
	}
	used := c.ProcessState.SysUsage().(*syscall.Rusage)
	m := cost{wall: time.Since(start), cpu: c.ProcessState.UserTime() + c.ProcessState.SystemTime(), memory: used.Maxrss * 1024}
	afterwards, more := usage(b, dir)
	m.disk, m.files = afterwards-disk, more-files
	return m
}

// usage is the space that the files below dir take, and their number.
func usage(b testing.TB, dir string) (disk int64, files int) {
	b.Helper()
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		disk += info.Sys().(*syscall.Stat_t).Blocks * 512
		if !e.IsDir() {
			files++
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return disk, files
}

// syntheticInputs writes models of thirteen instances each, all with one small net
// and its formulas without indentation, and ten tools that are never run.
func syntheticInputs(b testing.TB, models, tools string, instances int) {
	b.Helper()
	template := b.TempDir()
	if out, err := podium("model", "generate", "DiningPhilosophers", "003", "--out", template).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	texts := map[string]string{}
	paths, err := filepath.Glob(filepath.Join(template, "*", "*"))
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range paths {
		if filepath.Ext(path) != ".txt" { // the same formulas once more, for people
			text, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			texts[filepath.Base(path)] = regexp.MustCompile(`(?m)^ +`).ReplaceAllString(string(text), "")
		}
	}
	for i := range instances {
		family, parameter := fmt.Sprintf("Family%04d", i/13), fmt.Sprintf("%05d", i)
		id := family + "-PT-" + parameter
		for name, text := range texts {
			if name == "instance" {
				text = parameter + "\n"
			}
			text = strings.ReplaceAll(text, "DiningPhilosophers-PT-003", id)
			put(b, filepath.Join(models, id, name), text, 0o644)
		}
	}
	for t := range 10 {
		name := fmt.Sprintf("tool%d", t)
		put(b, filepath.Join(tools, name, "tool.yaml"), fmt.Sprintf("format: podium-tool/1\nname: %s\n", name), 0o644)
		put(b, filepath.Join(tools, name, "BenchKit_head.sh"), "#!/bin/sh\necho CANNOT_COMPUTE\n", 0o755)
	}
}

func put(b testing.TB, path, text string, mode fs.FileMode) {
	b.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), mode)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// scaleTable says what each command cost, by command. Growth is the CPU time over
// that of the size before, divided by the same ratio of n log n: at most 1 is no
// worse than n log n.
func scaleTable(list []cost) string {
	var t strings.Builder
	t.WriteString("| command | runs | hosts | wall time | CPU time | growth | memory | disk | files |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, step := range []string{"plan", "place", "merge", "status", "score", "publish"} {
		var before *cost
		for i, c := range list {
			if c.step != step {
				continue
			}
			growth := ""
			if before != nil {
				growth = fmt.Sprintf("%.2f", c.cpu.Seconds()/before.cpu.Seconds()/(linearithmic(c.runs)/linearithmic(before.runs)))
			}
			t.WriteString(c.row(growth) + "\n")
			before = &list[i]
		}
	}
	return t.String()
}

func (c cost) row(growth string) string {
	return fmt.Sprintf("| %s | %d | %d | %.1f s | %.1f s | %s | %d MB | %.1f MB | %d |", c.step, c.runs, c.hosts,
		c.wall.Seconds(), c.cpu.Seconds(), growth, c.memory/1e6, float64(c.disk)/1e6, c.files)
}

// linearithmic is n log n.
func linearithmic(n int) float64 { return float64(n) * math.Log2(float64(n)) }

func remove(b testing.TB, dir string) {
	b.Helper()
	if err := os.RemoveAll(dir); err != nil {
		b.Fatal(err)
	}
}
