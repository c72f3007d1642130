package planning

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"podium/internal/campaign"
)

// handedIn is tools as they are planned, each written as directory/name or directory/name:family; "+" are built-in ones, and
// "old" before a name says that an earlier plan has it.
func handedIn(texts string) (list []campaign.PlannedTool) {
	for text := range strings.FieldsSeq(texts) {
		dir, name, _ := strings.Cut(text, "/")
		name, family, named := strings.Cut(name, ":")
		name, submission, variant := strings.Cut(name, "@") // an entry of a benchmark definition, and its tool
		if !variant {
			submission = name
		}
		if !named {
			family = submission
		}
		if before, old := strings.CutPrefix(dir, "old"); old {
			dir, submission = before, ""
		}
		list = append(list, campaign.PlannedTool{Name: name, Dir: dir, Family: family, Submission: submission, BuiltIn: dir == "+"})
	}
	return list
}

// TestE45Families: who shares a place on the podium is the word of the organisers, whatever manifests say.
func TestE45Families(t *testing.T) {
	for _, test := range []struct {
		tools   string
		before  map[string][]string // families of the plan that is extended
		confirm string              // --family, separated by blanks
		want    string              // families of the tools, or a part of the error after "!"
	}{
		{tools: "a/lola b/eve", want: "lola eve"},
		// A tool may not join another one by its own word, whichever stands first.
		{tools: "a/lola b/eve:lola", want: "!tool eve would be of the family \"lola\", and nobody has confirmed that"},
		{tools: "b/eve:lola a/lola", want: "!--family lola=eve,lola confirms it if eve and lola were handed in by one team, and --family eve=eve keeps eve apart"},
		// Nor may two, by naming each other, or a third one; nor take a name that nobody has yet.
		{tools: "a/lola:eve b/eve:lola", want: "!tool lola would be of the family \"eve\""},
		{tools: "a/lola:x b/eve:x", want: "!tool lola would be of the family \"x\""},
		{tools: "a/lola:lola b/par:lola c/eve:lola", want: "!tool par would be"},
		{tools: "a/lola b/eve:Lola", want: "!of the family \"Lola\""},
		{tools: "a/lola b/eve:lo.la", want: "!of the family \"lo.la\""},
		{tools: "a/lola b/eve:unheard", want: "!of the family \"unheard\""},
		{tools: "+/explicit b/eve:explicit", want: "!of the family \"explicit\""},
		{tools: "+/twin:explicit b/explicit", want: "!tool explicit has the name of a family of other tools, twin"},
		{tools: "b/explicit +/twin:explicit", want: "!tool twin would be of the family \"explicit\""},
		{tools: "a/x1@x a/x2@x b/x", want: "!tool x has the name of a family of other tools, x1 and x2"},
		{tools: "b/x a/x1@x", want: "!tool x1 would be of the family \"x\""},
		// What is one submission anyway needs nobody.
		{tools: "+/explicit +/twin:explicit a/lola", want: "explicit explicit lola"},
		{tools: "a/x1@x a/x2@x b/lola", want: "x x lola"},
		{tools: "a/par:lola", want: "lola"},
		// The organisers name all tools of a family.
		{tools: "a/lola b/par:lola", confirm: "lola=lola,par", want: "lola lola"},
		{tools: "a/lola b/par", confirm: "lola=par,lola", want: "lola lola"},
		{tools: "a/lola b/par:lola c/eve:lola", confirm: "lola=lola,par", want: "!tool eve would be of the family \"lola\""},
		{tools: "a/lola b/par:lola c/eve:lola", confirm: "lola=lola,par eve=eve", want: "lola lola eve"},
		{tools: "a/lola b/eve:lola", confirm: "eve=eve", want: "lola eve"},
		{tools: "a/lola b/par c/eve", confirm: "team=lola,par", want: "team team eve"},
		{tools: "a/lola b/par", confirm: "lola=par", want: "!tool lola has the name of a family of other tools, par"},
		{tools: "a/x1@x a/x2@x b/y", confirm: "team=x,y", want: "team team team"},
		{tools: "a/lola b/par", confirm: "lola=lola,pra", want: "!no tool of the plan has the name \"pra\""},
		{tools: "a/lola b/par", confirm: "lola", want: "!write FAMILY=TOOL,..."},
		{tools: "a/lola b/par", confirm: "lola=", want: "!write FAMILY=TOOL,..."},
		{tools: "a/lola b/par", confirm: "lola=lola,", want: "!has the name"},
		// Who joins later is no better off, nor a version that replaces another.
		{tools: "olda/lola oldb/par:lola c/eve:lola", before: map[string][]string{"lola": {"lola", "par"}}, want: "!tool eve would be of the family \"lola\""},
		{tools: "olda/lola oldb/par:lola c/more:lola", before: map[string][]string{"lola": {"lola", "par"}}, confirm: "lola=lola,par,more", want: "lola lola lola"},
		{tools: "olda/lola b/eve:lola", want: "!tool eve would be of the family \"lola\""},
		{tools: "olda/par:lola b/lola", before: map[string][]string{"lola": {"par"}}, want: "!tool lola has the name of a family of other tools, par"},
		{tools: "olda/lola oldb/par:lola", before: map[string][]string{"lola": {"lola", "par"}}, confirm: "par=par", want: "lola par"},
		{tools: "olda/lola oldb/par:lola", before: map[string][]string{"lola": {"lola", "par"}}, confirm: "lola=lola", want: "lola par"},
		{tools: "old+/twin:explicit +/explicit olda/lola", before: map[string][]string{"explicit": {"twin"}}, want: "explicit explicit lola"},
	} {
		name := fmt.Sprintf("%s with %q after %v", test.tools, test.confirm, test.before)
		p := &campaign.Plan{Tools: handedIn(test.tools), Families: maps.Clone(test.before)}
		err := Options{Families: strings.Fields(test.confirm)}.settleFamilies(p)
		if part, refused := strings.CutPrefix(test.want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, want %s", name, err, part)
			}
			continue
		}
		var got []string
		for i := range p.Tools {
			got = append(got, p.Tools[i].Family)
			if !p.Confirmed(&p.Tools[i]) {
				t.Errorf("%s: the plan does not say that %s is of %s", name, p.Tools[i].Name, p.Tools[i].Family)
			}
		}
		if err != nil || !slices.Equal(got, strings.Fields(test.want)) {
			t.Errorf("%s: %q, %v, want %s", name, got, err, test.want)
		}
	}
}
