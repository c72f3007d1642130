package publish

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestJSONViews: the files for programs name pages that are there, say what the tables say, and
// every key of theirs stands in docs/site.md.
func TestJSONViews(t *testing.T) {
	c := refereed(newMaker(1, 4, 2)).contest()
	dir := publishedSite(t, c)
	docs, err := os.ReadFile("../../docs/site.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := func(key string) bool { return strings.Contains(string(docs), "`"+key+"`") }
	lists := map[string][]map[string]any{}
	for _, of := range jsonViews {
		text, err := os.ReadFile(filepath.Join(dir, "json", of.name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var file map[string]any
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		if file["format"] != "podium-site-"+of.name+"/1" {
			t.Errorf("%s: the format is %v", of.name, file["format"])
		}
		for _, element := range file[of.name].([]any) {
			lists[of.name] = append(lists[of.name], element.(map[string]any))
		}
		if len(lists[of.name]) == 0 {
			t.Fatalf("%s: nothing is listed", of.name)
		}
		visitKeys(file[of.name], func(key string) {
			if !documented(key) {
				t.Errorf("docs/site.md lacks %s of %s.json", key, of.name)
			}
		})
		for _, element := range lists[of.name] {
			page, _ := element["page"].(string)
			if page, _, _ := strings.Cut(page, "#"); page == "" || !exists(filepath.Join(dir, filepath.FromSlash(page))) {
				t.Errorf("%s: there is no page %q", of.name, page)
			}
		}
	}
	if want := len(readCSV(t, dir, "disagreements.csv")); len(lists["disagreements"]) != want {
		t.Errorf("%d disagreements instead of %d", len(lists["disagreements"]), want)
	}
	totals := map[string]string{}
	for _, row := range readCSV(t, dir, "totals.csv") {
		totals[row["category"]+" "+row["tool"]] = row["points"] + " " + row["rank"] + " " + row["right"] + " " + row["wrong"]
	}
	seen := 0
	for _, category := range lists["categories"] {
		for _, x := range category["standings"].([]any) {
			st := x.(map[string]any)
			key := category["category"].(string) + " " + st["tool"].(string)
			number := func(name string) string { return strconv.FormatFloat(st[name].(float64), 'f', -1, 64) }
			if got := st["points"].(string) + " " + number("rank") + " " + number("right") + " " + number("wrong"); got != totals[key] {
				t.Errorf("%s: %s instead of %s", key, got, totals[key])
			}
			seen++
		}
	}
	if seen != len(totals) {
		t.Errorf("%d standings of %d", seen, len(totals))
	}
	// the points of tools, by examination, by model and by instance, are the same in all
	var sums [4]map[string]*big.Rat
	for i := range sums {
		sums[i] = map[string]*big.Rat{}
	}
	add := func(to int, points any) {
		for tool, text := range points.(map[string]any) {
			x, ok := new(big.Rat).SetString(text.(string))
			if !ok {
				t.Fatalf("%q is no ratio", text)
			}
			if sums[to][tool] == nil {
				sums[to][tool] = new(big.Rat)
			}
			sums[to][tool].Add(sums[to][tool], x)
		}
	}
	for _, x := range lists["examinations"] {
		add(0, x["points"])
	}
	for _, x := range lists["instances"] {
		add(1, x["points"])
	}
	for _, m := range lists["models"] {
		for _, x := range m["examinations"].([]any) {
			add(2, x.(map[string]any)["points"])
		}
	}
	for _, tool := range lists["tools"] {
		for _, x := range tool["examinations"].([]any) {
			add(3, map[string]any{tool["tool"].(string): x.(map[string]any)["points"]})
		}
	}
	for tool, want := range sums[0] {
		for i, by := range sums {
			if by[tool] == nil || by[tool].Cmp(want) != 0 {
				t.Errorf("%s has %v points in file %d, %v by examination", tool, by[tool], i, want)
			}
		}
	}
}

// visitKeys calls do for the keys of all objects whose keys are not names of tools.
func visitKeys(value any, do func(key string)) {
	switch v := value.(type) {
	case []any:
		for _, x := range v {
			visitKeys(x, do)
		}
	case map[string]any:
		for key, x := range v {
			do(key)
			if _, byTool := x.(map[string]any); !byTool {
				visitKeys(x, do)
			}
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
