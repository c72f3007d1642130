package cmd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"podium/edition"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/decisions"
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

// plan is the plan of the campaign; an empty one where there is none.
func (a at) plan() *campaign.Plan {
	dir := defaultCampaign
	if from := a.cmd.Flag("from"); from != nil {
		if list, several := from.Value.(pflag.SliceValue); several && len(list.GetSlice()) > 0 {
			dir = list.GetSlice()[0]
		}
	} else if len(a.args) > 0 {
		dir = a.args[0]
	}
	c, err := campaign.Open(dir)
	if err != nil {
		return &campaign.Plan{}
	}
	return &c.Plan
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

// exams gives the examinations of the campaign, or all that there are.
func (a at) exams() (names []string) {
	list := a.plan().Examinations
	if len(list) == 0 {
		list = examinations.All
	}
	for _, e := range list {
		names = append(names, string(e))
	}
	return names
}

// selection completes the last term of a selection of runs.
func (a at) selection() (names []string) {
	before, term := "", a.word
	if i := strings.LastIndexByte(a.word, ' '); i >= 0 {
		before, term = a.word[:i+1], a.word[i+1:]
	}
	key, _, has := strings.Cut(term, "=")
	var values []string
	switch selection.Key(strings.TrimSuffix(key, "!")) {
	case selection.Tool:
		values = a.tools()
	case selection.Model:
		values = a.models()
	case selection.Instance:
		values = a.instances()
	case selection.Examination:
		values = a.exams()
	}
	if !has {
		for _, k := range selection.Keys {
			names = append(names, before+string(k.Key)+"=")
		}
		return names
	}
	for _, v := range values {
		names = append(names, before+key+"="+v)
	}
	return names
}

// flagValues are the values of flags, by the flag's name and, where commands mean
// different things by one name, by "COMMAND --NAME".
var flagValues = map[string]func(at) []string{
	"edition":            func(at) []string { return edition.Names() },
	"under":              func(at) []string { return edition.Names() },
	"driver":             func(at) []string { return driverNames() },
	"examination":        at.exams,
	"only":               at.selection,
	"without-tool":       at.tools,
	"out-of-competition": at.tools,
	"without-family":     at.families,
	"without-model":      at.models,
	"without-instance":   at.instances,
	"move":               at.models,
	"again":              at.models,
	"run --models":       at.models,
	"tool":               at.tools,
	"decide --instance":  at.instances,
	"kind":               func(at) []string { return []string{"COL", "PT"} },
	"class":              func(at) []string { return []string{"known", "stripped", "surprise"} },
	"size":               func(at) []string { return []string{"short", "full"} },
	"check --format":     func(at) []string { return []string{"text", "json", "github"} },
	"try --format":       func(at) []string { return []string{"text", "json", "github"} },
	"form --format":      func(at) []string { return formFormats },
	"draw --format":      func(at) []string { return []string{"svg", "png", "pdf", "dot", "html"} },
	"export --format":    func(at) []string { return exportFormats },
	"previous":           at.editionFile,
	"outcome":            func(at) []string { return outcomes() },
	"repeats":            func(at) []string { return []string{"first", "last", "none"} },
}

// argValues are the arguments of commands that are names, by the command's path and the
// argument's place. Others are files.
var argValues = map[string][]func(at) []string{
	"explain":        {at.tools, at.instances, at.exams},
	"explain value":  {at.instances, at.exams},
	"tool run":       {func(at) []string { return builtInNames() }},
	"tool write":     {nil, func(at) []string { return builtInNames() }},
	"model generate": {func(at) []string { return familyNames() }, at.parameters},
	"cluster move":   {at.models, at.models}, // a campaign may stand before
	"decide revoke":  {at.decisions, at.decisions},
	"test":           {func(at) []string { return builtInNames() }},
	"try":            {func(at) []string { return builtInNames() }},
}

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
			if f.Name == "only" {
				return fitting(values(at{cmd, args, word}), "", word), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
			}
			before := "" // of a list with commas
			if i := strings.LastIndexByte(word, ','); i >= 0 && strings.HasSuffix(f.Value.Type(), "Slice") {
				before = word[:i+1]
			}
			directive := cobra.ShellCompDirectiveNoFileComp
			if f.Name == "edition" || f.Name == "under" {
				directive = cobra.ShellCompDirectiveDefault // a person's own is a file
			}
			return fitting(values(at{cmd, args, word}), before, word), directive
		})
	})
	places := argValues[strings.TrimPrefix(cmd.CommandPath(), "podium ")]
	if len(places) == 0 {
		return
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		values := places[min(len(args), len(places)-1)]
		if values == nil || len(args) >= len(places) && cmd.Name() != "generate" && cmd.Name() != "write" {
			return nil, cobra.ShellCompDirectiveDefault
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		if len(args) == 0 && slices.Contains([]string{"try", "test", "move", "revoke"}, cmd.Name()) {
			directive = cobra.ShellCompDirectiveDefault // a tool of one's own, or a campaign, is a directory
		}
		return fitting(values(at{cmd, args, word}), "", word), directive
	}
}

// fitting gives the names that a word may become, each once, with what stands before
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
