package models

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/internal/realdata"
	"podium/pnml"
)

const smallForm = `<?xml version="1.0"?>
<!-- DEADLOCK is true -->
<toolspecific tool="propertiesverdict" version="2.0"><modelreference modelname="Toy"/>
<verdict category="GENERIC" reference="ORDINARY" value="true"><explanation>it is live</explanation><statedby tool="MCC" version="2021"/></verdict>
<verdict category="GENERIC" reference="SAFE" value="false"/>
<verdict category="GENERIC" reference="DEADLOCK" value=" TRUE "/>
<verdict category="GENERIC" reference="LIVE" value="unknown"/>
<verdict category="GENERIC" reference="STRANGER" value="true"/>
</toolspecific>`

// beside are the files of an instance of which runs are not to see all.
func beside(form string) map[string]string {
	return map[string]string{ModelFile: smallNet, "iscolored": "FALSE\n", "instance": "1\n", "equiv_col": "FALSE\n", UnfiniteFile: "", FormFile: form, formDefinition: "<x/>",
		"CTLFireability.xml": "<property-set/>", "CTLFireability.txt": "x", "Toy-PT-1-SS.out": "STATE_SPACE STATES 7\n", "walk.witness": "a run", "README.txt": "live"}
}

// opened opens the files as an instance: in a directory, or packed.
func opened(t *testing.T, files map[string]string, packed bool) Instance {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "Toy-PT-1")
	filesOf(t, dir, files)
	if packed {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		w := tar.NewWriter(z)
		for name, text := range files {
			if err := errors.Join(w.WriteHeader(&tar.Header{Name: "Toy-PT-1/" + name, Mode: 0o644, Size: int64(len(text))}), func() error { _, err := io.WriteString(w, text); return err }()); err != nil {
				t.Fatal(err)
			}
		}
		dir = filepath.Join(t.TempDir(), "Toy-PT-1.tgz")
		if err := errors.Join(w.Close(), z.Close(), os.WriteFile(dir, b.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c.Instances[0]
}

// TestGivenBy: runs see the contest's files alone, and of these what the handout gives; what
// they see is the same for a directory and an archive, on the disk and by its digest.
func TestGivenBy(t *testing.T) {
	formulas := []string{"CTLFireability.xml"}
	base := []string{"CTLFireability.txt", "CTLFireability.xml", "equiv_col", "instance", "iscolored", ModelFile}
	foreign := []string{"README.txt", "Toy-PT-1-SS.out", "walk.witness"}
	for _, c := range []struct {
		handout  Handout
		form     string
		more     []string
		withheld []string
		said     []string // words of the form that are there, then those that are not
		unsaid   []string
	}{
		{GiveAll, smallForm, []string{formDefinition, FormFile, UnfiniteFile}, nil, []string{"it is live", `"DEADLOCK" value=" TRUE "`}, nil},
		{GiveWithoutAsked, smallForm, []string{formDefinition, FormFile}, []string{"DEADLOCK", "SAFE", "STRANGER", UnfiniteFile}, []string{`"ORDINARY" value="true"`}, []string{"live", "DEADLOCK", "SAFE", "LIVE", "STRANGER"}},
		{GiveNoForm, smallForm, nil, []string{formDefinition, FormFile, UnfiniteFile}, nil, nil},
		{GiveWithoutAsked, smallForm[:len(smallForm)-20], []string{formDefinition}, []string{FormFile, UnfiniteFile}, nil, nil},
		{GiveAll, "no form <verdict", []string{formDefinition, FormFile, UnfiniteFile}, nil, []string{"no form"}, nil},
	} {
		digests := map[string]bool{}
		for _, packed := range []bool{false, true} {
			i := opened(t, beside(c.form), packed)
			given, withheld, err := i.GivenBy(c.handout, formulas)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Sorted(slices.Values(slices.Concat(c.withheld, foreign)))
			if slices.Sort(withheld); !slices.Equal(withheld, want) {
				t.Errorf("%s, packed %v: withheld %q, want %q", c.handout, packed, withheld, want)
			}
			dir, err := given.Directory(t.TempDir())
			if err != nil || dir == i.Path {
				t.Fatal(dir, err)
			}
			again, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, f := range again.Instances[0].Files {
				names = append(names, f.Name)
			}
			if want := slices.Sorted(slices.Values(slices.Concat(base, c.more))); !slices.Equal(names, want) {
				t.Errorf("%s, packed %v: %q, want %q", c.handout, packed, names, want)
			}
			text, _ := again.Instances[0].ReadFile(FormFile, 1<<20)
			for _, word := range c.said {
				if !strings.Contains(string(text), word) {
					t.Errorf("%s: %q is not in %s", c.handout, word, text)
				}
			}
			for _, word := range c.unsaid {
				if strings.Contains(string(text), word) {
					t.Errorf("%s: %q is in %s", c.handout, word, text)
				}
			}
			written, err := again.Instances[0].Digest()
			one, err2 := given.Digest()
			whole, err3 := i.Digest()
			if err := errors.Join(err, err2, err3); err != nil || written != one || one == whole {
				t.Errorf("%s: digests %s and %s of %s, %v", c.handout, written, one, whole, err)
			}
			digests[one] = true
			twice, more, err := again.Instances[0].GivenBy(c.handout, formulas)
			if digest, _ := twice.Digest(); err != nil || len(more) > 0 || digest != one {
				t.Errorf("%s: given twice it loses %q, %v", c.handout, more, err)
			}
		}
		if len(digests) != 1 {
			t.Errorf("%s: directory and archive differ", c.handout)
		}
	}
	i := opened(t, beside(smallForm), false)
	if given, withheld, err := i.GivenBy("", formulas); err != nil || withheld != nil || len(given.Files) != len(i.Files) {
		t.Errorf("of earlier campaigns: %q, %v", withheld, err)
	}
}

// TestFormsOfTheContest: what the public instances state, and that nothing of it is given.
func TestFormsOfTheContest(t *testing.T) {
	c, err := Open(filepath.Join(realdata.Contest(t), "instances"))
	if err != nil {
		t.Fatal(err)
	}
	count, forms := map[string]int{}, 0
	for _, i := range c.Instances {
		if !i.Has(FormFile) {
			continue
		}
		forms++
		said, err := i.Statements(&pnml.Document{})
		if err != nil {
			t.Error(err)
		}
		for _, s := range said {
			count[s.Property]++
		}
		for _, h := range []Handout{GiveWithoutAsked, GiveNoForm} {
			given, _, err := i.GivenBy(h, nil)
			if err != nil {
				t.Error(err)
			}
			if said, err := given.Statements(&pnml.Document{}); err != nil || len(said) > 0 {
				t.Errorf("%s %s: %v, %v", i.ID, h, said, err)
			}
		}
	}
	for property, want := range map[string]int{"SAFE": 52, "DEADLOCK": 35, "DEAD_TRANSITIONS": 29, "LIVE": 22} {
		if count[property] < want || forms < 56 {
			t.Errorf("%s is stated %d times in %d forms, want %d", property, count[property], forms, want)
		}
	}
}

// FuzzForm: whatever a form holds, a handout without asked properties leaves no word of it but
// names and truths of structural properties.
func FuzzForm(f *testing.F) {
	f.Add([]byte(smallForm))
	f.Add([]byte(`<verdict reference="ORDINARY" value="x"><verdict reference="LIVE" value="true">`))
	f.Add([]byte(`<a xmlns:b="c"><b:verdict reference="SAFE&#10;" value='true'/></a>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		i := InMemory(ID{"Toy", PT, "1"}, map[string][]byte{FormFile: text, ModelFile: []byte(smallNet)})
		given, _, err := i.GivenBy(GiveWithoutAsked, nil)
		if err != nil || !given.Has(FormFile) {
			return
		}
		form, err := given.Form()
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range form.Verdicts {
			if !slices.Contains(pnml.StructuralProperties, v.Property) || v.Why != "" {
				t.Errorf("%+v is given", v)
			}
		}
	})
}
