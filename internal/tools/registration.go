package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"podium/internal/files"
	"podium/internal/yaml"
	"podium/pnml/diagnostic"
)

// Registration is what a team says of its tool in the collection FM-Tools of SV-COMP and
// Test-Comp (a YAML file, format 2).
type Registration struct {
	ID, Name, Description string
	Home, Licence         string
	ToolInfo              string   // module of BenchExec: a name, or an address that ends with NAME.py
	Authors               []string // the maintainers
	Versions              []RegisteredVersion
	// Entries are the versions that took part in competitions, by the name of the
	// competition and its track, such as "SV-COMP 2026, Verification".
	Entries map[string]string
}

// RegisteredVersion is one version of a tool.
type RegisteredVersion struct {
	Name     string
	Archive  string   // DOI or address, empty where it is not given
	Options  []string // of the tool
	Packages []string // of Ubuntu that the tool needs
}

var (
	registrationKeys = []string{"id", "name", "description", "input_languages", "project_url", "repository_url", "spdx_license_identifier", "licenses",
		"benchexec_toolinfo_module", "fmtools_format_version", "fmtools_entry_maintainers", "maintainers", "versions", "competition_participations",
		"techniques", "frameworks_solvers", "literature", "supplementary", "used_actors", "coveriteam_actors"}
	versionKeys = []string{"version", "doi", "url", "benchexec_toolinfo_options", "required_ubuntu_packages", "required_packages", "base_container_images", "full_container_images"}
)

// OpenRegistration reads the file of a registration. The error is that of a file that cannot
// be read.
func OpenRegistration(file string) (*Registration, diagnostic.List, error) {
	text, err := files.ReadNamed(file, yaml.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, diagnostic.List{{File: file, Code: "registration-missing", Message: "there is no such file", Hint: "name a registration of FM-Tools, such as fm-tools/data/cbmc.yml"}}
	} else if err != nil {
		return nil, nil, err
	}
	reg, found := ReadRegistration(file, text)
	return reg, found, nil
}

// ReadRegistration reads a registration. File is the name in the findings. The registration
// is nil when a finding is an error.
func ReadRegistration(file string, text []byte) (*Registration, diagnostic.List) {
	r := registrationReader{yaml.Walker{File: file, Prefix: "registration", What: "a registration"}}
	reg := r.read(text)
	r.Found.Sort()
	if r.Found.Err() != nil {
		return nil, r.Found
	}
	return reg, r.Found
}

type registrationReader struct{ yaml.Walker }

func (r *registrationReader) read(text []byte) *Registration {
	root := r.Root(text)
	if root == nil {
		return nil
	}
	top := r.mapping(root, "a registration")
	if top == nil {
		return nil
	}
	switch format, given := top["fmtools_format_version"]; {
	case !given:
		r.Fail(root, "registration-format", "registrations of FM-Tools have fmtools_format_version: \"2.0\"", "the key %q is missing", "fmtools_format_version")
		return nil
	default:
		if version, ok := yaml.Scalar(format.Value); !ok || version != "2" && !strings.HasPrefix(version, "2.") {
			r.Fail(format.Value, "registration-format", "the format is \"2.0\"", "fmtools_format_version %s is not known", diagnostic.Excerpt(version))
			return nil
		}
	}
	r.known(top, registrationKeys, "a registration")
	reg := &Registration{
		ID: r.Text(top, root, "id", true), Name: r.Text(top, root, "name", false), Description: r.Text(top, root, "description", true),
		Home: r.Text(top, root, "project_url", true), Licence: r.licence(top, root), ToolInfo: r.Text(top, root, "benchexec_toolinfo_module", true),
	}
	for _, n := range r.List(top, "maintainers") {
		if in := r.mapping(n, "a maintainer"); in != nil {
			if name := r.Text(in, n, "name", false); name != "" {
				reg.Authors = append(reg.Authors, name)
			}
		}
	}
	for _, n := range r.List(top, "versions") {
		if v, ok := r.version(n); ok {
			if slices.ContainsFunc(reg.Versions, func(o RegisteredVersion) bool { return o.Name == v.Name }) {
				r.Fail(n, "registration-version", "give each version a name of its own", "the version %s is there twice", diagnostic.Excerpt(v.Name))
			}
			reg.Versions = append(reg.Versions, v)
		}
	}
	if e, given := top["versions"]; len(reg.Versions) == 0 && r.Found.Err() == nil {
		at := root
		if given {
			at = e.Value
		}
		r.Fail(at, "registration-version", "write versions: and below it - version: NAME", "there is no version")
	}
	reg.Entries = r.entries(top)
	return reg
}

// mapping returns the entries of a mapping without those that hold nothing.
func (r *registrationReader) mapping(n yaml.Node, what string) map[string]yaml.Entry {
	in := r.Mapping(n, what, nil)
	for name, e := range in {
		if yaml.Null(e.Value) {
			delete(in, name)
		}
	}
	return in
}

// known warns of keys that no registration has.
func (r *registrationReader) known(in map[string]yaml.Entry, keys []string, what string) {
	for name, e := range in {
		if !slices.Contains(keys, name) {
			near := ""
			if word, ok := diagnostic.Nearest(name, slices.Values(keys)); ok {
				near = "; the nearest is " + word
			}
			r.Warn(e.Key, "registration-key", "", "%s has no key %s%s: it is passed over", what, diagnostic.Excerpt(name), near)
		}
	}
}

// licence is the SPDX identifier, or the names of several licences.
func (r *registrationReader) licence(top map[string]yaml.Entry, root yaml.Node) string {
	if one := r.Text(top, root, "spdx_license_identifier", true); one != "" {
		return one
	}
	var names []string
	for _, n := range r.List(top, "licenses") {
		if in := r.mapping(n, "a licence"); in != nil {
			if name := r.Text(in, n, "name", true); name != "" {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, ", ")
}

func (r *registrationReader) version(n yaml.Node) (v RegisteredVersion, ok bool) {
	in := r.mapping(n, "a version")
	if in == nil {
		return v, false
	}
	r.known(in, versionKeys, "a version")
	v = RegisteredVersion{Name: r.Text(in, n, "version", false), Archive: r.Text(in, n, "doi", true),
		Options: r.Words(in, "benchexec_toolinfo_options"), Packages: append(r.Words(in, "required_ubuntu_packages"), r.Words(in, "required_packages")...)}
	if v.Archive == "" {
		v.Archive = r.Text(in, n, "url", true)
	}
	return v, v.Name != ""
}

// entries reads which version took part in which competition.
func (r *registrationReader) entries(top map[string]yaml.Entry) map[string]string {
	entries := map[string]string{}
	for _, n := range r.List(top, "competition_participations") {
		if in := r.mapping(n, "a participation"); in != nil {
			name := r.Text(in, n, "competition", false)
			if track := r.Text(in, n, "track", true); track != "" {
				name += ", " + track
			}
			entries[name] = r.Text(in, n, "tool_version", false)
		}
	}
	return entries
}

// Version returns a version by its name, or by the name of a competition that it took part
// in; the first one for an empty name.
func (reg *Registration) Version(name string) (RegisteredVersion, error) {
	if name == "" {
		return reg.Versions[0], nil
	}
	version := name
	for _, entry := range []string{name + ", Verification", name} {
		if of, took := reg.Entries[entry]; took {
			version = of
		}
	}
	var names []string
	for _, v := range reg.Versions {
		if v.Name == version {
			return v, nil
		}
		names = append(names, v.Name)
	}
	return RegisteredVersion{}, fmt.Errorf("%s has no version %q%s", diagnostic.Clean(reg.Name), name, diagnostic.Instead(name, names))
}
