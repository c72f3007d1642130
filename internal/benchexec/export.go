package benchexec

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/tools"
	"podium/internal/wording"
	"podium/models/benchmark"
	"podium/models/task"
)

// What an export has, below its directory: definitions of the tools, NAME.xml, and
const (
	tasksDir      = "tasks"        // task definitions and set files
	filesDir      = "files"        // the files of the tasks, each below the name of its definition
	propertiesDir = "properties"   // property files
	toolsDir      = "tools"        // the directories of the tools
	modulesDir    = "podium_tools" // tool-info modules
)

// Export writes into a directory what BenchExec needs to run the contest of a campaign.
// Remarks say what is not the same there.
func Export(dir string, c *campaign.Campaign) (remarks []string, err error) {
	x := &exporter{dir: dir, campaign: c, properties: map[propertyKey]string{}, nameOf: map[string]string{}, propertyOf: map[string]string{}, definitions: map[string]*definition{}}
	for i := range c.Plan.Tasks() {
		x.tasks = append(x.tasks, i)
		if err := x.instance(i); err != nil {
			return nil, err
		}
	}
	if nets := len(c.Plan.Instances) - len(x.tasks); nets > 0 {
		x.say("%s left out, with the tools for nets: BenchExec has no counterpart", wording.Count(nets, "net was", "nets were"))
	}
	for _, name := range slices.Sorted(maps.Keys(x.definitions)) {
		d := x.definitions[name]
		if err := x.write(filepath.Join(tasksDir, filepath.FromSlash(name)), d.Write); err != nil {
			return nil, err
		}
	}
	if err := x.sets(); err != nil {
		return nil, err
	}
	if err := x.tools(); err != nil {
		return nil, err
	}
	if x.renamed > 0 {
		x.say("%s no task definition of BenchExec before: the new ones have .yml behind their names", wording.Count(x.renamed, "task was", "tasks were"))
	}
	return x.remarks, nil
}

type exporter struct {
	dir      string
	campaign *campaign.Campaign
	tasks    []campaign.PlannedInstance
	remarks  []string
	renamed  int
	// properties are the property files, by name and content: where they are.
	properties  map[propertyKey]string
	nameOf      map[string]string      // by property file: the name of the property
	propertyOf  map[string]string      // by the names of the tasks
	definitions map[string]*definition // by the names of their files
	listed      []listed
	chosen      map[setKey]string // the set file of a category and a property file
}

type propertyKey struct {
	base    string
	content [sha256.Size]byte
}

// definition is a task definition that is being made.
type definition struct {
	task.Definition
	content [sha256.Size]byte // of the files, without the property file
}

// listed is a task in a category.
type listed struct {
	setKey
	file string // the task definition
}

type setKey struct{ category, property string }

func (x *exporter) say(format string, args ...any) {
	x.remarks = append(x.remarks, fmt.Sprintf(format, args...))
}

// write writes a file of the export.
func (x *exporter) write(name string, write func(io.Writer) error) error {
	file := filepath.Join(x.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return files.Write(file, write)
}

// instance adds a task to its definition, whose files are copied.
func (x *exporter) instance(i campaign.PlannedInstance) error {
	from := x.campaign.Path(i.Path)
	file, _, _ := strings.Cut(i.ID, "#")
	name := file
	if path.Ext(name) != ".yml" {
		name += ".yml"
	}
	content, err := digest(from, i.Task.PropertyFile)
	if err != nil {
		return err
	}
	property, err := x.property(filepath.Join(from, filepath.FromSlash(i.Task.PropertyFile)))
	if err != nil {
		return err
	}
	x.propertyOf[i.ID], x.nameOf[property] = property, i.Task.Property
	up := strings.Repeat("../", strings.Count(name, "/")+1)
	d := x.definitions[name]
	switch {
	case d == nil:
		if d, err = x.begin(i, name, up, from); err != nil {
			return err
		}
		d.content = content
		if name != file {
			x.renamed++
		}
	case d.content != content:
		return fmt.Errorf("the tasks named %s have different files, and BenchExec has one definition for them: rename one and plan again", file)
	}
	claim := task.Claim{Property: task.Pattern{Text: up + propertiesDir + "/" + task.Literal(property)}}
	switch part, ok := strings.CutPrefix(i.Task.Expected, "FALSE("); {
	case ok:
		claim.Verdict, claim.Subproperty = task.False, strings.TrimSuffix(part, ")")
	case i.Task.Expected == "FALSE":
		claim.Verdict = task.False
	case i.Task.Expected == "TRUE":
		claim.Verdict = task.True
	}
	d.Claims = append(d.Claims, claim)
	for _, category := range i.Task.Categories {
		x.listed = append(x.listed, listed{setKey{string(category), property}, name})
	}
	return nil
}

// begin makes the definition of a task and copies its files.
func (x *exporter) begin(i campaign.PlannedInstance, name, up, from string) (*definition, error) {
	d := &definition{Definition: task.Definition{Version: "2.0", Options: map[string]any{"data_model": i.Task.DataModel}}}
	if len(i.Task.Inputs) > 0 && slices.Contains([]string{".c", ".i"}, path.Ext(i.Task.Inputs[0])) {
		d.Options.(map[string]any)["language"] = "C"
	}
	x.definitions[name] = d
	pattern := func(file string) task.Pattern {
		return task.Pattern{Text: up + filesDir + "/" + name + "/" + task.Literal(file)}
	}
	for _, input := range i.Task.Inputs {
		d.Inputs = append(d.Inputs, pattern(input))
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() == i.Task.PropertyFile {
			continue
		}
		if !slices.Contains(i.Task.Inputs, e.Name()) {
			d.Required = append(d.Required, pattern(e.Name()))
		}
		if err := task.Copy(filepath.Join(from, e.Name()), filepath.Join(x.dir, filesDir, filepath.FromSlash(name), e.Name())); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// property keeps a property file, and returns its name below the directory of all of them.
func (x *exporter) property(file string) (string, error) {
	text, err := files.ReadNamed(file, 16<<20)
	if err != nil {
		return "", err
	}
	key := propertyKey{filepath.Base(file), sha256.Sum256(text)}
	if name, known := x.properties[key]; known {
		return name, nil
	}
	same := 1
	for other := range x.properties {
		if other.base == key.base {
			same++
		}
	}
	name := key.base
	if same > 1 {
		name = fmt.Sprintf("%d/%s", same, key.base)
	}
	x.properties[key] = name
	return name, x.write(filepath.Join(propertiesDir, filepath.FromSlash(name)), files.Bytes(text))
}

// digest is over the names and contents of the files of a staged task but one.
func digest(dir, except string) (sum [sha256.Size]byte, err error) {
	all := sha256.New()
	err = filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, file)
		if err != nil || e.IsDir() || rel == filepath.FromSlash(except) {
			return err
		}
		f, err := files.Open(dir, rel)
		if err != nil {
			return err
		}
		defer f.Close()
		one := sha256.New()
		_, err = io.Copy(one, f)
		fmt.Fprintf(all, "%q %x\n", rel, one.Sum(nil))
		return err
	})
	all.Sum(sum[:0])
	return sum, err
}

// sets writes the set files. A category has one, unless it has one property of a task and
// not another: `podium plan --tasks` reads the same categories then.
func (x *exporter) sets() error {
	inCategory := map[string]map[listed]bool{} // by definition: its places in categories
	properties := map[string]map[string]bool{} // by definition: its property files
	categories := map[string][]listed{}
	for _, l := range x.listed {
		if inCategory[l.file] == nil {
			inCategory[l.file], properties[l.file] = map[listed]bool{}, map[string]bool{}
		}
		inCategory[l.file][l], properties[l.file][l.property] = true, true
		categories[l.category] = append(categories[l.category], l)
	}
	x.chosen = map[setKey]string{}
	written := map[string]bool{}
	for _, category := range slices.Sorted(maps.Keys(categories)) {
		whole := true // each definition is here with all of its properties
		byName := map[string][]listed{}
		for _, l := range categories[category] {
			for property := range properties[l.file] {
				whole = whole && inCategory[l.file][listed{setKey{category, property}, l.file}]
			}
			byName[x.nameOf[l.property]] = append(byName[x.nameOf[l.property]], l)
		}
		if whole {
			byName = map[string][]listed{"": categories[category]}
		}
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			set := category
			if len(byName) > 1 {
				set = free(category+"."+name, ".", func(set string) bool { return categories[set] != nil || written[set] })
				if set != category+"."+name {
					x.say("the set of the category %s for %s is %s.set: the name %s.%s is taken", category, name, set, category, name)
				}
			}
			written[set] = true
			if err := x.set(set, byName[name], !whole); err != nil {
				return err
			}
		}
		if len(byName) > 1 {
			x.say("the category %s has a set for each of its properties", category)
		}
	}
	return nil
}

// free is the name, with a number behind it where it is taken.
func free(name, between string, taken func(string) bool) string {
	free := name
	for n := 2; taken(free); n++ {
		free = fmt.Sprintf("%s%s%d", name, between, n)
	}
	return free
}

// set writes a set file, and where it chooses among the properties of its definitions, their
// property file beside it.
func (x *exporter) set(name string, list []listed, chooses bool) error {
	var lines []string
	for _, l := range list {
		x.chosen[l.setKey] = name
		lines = append(lines, l.file)
	}
	slices.Sort(lines)
	err := x.write(filepath.Join(tasksDir, name+".set"), files.Bytes([]byte(strings.Join(slices.Compact(lines), "\n")+"\n")))
	if err == nil && chooses {
		err = task.Copy(filepath.Join(x.dir, propertiesDir, filepath.FromSlash(list[0].property)), filepath.Join(x.dir, tasksDir, name+".prp"))
	}
	return err
}

// tools writes a benchmark definition for each tool, whose variants are run definitions of
// it.
func (x *exporter) tools() error {
	plan := &x.campaign.Plan
	variants := map[string][]campaign.PlannedTool{} // by the name in the manifest
	manifests := map[string]tools.Manifest{}
	for _, t := range plan.Tools {
		if t.Task == nil {
			continue
		}
		m, err := x.campaign.Manifest(t)
		if err != nil {
			return err
		}
		variants[m.Name], manifests[m.Name] = append(variants[m.Name], t), m
	}
	modules := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(variants)) {
		m, list := manifests[name], variants[name]
		d := benchmark.Definition{Tool: m.ToolInfo, Title: m.Title, Limits: limits(plan.Confinement(list[0], x.tasks[0]))}
		if err := copyTool(x.campaign.Path(list[0].Dir), filepath.Join(x.dir, toolsDir, name)); err != nil {
			return fmt.Errorf("copy of tool %s: %w", name, err)
		}
		if m.ToolInfo == "" {
			module := free(tools.ModuleName(name), "_", func(module string) bool { return modules[module] })
			modules[module] = true
			if module != tools.ModuleName(name) {
				x.say("tool %s: its module is %s, because another tool has the module %s", name, module, tools.ModuleName(name))
			}
			d.Tool = modulesDir + "." + module
			if err := x.module(module, m, list[0]); err != nil {
				return err
			}
		} else {
			x.say("tool %s: BenchExec's module %s says how it is run and what its output means, not the manifest", name, m.ToolInfo)
		}
		for _, t := range list {
			d.Runs = append(d.Runs, x.runs(m, t)...)
		}
		if err := x.write(name+".xml", d.Write); err != nil {
			return err
		}
	}
	return nil
}

// limits are those of a machine as BenchExec has them, which knows whole seconds.
func limits(c campaign.Confinement) benchmark.Limits {
	return benchmark.Limits{CPU: time.Duration(c.CPUTime) * time.Microsecond, Wall: time.Duration(c.WallTime) * time.Microsecond, Memory: c.Memory, Cores: c.Cores}
}

// runs are the run definitions of a tool: one for each property file, as SV-COMP has them,
// or for a variant one.
func (x *exporter) runs(m tools.Manifest, t campaign.PlannedTool) (list []benchmark.RunDefinition) {
	sets := map[string][]benchmark.Set{} // by property file
	done := map[setKey]bool{}
	for _, i := range x.tasks {
		property := x.propertyOf[i.ID]
		for _, category := range i.Task.Categories {
			key := setKey{string(category), property}
			if done[key] || !t.TakesPart(i, category) {
				continue
			}
			done[key] = true
			sets[property] = append(sets[property], benchmark.Set{Options: t.Task.OptionsIn(category), Choice: task.Choice{Name: string(category),
				IncludeSets: []task.Pattern{{Text: tasksDir + "/" + x.chosen[key] + ".set"}}, Property: task.Pattern{Text: propertiesDir + "/" + property}}})
		}
	}
	variant, isVariant := strings.CutPrefix(t.Name, m.Name+"-")
	for _, property := range slices.Sorted(maps.Keys(sets)) {
		slices.SortFunc(sets[property], func(a, b benchmark.Set) int { return strings.Compare(a.Name, b.Name) })
		if isVariant && len(list) > 0 {
			list[0].Sets = append(list[0].Sets, sets[property]...)
			continue
		}
		name := strings.ReplaceAll(strings.TrimSuffix(property, ".prp"), "/", "-")
		if isVariant {
			name = variant
		}
		list = append(list, benchmark.RunDefinition{Name: name, Sets: sets[property]})
	}
	return list
}
