package tools

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// goblin has the keys of today's registrations; the names are made up.
const goblin = `id: goblin
name: ULTIMATE Goblin
description: |
  A verifier by
  abstract interpretation. It has domains.
input_languages:
  - C
project_url: https://goblin.example.org/
repository_url: https://github.com/goblin/analyzer
spdx_license_identifier: MIT
benchexec_toolinfo_module: "https://gitlab.com/sosy-lab/software/benchexec/-/raw/main/benchexec/tools/goblin.py"
fmtools_format_version: "2.0"
fmtools_entry_maintainers:
  - ada
maintainers:
  - orcid: 0000-0000-0000-0000
    name: Ada Lovelace
    institution: University of Somewhere
    country: Estonia
    url:
  - name: Emmy Noether
versions:
  - version: "svcomp26"
    doi: 10.5281/zenodo.1
    benchexec_toolinfo_options: ["--conf", "conf/svcomp26.json", "--witness", "${witness}"]
    required_ubuntu_packages: [libffi8]
    base_container_images:
      - docker.io/ubuntu:24.04
  - version: 2.1
    url: https://goblin.example.org/old.zip
    benchexec_toolinfo_options: []
    required_ubuntu_packages: []
competition_participations:
  - competition: "SV-COMP 2026"
    track: "Verification"
    tool_version: "svcomp26"
    jury_member: {orcid: 0000-0000-0000-0000, name: Ada Lovelace}
  - competition: "SV-COMP 2025"
    track: "Validation of Correctness Witnesses 2.0"
    tool_version: "2.1"
techniques: [Numeric Interval Analysis]
frameworks_solvers: []
literature: []
`

// TestRegistration reads every key that a manifest can hold.
func TestRegistration(t *testing.T) {
	reg, found := ReadRegistration("goblin.yml", []byte(goblin))
	if len(found) != 0 {
		t.Fatal(found)
	}
	want := &Registration{ID: "goblin", Name: "ULTIMATE Goblin", Description: "A verifier by\nabstract interpretation. It has domains.\n",
		Home: "https://goblin.example.org/", Licence: "MIT", ToolInfo: "https://gitlab.com/sosy-lab/software/benchexec/-/raw/main/benchexec/tools/goblin.py",
		Authors: []string{"Ada Lovelace", "Emmy Noether"},
		Versions: []RegisteredVersion{
			{"svcomp26", "10.5281/zenodo.1", []string{"--conf", "conf/svcomp26.json", "--witness", "${witness}"}, []string{"libffi8"}},
			{"2.1", "https://goblin.example.org/old.zip", nil, nil}},
		Entries: map[string]string{"SV-COMP 2026, Verification": "svcomp26", "SV-COMP 2025, Validation of Correctness Witnesses 2.0": "2.1"}}
	if !reflect.DeepEqual(reg, want) {
		t.Errorf("got  %+v\nwant %+v", reg, want)
	}
	for name, version := range map[string]string{"": "svcomp26", "2.1": "2.1", "SV-COMP 2026": "svcomp26", "SV-COMP 2025, Validation of Correctness Witnesses 2.0": "2.1"} {
		if v, err := reg.Version(name); err != nil || v.Name != version {
			t.Errorf("%q: %v, %v", name, v, err)
		}
	}
	reg.Entries["SV-COMP 2026"] = "2.1"
	if v, err := reg.Version("SV-COMP 2026"); err != nil || v.Name != "2.1" {
		t.Errorf("an entry without a track: %v, %v", v, err)
	}
	if _, err := reg.Version("svcomp62"); err == nil || !strings.Contains(err.Error(), "the nearest is svcomp26") {
		t.Error(err)
	}
}

// TestBrokenRegistrations: each is refused, or warned of, where it is wrong.
func TestBrokenRegistrations(t *testing.T) {
	const head = "fmtools_format_version: '2.0'\nname: x\n"
	for text, want := range map[string]string{
		"":                                "a.yml: a registration is one YAML document",
		"name: x\n":                       `a.yml:1:1: the key "fmtools_format_version" is missing`,
		"fmtools_format_version: '1.0'\n": `a.yml:1:25: fmtools_format_version "1.0" is not known`,
		"fmtools_format_version: '2.0'\nversions: [{version: a}]\n": `a.yml:1:1: the key "name" is missing`,
		head:                                "a.yml:1:1: there is no version",
		head + "versions: []\n":             "a.yml:3:11: there is no version",
		head + "versions: {}\n":             "a.yml:3:11: versions is a list",
		head + "versions:\n- doi: 10.1/1\n": `a.yml:4:3: the key "version" is missing`,
		head + "versions:\n- {version: a}\n- {version: a}\n":                  `a.yml:5:3: the version "a" is there twice`,
		head + "versions:\n- {version: a, benchexec_toolinfo_options: --x}\n": "a.yml:4:44: benchexec_toolinfo_options is a list",
		head + "maintainers:\n- country: y\nversions:\n- {version: a}\n":      `a.yml:4:3: the key "name" is missing`,
		head + "tehcniques: []\nversions:\n- {version: a}\n":                  `a.yml:3:1: warning: a registration has no key "tehcniques"; the nearest is techniques`,
	} {
		reg, found := ReadRegistration("a.yml", []byte(text))
		if !strings.Contains(found.Error(), want) {
			t.Errorf("%q:\n%v\nwant %s", text, found, want)
		}
		if (reg == nil) != (found.Err() != nil) {
			t.Errorf("%q: %v with %v", text, reg, found)
		}
	}
}

// TestWriteRegistered: the manifest says what the registration said, and its tool starts.
func TestWriteRegistered(t *testing.T) {
	reg, _ := ReadRegistration("goblin.yml", []byte(goblin))
	dir := filepath.Join(t.TempDir(), "tool")
	written, remarks, err := WriteRegistered(dir, reg, reg.Versions[0], false)
	if err != nil {
		t.Fatal(err)
	}
	m := written.Manifest
	if m.Name != "goblin" || m.Title != "A verifier by abstract interpretation" || m.Version != "svcomp26" || m.Authors != "Ada Lovelace, Emmy Noether" || m.Licence != "MIT" ||
		m.Archive != "10.5281/zenodo.1" || m.ToolInfo != "goblin" || strings.Join(m.Options, " ") != "--conf conf/svcomp26.json --witness {witness}" {
		t.Errorf("%+v", m)
	}
	if len(remarks) != 2 || !strings.Contains(remarks[0], "10.5281/zenodo.1") || !strings.Contains(remarks[1], "libffi8") {
		t.Error(remarks)
	}
	if _, _, err := WriteRegistered(dir, reg, reg.Versions[0], false); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if _, _, err := WriteRegistered(filepath.Join(t.TempDir(), "x"), &Registration{Name: "../.."}, reg.Versions[0], false); err == nil {
		t.Error("a tool with a name of dots is written")
	}
	dir = filepath.Join(t.TempDir(), "x")
	if _, _, err := WriteRegistered(dir, reg, RegisteredVersion{Name: "a", Options: []string{"{nothing}"}}, false); err == nil {
		t.Error("a tool with an option for nothing is written")
	} else if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the directory of the tool that failed: %v", err)
	}
	_, remarks, err = WriteRegistered(filepath.Join(t.TempDir(), "x"), reg, RegisteredVersion{Name: "a", Archive: "x\x1b[31m", Packages: []string{"y\x1b[2J"}}, false)
	if said := strings.Join(remarks, "\n"); err != nil && len(remarks) == 0 || strings.Contains(said, "\x1b") {
		t.Errorf("%q, %v", said, err)
	}
	if _, err := (&Registration{Name: "\x1b[31m", Versions: reg.Versions}).Version("none"); err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%q", err)
	}
}

// FuzzRegistration: whatever a registration says, it is read or refused with places in it,
// and what is read makes a tool or an error.
func FuzzRegistration(f *testing.F) {
	f.Add([]byte(goblin))
	f.Add([]byte("fmtools_format_version: 2\nname: &a x\nversions: [{version: *a}]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		reg, found := ReadRegistration("a.yml", text)
		if (reg == nil) != (found.Err() != nil) {
			t.Fatalf("%v with %v", reg, found)
		}
		if reg == nil {
			return
		}
		dir := filepath.Join(t.TempDir(), "tool")
		if made, _, err := WriteRegistered(dir, reg, reg.Versions[0], false); err == nil && made.Version != reg.Versions[0].Name {
			t.Errorf("%q became %q", reg.Versions[0].Name, made.Version)
		}
	})
}
