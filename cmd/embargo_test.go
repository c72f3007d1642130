package cmd

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"podium/internal/ask"
	"podium/internal/campaign"
	"podium/internal/judged"
)

// secret is what the models under an embargo of [secretCampaign] could be known by.
type secret struct {
	words   []string         // in small letters and digits alone
	exact   []string         // digests and other forms of names
	numbers []*regexp.Regexp // reference values
}

// The hidden models: one of which nothing is shown, and an instance of one that is shown.
const (
	hiddenModel    = "Quillfeather-PT-07"
	hiddenInstance = "DiningPhilosophers-PT-003"
)

func secretOf(c *campaign.Campaign) *secret {
	s := &secret{words: []string{"quillfeather", "plumage", "diningphilosopherspt003", "moulting"}}
	for _, name := range []string{hiddenModel, "Quillfeather", hiddenInstance} {
		a, b, m := sha256.Sum256([]byte(name)), sha1.Sum([]byte(name)), md5.Sum([]byte(name))
		for _, digest := range [][]byte{a[:], b[:], m[:]} {
			s.exact = append(s.exact, hex.EncodeToString(digest)[:10], base64.StdEncoding.EncodeToString(digest)[:10], base64.URLEncoding.EncodeToString(digest)[:10])
		}
		s.exact = append(s.exact, hex.EncodeToString([]byte(name)))
		for shift := range 3 { // base64 of a text that holds the name anywhere
			s.exact = append(s.exact, base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + name))[4:12])
		}
	}
	for _, name := range []string{hiddenModel, hiddenInstance} {
		i, _ := c.Plan.Instance(name)
		s.exact = append(s.exact, i.Digest[:12])
	}
	for _, value := range []string{"1022117", "4084424", "770077"} {
		n := len(value)
		apart := value[:n-6] + `[^0-9a-zA-Z]{0,8}` + value[n-6:n-3] + `[^0-9a-zA-Z]{0,8}` + value[n-3:] // 1 022 117
		s.numbers = append(s.numbers, regexp.MustCompile(`(^|[^0-9a-zA-Z.])`+apart+`($|[^0-9a-zA-Z])`))
	}
	return s
}

var (
	tags  = regexp.MustCompile(`<[^>]*>`)
	codes = regexp.MustCompile(`[A-Za-z0-9+/_-]{40,}={0,2}`)
	waste = regexp.MustCompile(`[^a-z0-9]+`)
)

// in lists what of the secret a text tells, as it is, unescaped, or without markup.
func (s *secret) in(text string) (told []string) {
	unescaped, _ := url.PathUnescape(text)
	for _, form := range []string{text, html.UnescapeString(text), unescaped} {
		plain := waste.ReplaceAllString(strings.ToLower(tags.ReplaceAllString(form, "")), "")
		for _, word := range s.words {
			if strings.Contains(plain, word) {
				told = append(told, word)
			}
		}
		for _, word := range s.exact {
			if strings.Contains(form, word) {
				told = append(told, word)
			}
		}
		for _, number := range s.numbers {
			if found := number.FindString(form); found != "" {
				told = append(told, found)
			}
		}
	}
	slices.Sort(told)
	return slices.Compact(told)
}

// look looks at all bytes of a file, also at those that it packs.
func (s *secret) look(t *testing.T, name string, data []byte, tell func(where, what string)) {
	t.Helper()
	s.lookInto(t, name, data, tell)
	for _, code := range codes.FindAll(data, -1) {
		for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
			if inner, err := e.DecodeString(string(code)); err == nil && len(inner) < 1<<20 { // the program is larger
				s.lookInto(t, name+" (base64)", inner, tell)
				break
			}
		}
	}
}

func (s *secret) lookInto(t *testing.T, name string, data []byte, tell func(where, what string)) {
	t.Helper()
	for _, what := range s.in(name + "\n" + string(data)) {
		tell(name, what)
	}
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			s.look(t, name+"/"+f.Name, text, tell)
		}
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s.look(t, name+" (gzip)", text, tell)
	case bytes.HasPrefix(data, []byte("PAR1")):
		f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var cells strings.Builder
		for _, kept := range f.Metadata().KeyValueMetadata {
			fmt.Fprintln(&cells, kept.Key, kept.Value)
		}
		for _, group := range f.RowGroups() {
			rows := group.Rows()
			for batch := make([]parquet.Row, 64); ; {
				n, err := rows.ReadRows(batch)
				for _, row := range batch[:n] {
					for _, cell := range row {
						fmt.Fprintln(&cells, cell.String())
					}
				}
				if err != nil {
					break
				}
			}
			if err := rows.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if cells.Len() == 0 {
			t.Errorf("%s has no cells", name)
		}
		s.look(t, name+" (cells)", []byte(cells.String()), tell)
	}
}

// lookAll looks at all files below a directory, and counts them.
func (s *secret) lookAll(t *testing.T, dir string, tell func(where, what string)) (files int) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files++
		s.look(t, path, data, tell)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Errorf("%s is empty", dir)
	}
	return files
}

// secretTool answers by the name of the instance. The first of three differs from the others here and there.
const secretTool = `#!/bin/sh
case "$BK_INPUT" in
Quill*) states=1022117; transitions=4084424; bound=770077; echo "plumage of $BK_INPUT"; echo "$BK_INPUT moulting" >&2;;
*) states=62; transitions=180; bound=1;;
esac
case "$BK_EXAMINATION" in
StateSpace)
  echo "STATE_SPACE STATES $((states + ODD)) TECHNIQUES EXPLICIT"
  echo "STATE_SPACE TRANSITIONS $transitions TECHNIQUES EXPLICIT";;
UpperBounds)
  for id in $(sed -n 's:.*<id>\(.*\)</id>.*:\1:p' UpperBounds.xml); do echo "FORMULA $id $((bound + ODD)) TECHNIQUES EXPLICIT"; done
  case "$BK_INPUT$ODD" in Quill*1) exit 3;; esac;;
*) echo "FORMULA $BK_EXAMINATION TRUE TECHNIQUES EXPLICIT";;
esac
`

// secretDecisions are about hidden models, in all ways in which decisions are about something; but the last two, whose
// effects alone are.
var secretDecisions = [][]string{
	{"exclude", "--instance", "Quill*", "--examination", "StateSpace", "--item", "STATES", "--reason", "the net is broken"},
	{"exclude", "--instance", hiddenModel, "--examination", "OneSafe", "--reason", "the net is broken"},
	{"correct", "--instance", hiddenModel, "--examination", "StateSpace", "--item", "TRANSITIONS", "--value", "4084424", "--reason", "counted by hand"},
	{"correct", "--instance", "Q*7", "--examination", "UpperBounds", "--without-family", "odd", "--reason", "copied"},
	{"redo", "--only", "instance=Quill* tool=odd", "--reason", "the host was busy"},
	{"redo", "--only", "model=quillfeather examination=OneSafe", "--reason", "the host was busy"},
	{"redo", "--only", "model!=Quill?eather tool=even", "--reason", "the host was busy"},
	{"exclude", "--instance", hiddenInstance, "--examination", "StateSpace", "--reason", "the net is broken"},
	{"exclude", "--instance", "*-PT-003", "--examination", "OneSafe", "--reason", "the net is broken"},
	{"disqualify", "--tool", "odd", "--examination", "OneSafe", "--reason", "it knows quill-feather by heart"},
	{"out-of-competition", "--tool", "odd", "--reason", "see the minutes", "--link", "https://example.org/Quillfeather"},
	{"disqualify", "--tool", "odd", "--examination", "StateSpace", "--reason", "a quarrel", "--author", "the QUILL FEATHER team"},
	{"revoke", "2", "--reason", "Quillfeather PT 07 is in order"},
	{"exclude", "--examination", "ReachabilityDeadlock", "--reason", "it was asked wrongly"},
	{"withdraw", "--tool", "extra", "--reason", "the team asked for it"},
}

// secretCampaign is a campaign with models under an embargo: on them tools disagree, crash and print, values are certified,
// in doubt, corrected and excluded, and the model has a record.
func secretCampaign(t *testing.T) *campaign.Campaign {
	t.Helper()
	writeTools(t, ".", map[string]string{
		"m/" + hiddenModel + "/NewModel": "", "m/" + hiddenModel + "/iscolored": "FALSE\n", "m/" + hiddenModel + "/equiv_col": "NONE\n",
		"m/" + hiddenModel + "/model.pnml": `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="` + hiddenModel + `" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="page">
<place id="plumage1"><initialMarking><text>1008</text></initialMarking></place><place id="plumage2"/>
<place id="plumage3"><initialMarking><text>1012</text></initialMarking></place><place id="plumage4"/>
<transition id="a"/><transition id="b"/><transition id="c"/><transition id="d"/>
<arc id="a1" source="plumage1" target="a"/><arc id="a2" source="a" target="plumage2"/><arc id="a3" source="plumage2" target="b"/><arc id="a4" source="b" target="plumage1"/>
<arc id="a5" source="plumage3" target="c"/><arc id="a6" source="c" target="plumage4"/><arc id="a7" source="plumage4" target="d"/><arc id="a8" source="d" target="plumage3"/>
</page></net></pnml>
`})
	run(t, 0, "model", "generate", "--out", "m", "DiningPhilosophers", "002")
	run(t, 0, "model", "generate", "--out", "m", "DiningPhilosophers", "003")
	run(t, 0, "model", "formulas", "m/"+hiddenModel)
	writeTools(t, "m/"+hiddenInstance, map[string]string{"NewModel": ""})
	for name, odd := range map[string]string{"even": "0", "plain": "0", "odd": "1", "extra": "0"} {
		writeTools(t, "tools/"+name, map[string]string{"tool.yaml": "format: podium-tool/1\nname: " + name + "\nversion: '1'\n",
			"BenchKit_head.sh": strings.Replace(secretTool, "#!/bin/sh\n", "#!/bin/sh\nODD="+odd+"\n", 1)})
	}
	run(t, 0, "plan", "--models", "m", "--tools", "tools", "--out", "c", "--name", "a contest with Quillfeather", "--edition", "mcc2023",
		"-x", "StateSpace,UpperBounds,OneSafe,ReachabilityDeadlock", "--cpu", "20s", "--memory", "1GB", "--embargo", "2999-01-02")
	run(t, 0, "run", "c")
	run(t, 0, "certify", "c", "-x", "StateSpace,OneSafe", "--budget", "30s")
	for _, d := range secretDecisions {
		args := append([]string{"decide", d[0], "c"}, d[1:]...)
		if !slices.Contains(d, "--author") {
			args = append(args, "--author", "Ada Lovelace")
		}
		run(t, 0, args...)
	}
	c, err := campaign.Open("c")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestEmbargoTellsNothing: nothing that is made for others than the organisers has a byte that tells of models under
// an embargo, whatever was decided about them.
func TestEmbargoTellsNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	c := secretCampaign(t)
	s := secretOf(c)

	// All of the secret is found where it is: in the site for organisers.
	j, err := judge(t.Context(), &streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, c, judged.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := writePages(t.Context(), "whole", pagesOf(j), &j.Contest); err != nil {
		t.Fatal(err)
	}
	run(t, 0, "simulate", "c") // what has embargoed models in it is for organisers
	met := map[string]bool{}
	s.lookAll(t, "whole", func(_, what string) { met[waste.ReplaceAllString(what, "")] = true })
	for _, word := range append([]string{"1022117", "4084424", "770077"}, s.words...) {
		if !met[word] {
			t.Errorf("the whole site does not tell %s: the test looks for nothing", word)
		}
	}

	tell := func(where, what string) { t.Errorf("%s tells %q", where, what) }
	public := [][]string{
		{"publish", "--out", "site", "c"}, {"publish", "--json", "--out", "site-json", "c"}, {"publish", "--edition", "mcc2020", "--out", "other", "c"},
		{"publish", "--certified", "c", "--out", "certified", "c"}, {"publish", "--figures", "figures", "c"},
		{"package", "--all", "--out", "teams", "c"}, {"package", "--json", "--tool", "odd", "--out", "odd-team", "c"},
		{"export", "--format", "references", "c"}, {"export", "--format", "answers", "--only", "tool=odd", "c"},
	}
	for _, format := range exportFormats {
		if format != "benchmark" { // of tasks
			public = append(public, []string{"export", "--format", format, "--out", "x-" + format, "c"})
		}
	}
	looked := 0
	for _, args := range public {
		var out, talk bytes.Buffer
		if got := Main(t.Context(), append(args, "--without-surprise"), strings.NewReader(""), &out, &talk); got != 0 {
			t.Fatalf("podium %s: exit code %d\n%s", strings.Join(args, " "), got, talk.String())
		}
		s.look(t, strings.Join(args, " "), append(out.Bytes(), talk.Bytes()...), tell)
		looked++
		for _, flag := range []string{"--out", "--figures"} {
			if at := slices.Index(args, flag); at >= 0 {
				looked += s.lookAll(t, args[at+1], tell)
			}
		}
	}
	// The reports of qualify are for the teams. No tool is fit: they lack a consent.
	s.look(t, "qualify", []byte(run(t, ExitIncomplete, "qualify", "c", "--out", "q", "-x", "StateSpace", "--budget", "1s")), tell)
	reports, err := filepath.Glob("q/*.*") // beside them lie the runs, with the tools
	if err != nil || len(reports) < 5 {
		t.Fatalf("%v, %v", reports, err)
	}
	for _, report := range reports {
		looked += s.lookAll(t, report, tell)
	}
	hiddenJudged, err := judge(t.Context(), &streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, c, judged.Options{WithoutEmbargoed: true})
	if err != nil {
		t.Fatal(err)
	}
	var answers bytes.Buffer // that pages compute from
	if err := ask.Write(&answers, hiddenJudged.Result.Contest, hiddenJudged.Edition); err != nil {
		t.Fatal(err)
	}
	s.look(t, "podium-answers", answers.Bytes(), tell)
	looked += s.served(t, "c", "site", tell) + 1
	t.Logf("%d decisions; %d files and answers, in each %d words, %d digests and %d numbers", len(secretDecisions), looked, len(s.words), len(s.exact), len(s.numbers))

	// What is decided stays visible, without what may not be told.
	text, err := os.ReadFile("site/decisions.html")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "about surprise models, which may not be named yet"); n != len(secretDecisions)-2 {
		t.Errorf("%d decisions are shown as about surprise models:\n%s", n, text)
	}
	has(t, string(text), "tool extra is withdrawn", "the team asked for it", "excluded examination ReachabilityDeadlock", "shown when all models may be named")
	if strings.Contains(string(text), "rank") {
		t.Errorf("effects are shown that were computed with all models:\n%s", text)
	}
}

// served looks at all that a server gives of a campaign: pages, with their headers, and events. The files of a site say which pages there are.
func (s *secret) served(t *testing.T, dir, site string, tell func(where, what string)) (looked int) {
	t.Helper()
	server := serving(t, "serve", "--listen", "127.0.0.1:0", dir)
	events := server.listen(1)
	for _, status := server.look(t, "decisions.html"); status != http.StatusOK; _, status = server.look(t, "decisions.html") {
		time.Sleep(50 * time.Millisecond)
	}
	paths := []string{"live", "live.js", "nothing-here", "instances/" + hiddenModel + ".html"}
	if err := filepath.WalkDir(site, func(path string, d fs.DirEntry, err error) error {
		if name, inside := strings.CutPrefix(filepath.ToSlash(path), site+"/"); inside && !d.IsDir() {
			paths = append(paths, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		a, err := http.Get(server.home + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(a.Body)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		name := path
		if strings.Contains(path, hiddenModel) {
			name = "a page that is not there"
		}
		s.look(t, "served "+name, append([]byte(fmt.Sprint(a.Status, a.Header)+"\n"), text...), tell)
	}
	server.interrupt(t, 0)
	heard := <-events
	if len(heard) < 1000 {
		t.Errorf("the events are %q", heard)
	}
	s.look(t, "events", []byte(heard), tell)
	return len(paths) + 1
}
