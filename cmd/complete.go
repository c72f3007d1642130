package cmd

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"podium/edition"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/judged"
	"podium/internal/referee"
	"podium/internal/selection"
	"podium/internal/tools"
	"podium/models"
	"podium/scoring"
)

// at is what a shell asks to complete: the campaign that the words so far name, or that
// of the default, and what is written already.
type at struct {
	cmd  *cobra.Command
	args []string
	word string
}

// makesNew are the commands that ask something new, whatever campaign is at hand.
var makesNew = []string{"plan", "contest", "qualify", "try", "test", "output"}

// campaign opens the campaign; nil where there is none.
func (a at) campaign() *campaign.Campaign {
	dir := defaultCampaign
	if out := a.cmd.Flag("out"); out != nil && a.cmd.Name() == "contest" {
		dir = out.Value.String()
	}
	if from := a.cmd.Flag("from"); from != nil {
		if list, several := from.Value.(pflag.SliceValue); several && len(list.GetSlice()) > 0 {
			dir = list.GetSlice()[0]
		}
		if leadsWithCampaign(a.cmd, a.args) {
			dir = a.args[0]
		}
	} else if len(a.args) > 0 {
		dir = a.args[0]
	}
	c, err := campaign.Open(dir)
	if err != nil {
		return nil
	}
	return c
}

// leadsWithCampaign reports whether a campaign stands in front of the arguments of a command that
// takes it so, or with --from.
func leadsWithCampaign(cmd *cobra.Command, args []string) bool {
	if cmd.Flag("from") == nil || len(args) == 0 {
		return false
	}
	info, err := os.Stat(args[0])
	return err == nil && info.IsDir()
}

// plan is the plan of the campaign; an empty one where there is none.
func (a at) plan() *campaign.Plan {
	if c := a.campaign(); c != nil {
		return &c.Plan
	}
	return &campaign.Plan{}
}

func (a at) tools() (names []string) {
	for _, t := range a.plan().Tools {
		names = append(names, t.Name)
	}
	return names
}

func (a at) families() (names []string) {
	for _, t := range a.plan().Tools {
		names = append(names, t.Family)
	}
	return names
}

func (a at) models() (names []string) {
	for _, i := range a.plan().Instances {
		names = append(names, models.ParseAnyID(i.ID).Family)
	}
	return names
}

func (a at) instances() (names []string) {
	for _, i := range a.plan().Instances {
		names = append(names, i.ID)
	}
	return names
}

// exams returns the examinations of the campaign, or those that are new to it; where there is
// none, of the edition that is named, or all that there are.
func (a at) exams() (names []string) {
	var list, there []examinations.ID
	if !slices.Contains(makesNew, a.cmd.Name()) {
		list = a.plan().Examinations
	}
	if a.cmd.Name() == "extend" {
		list, there = nil, list
	}
	if ed := a.edition(); len(list) == 0 && ed != nil {
		for _, e := range ed.Examinations {
			list = append(list, e.ID)
		}
	} else if len(list) == 0 {
		list = examinations.All()
	}
	for _, e := range list {
		if !slices.Contains(there, e) && e != "*" { // the categories of tasks have the names of their sets
			names = append(names, string(e))
		}
	}
	return names
}

// edition is the one that the words so far name, or that of the campaign which is extended;
// nil where there is none.
func (a at) edition() *edition.Edition {
	name := ""
	if flag := a.cmd.Flag("edition"); flag != nil && flag.Changed {
		name = flag.Value.String()
	} else if a.cmd.Name() == "extend" {
		name = a.plan().Edition
	}
	ed, _, err := judged.LoadEdition(name)
	if err != nil {
		return nil
	}
	return ed
}

// newTools are the names of the tools that --tools names, or of the built-in ones.
func (a at) newTools() (names []string) {
	var paths []string
	if flag := a.cmd.Flag("tools"); flag != nil {
		paths = flag.Value.(pflag.SliceValue).GetSlice()
	}
	for _, path := range paths {
		if m, ok := tools.FindBuiltIn(path); ok {
			names = append(names, m.Name)
		} else if path == "builtin" {
			names = append(names, tools.BuiltInNames()...)
		} else if list, err := tools.OpenAll(path); err == nil {
			for _, t := range list {
				names = append(names, t.Name)
			}
		}
	}
	if len(paths) == 0 && a.cmd.Name() != "extend" {
		return tools.BuiltInNames()
	}
	return names
}

// optOuts completes TOOL=CATEGORY,CATEGORY.
func (a at) optOuts() (names []string) {
	end := strings.LastIndexAny(a.word, "=,") + 1
	if end == 0 {
		for _, name := range a.newTools() {
			names = append(names, name+"=")
		}
		return names
	}
	ed := a.edition()
	if ed == nil {
		ed, _ = edition.Named(defaultEdition)
	}
	for _, e := range ed.Examinations {
		if e.ID != "*" {
			names = append(names, a.word[:end]+e.Category)
		}
	}
	for _, m := range ed.Scheme.Metas {
		names = append(names, a.word[:end]+m.Name)
	}
	return names
}

// values are those of yes and no; others nobody can guess.
func (a at) values() []string {
	if exam, err := examinations.ParseID(a.cmd.Flag("examination").Value.String()); err == nil && exam.Kind() == examinations.Bool {
		return []string{examinations.True.Text, examinations.False.Text}
	}
	return nil
}

// items are the values of the instance and the examination that flags or arguments name.
func (a at) items() []string {
	var instance, exam string
	if flag := a.cmd.Flag("instance"); flag != nil {
		instance, exam = flag.Value.String(), a.cmd.Flag("examination").Value.String()
	} else {
		instance, exam = a.args[len(a.args)-2], a.args[len(a.args)-1]
	}
	p := a.plan()
	for _, i := range p.Instances {
		if i.ID == instance {
			return i.Items(examinations.ID(exam))
		}
	}
	return nil
}

// campaigns are those in the directory of the word, and the default one.
func (a at) campaigns() (names []string) {
	dir, _ := filepath.Split(a.word)
	for _, name := range campaign.In(cmp.Or(dir, ".")) {
		names = append(names, dir+name)
	}
	if campaign.Is(defaultCampaign) {
		names = append(names, defaultCampaign)
	}
	return names
}

func (a at) modelsOrCampaigns() []string { return append(a.models(), a.campaigns()...) }

func (a at) decisionsOrCampaigns() []string { return append(a.decisions(), a.campaigns()...) }

// takesCampaign tells of commands whose arguments may be campaigns.
func takesCampaign(cmd *cobra.Command) bool {
	return strings.Contains(cmd.Use, "[DIR") || strings.Contains(cmd.Use, "[SOURCE") || slices.Contains([]string{"prove", "merge", "compare", "qualify"}, cmd.Name())
}

// selection completes the last term of a selection of runs.
func (a at) selection() (names []string) {
	before, term := "", a.word
	if i := strings.LastIndexByte(a.word, ' '); i >= 0 {
		before, term = a.word[:i+1], a.word[i+1:]
	}
	key, _, has := strings.Cut(term, "=")
	if !has {
		for _, k := range selection.Keys {
			names = append(names, before+string(k.Key)+"=")
		}
		return names
	}
	named, plan, log := selection.Key(strings.TrimSuffix(key, "!")), &campaign.Plan{}, &campaign.Log{}
	if c := a.campaign(); c != nil {
		plan = &c.Plan
		if named == selection.Host { // only the journals know hosts
			if read, err := c.ReadEnds(a.cmd.Context()); err == nil {
				log = read
			}
		}
	}
	for _, v := range selection.Names(plan, log)[named] {
		names = append(names, before+key+"="+v)
	}
	return names
}

// flagValues are the values of flags, by the flag's name and, where commands mean
// different things by one name, by "COMMAND --NAME".
var flagValues = map[string]func(at) []string{
	"edition":                      func(at) []string { return edition.Names() },
	"under":                        func(at) []string { return edition.Names() },
	"driver":                       func(at) []string { return driverNames() },
	"examination":                  at.exams,
	"only":                         at.selection,
	"without-tool":                 at.tools,
	"out-of-competition":           at.tools,
	"plan --out-of-competition":    at.newTools,
	"contest --out-of-competition": at.newTools,
	"extend --out-of-competition":  at.newTools,
	"qualify --out-of-competition": at.newTools,
	"opt-out":                      at.optOuts,
	"tools":                        func(at) []string { return append(builtInNames(), "builtin") },
	"from":                         at.campaigns,
	"validate":                     at.campaigns,
	"campaign":                     at.campaigns,
	"history":                      at.campaigns,
	"item":                         at.items,
	"value":                        at.values,
	"output --instance":            at.instances,
	"prove --without":              func(at) []string { return referee.Techniques() },
	"without-family":               at.families,
	"without-model":                at.models,
	"without-instance":             at.instances,
	"move":                         at.models,
	"again":                        at.models,
	"run --models":                 at.models,
	"tool":                         at.tools,
	"decide --instance":            at.instances,
	"kind":                         func(at) []string { return []string{"COL", "PT"} },
	"class":                        func(at) []string { return []string{"known", "stripped", "surprise"} },
	"size":                         func(at) []string { return []string{"short", "full"} },
	"check --format":               func(at) []string { return []string{"text", "json", "github"} },
	"try --format":                 func(at) []string { return []string{"text", "json", "github"} },
	"form --format":                func(at) []string { return formFormats },
	"draw --format":                func(at) []string { return []string{"svg", "png", "pdf", "dot", "html"} },
	"export --format":              func(at) []string { return exportFormats },
	"previous":                     at.editionFile,
	"outcome":                      func(at) []string { return outcomes() },
	"simulate --tools":             func(at) []string { return nil },
	"reference":                    func(at) []string { return []string{"TRUE", "FALSE"} },
	"repeats":                      func(at) []string { return []string{"first", "last", "none"} },
}

// argValues are the arguments of commands that are names, by the command's path and the
// argument's place. Others are files.
var argValues = map[string][]func(at) []string{
	"explain":        {at.tools, at.instances, at.exams},
	"explain value":  {at.instances, at.exams, at.items},
	"edition show":   {func(at) []string { return edition.Names() }},
	"tool run":       {func(at) []string { return builtInNames() }},
	"tool write":     {nil, func(at) []string { return builtInNames() }},
	"model generate": {func(at) []string { return familyNames() }, at.parameters},
	"cluster move":   {at.modelsOrCampaigns, at.models},
	"decide revoke":  {at.decisionsOrCampaigns, at.decisions},
	"test":           {func(at) []string { return builtInNames() }},
	"try":            {func(at) []string { return builtInNames() }},
}

// alsoFiles are the flags whose values may be files or directories, too.
var alsoFiles = []string{"edition", "under", "tools", "from", "validate", "campaign", "history"}

// editionFile completes the edition of EDITION=FILE; the file is the shell's.
func (a at) editionFile() (names []string) {
	if strings.Contains(a.word, "=") {
		return nil
	}
	for _, name := range edition.Names() {
		names = append(names, name+"=")
	}
	return names
}

func outcomes() (names []string) {
	for _, o := range scoring.Outcomes {
		names = append(names, string(o))
	}
	return names
}

func builtInNames() (names []string) {
	for _, m := range slices.Concat(tools.BuiltIn, tools.Named) {
		names = append(names, m.Name)
	}
	return names
}

func (a at) parameters() []string {
	family, ok := models.FindFamily(a.args[0])
	if !ok {
		return nil
	}
	return family.Ladder
}

func (a at) decisions() (names []string) {
	dir := defaultCampaign
	if len(a.args) > 0 {
		dir = a.args[0]
	}
	record, err := decisions.Read(dir)
	if err != nil {
		return nil
	}
	for _, d := range record.Decisions {
		names = append(names, strconv.Itoa(d.Number))
	}
	return names
}

// complete lets shells complete the names that commands take: of tools, models,
// instances and examinations of the campaign at hand, of editions and of other words.
func complete(cmd *cobra.Command) {
	for _, below := range cmd.Commands() {
		complete(below)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		values := flagValues[f.Name]
		for c := cmd; c.HasParent(); c = c.Parent() {
			if special, ok := flagValues[c.Name()+" --"+f.Name]; ok {
				values = special
				break
			}
		}
		if values == nil {
			return
		}
		// A flag that is there has no other completion yet, so that this cannot fail.
		_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if f.Name == "previous" {
				return fitting(values(at{cmd, args, word}), "", word), cobra.ShellCompDirectiveNoSpace
			}
			if f.Name == "only" || f.Name == "opt-out" {
				return fitting(values(at{cmd, args, word}), "", word), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
			}
			before := "" // of a list with commas
			if i := strings.LastIndexByte(word, ','); i >= 0 && strings.HasSuffix(f.Value.Type(), "Slice") {
				before = word[:i+1]
			}
			directive := cobra.ShellCompDirectiveNoFileComp
			if slices.Contains(alsoFiles, f.Name) {
				directive = cobra.ShellCompDirectiveDefault
			}
			names := slices.DeleteFunc(values(at{cmd, args, word}), func(name string) bool { return slices.Contains(strings.Split(before, ","), name) })
			return fitting(names, before, word), directive
		})
	})
	places := argValues[pathOf(cmd)]
	if len(places) == 0 {
		if takesCampaign(cmd) {
			cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
				return fitting(at{cmd, args, word}.campaigns(), "", word), cobra.ShellCompDirectiveDefault
			}
		}
		return
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		given := len(args)
		if leadsWithCampaign(cmd, args) {
			given--
		}
		values := places[min(given, len(places)-1)]
		if values == nil || given >= len(places) && cmd.Name() != "generate" && cmd.Name() != "write" {
			return nil, cobra.ShellCompDirectiveDefault
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		from := cmd.Flag("from") // a campaign may stand in front, unless the flag names it
		if len(args) == 0 && (slices.Contains([]string{"try", "test", "move", "revoke"}, cmd.Name()) || from != nil && !from.Changed) {
			directive = cobra.ShellCompDirectiveDefault // a tool of one's own, or a campaign, is a directory
		}
		return fitting(values(at{cmd, args, word}), "", word), directive
	}
}

// fitting returns the names that a word may become, each once, with what stands before
// them.
func fitting(names []string, before, word string) []string {
	var list []string
	for _, name := range names {
		if strings.HasPrefix(before+name, word) && !slices.Contains(list, before+name) {
			list = append(list, before+name)
		}
	}
	return list
}
