package task

import (
	"fmt"
	"strings"
	"testing"
)

// TestChoose: tasks are included, excluded and chosen by property and verdict; variables
// stand for the name and the directory of the task.
func TestChoose(t *testing.T) {
	definition := func(verdict string) string {
		return "format_version: '2.0'\ninput_files: x.c\nproperties:\n- {property_file: ../u.prp, expected_verdict: " + verdict + "}\n- {property_file: ../t.prp}\n"
	}
	write(t, map[string]string{
		"u.prp": unreach, "t.prp": "CHECK( init(main()), LTL(F end) )\n", "a/x.c": "", "a/old_false-unreach-call.c": "", "a/plain.c": "", "a/u.prp": unreach,
		"a/one.yml": definition("true"), "a/two.yml": definition("false"), "a/three.yml": definition("true"), "lib/one.yml.h": "", "All.set": "a/*.yml\n", "Old.set": "a/three.yml\n",
	})
	all := func(c Choice) Choice {
		c.File, c.Name, c.IncludeSets = "defs/b.xml", "All", []Pattern{{"../All.set", 1, 1}}
		return c
	}
	u := Pattern{"../u.prp", 2, 3}
	for i, test := range []struct {
		choice Choice
		want   string
	}{
		{all(Choice{Property: u}), "one unreach-call true, three unreach-call true, two unreach-call false"},
		{all(Choice{Property: u, ExcludeSets: []Pattern{{"../Old.set", 1, 1}}, Exclude: []Pattern{{"../a/none*", 1, 1}}}), "one unreach-call true, two unreach-call false"},
		{all(Choice{Property: u, Expected: "false"}), "two unreach-call false"},
		{all(Choice{Expected: "unknown"}), "one termination unknown, three termination unknown, two termination unknown"},
		{Choice{File: "b.xml", Name: "C", Include: []Pattern{{"a/*.c", 1, 1}}, Exclude: []Pattern{{"a/x.c", 1, 1}}, Property: Pattern{"${inputfile_path}/u.prp", 1, 1}},
			"old_false-unreach-call.c unreach-call false, plain.c unreach-call unknown"},
		{Choice{File: "b.xml", Name: "C", Include: []Pattern{{"a/one.yml", 1, 1}}, Property: Pattern{"u.prp", 1, 1}, Required: []Pattern{{"lib/${taskdef_name}.h", 1, 1}}}, "one unreach-call true lib/one.yml.h"},
	} {
		c, each := Choose([]Choice{test.choice, test.choice})
		var got []string
		for _, one := range c.Tasks {
			name := strings.TrimSuffix(strings.TrimPrefix(one.File, "a/"), ".yml")
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", name, one.Property, one.Verdict, strings.Join(one.Required, " "))))
		}
		if text := strings.Join(got, ", "); text != test.want || c.Found.Err() != nil || len(each) != 2 || len(each[1]) != len(got) {
			t.Errorf("%d: %s, %v; want %s", i, text, c.Found, test.want)
		}
	}
	for want, choice := range map[string]Choice{
		"b.xml:9:1: the category \"C\" has no task":     {File: "b.xml", Name: "C", At: Pattern{"", 9, 1}, Include: []Pattern{{"a/one.yml", 1, 1}}, Property: Pattern{"u.prp", 1, 1}, Expected: "false"},
		"b.xml:3:4: \"a/none.yml\" matches no file":     {File: "b.xml", Name: "C", Include: []Pattern{{"a/none.yml", 3, 4}}},
		"b.xml:1:2: \"?.prp\" matches 2 property files": {File: "b.xml", Name: "C", Include: []Pattern{{"a/one.yml", 1, 1}}, Property: Pattern{"?.prp", 1, 2}},
		"b.xml:5:6: \"lib/one.yml\" matches no file":    {File: "b.xml", Name: "C", Include: []Pattern{{"a/one.yml", 1, 1}}, Required: []Pattern{{"lib/${taskdef_name}", 5, 6}}},
	} {
		c, _ := Choose([]Choice{choice})
		if !strings.Contains(c.Found.Error(), want) {
			t.Errorf("%v; want %s", c.Found, want)
		}
	}
}
