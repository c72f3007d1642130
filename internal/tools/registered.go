package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"podium/internal/yaml"
	"podium/pnml/diagnostic"
)

// registeredProgram stands in the place of a tool's program until somebody puts it there.
const registeredProgram = `#!/bin/sh
# Unpack the archive of the tool into this directory, and start its program in the place of
# the last line. The arguments are those of the command in tool.yaml: write there how the tool
# is run, and below answers: what it prints. docs/tasks.md says more.
# exec "$(dirname "$0")/%s" "$@"
echo UNKNOWN
`

var notOfToolNames = regexp.MustCompile(`[^A-Za-z0-9._+-]+`)

// WriteRegistered writes a new tool directory from a registration: a manifest, and a program
// that answers UNKNOWN, in whose place the tool is to be put. The error is [fs.ErrExist] where the
// directory holds something already, and replace does not say that it may go. Remarks say what is left to do.
func WriteRegistered(dir string, reg *Registration, v RegisteredVersion, replace bool) (t Tool, remarks []string, err error) {
	name := reg.ID
	if name == "" {
		name = reg.Name
	}
	name = strings.Trim(notOfToolNames.ReplaceAllString(name, "-"), "-._+")
	if !toolName.MatchString(name) {
		return Tool{}, nil, NameError(name)
	}
	module := strings.TrimSuffix(reg.ToolInfo[strings.LastIndexByte(reg.ToolInfo, '/')+1:], ".py")
	if !toolInfo.MatchString(module) {
		module = ""
	}
	options := make([]string, len(v.Options))
	for i, option := range v.Options {
		options[i] = strings.ReplaceAll(option, "${witness}", WitnessMark)
	}
	title, _, _ := strings.Cut(strings.TrimSpace(reg.Description), ". ")
	text, err := yaml.Encode(registeredManifest{Format: Format, Name: name, Title: strings.Join(strings.Fields(title), " "), Version: v.Name,
		Authors: strings.Join(reg.Authors, ", "), Home: reg.Home, Licence: reg.Licence, Archive: v.Archive, ToolInfo: module,
		Command: "bin/" + name + " {options} --spec {property} {data_model} {input}", Options: options})
	if err != nil {
		return Tool{}, nil, err
	}
	t, err = newDirectory(dir, replace, func(dir string) error {
		if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, ManifestFile), text, 0o644); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, "bin", name), fmt.Appendf(nil, registeredProgram, name), 0o755)
	})
	if v.Archive != "" {
		remarks = append(remarks, fmt.Sprintf("the archive is %s: unpack it there and start its program in bin/%s, which answers UNKNOWN until then", diagnostic.Clean(v.Archive), name))
	}
	if len(v.Packages) > 0 {
		remarks = append(remarks, fmt.Sprintf("the tool needs packages of Ubuntu: %s; a host has them, or an image (system: in tool.yaml)", diagnostic.Clean(strings.Join(v.Packages, " "))))
	}
	return t, remarks, err
}

// registeredManifest has the keys of a manifest that a registration fills, in the order of
// the file.
type registeredManifest struct {
	Format   string   `yaml:"format"`
	Name     string   `yaml:"name"`
	Title    string   `yaml:"title,omitempty"`
	Version  string   `yaml:"version"`
	Authors  string   `yaml:"authors,omitempty"`
	Home     string   `yaml:"home,omitempty"`
	Licence  string   `yaml:"licence,omitempty"`
	Archive  string   `yaml:"archive,omitempty"`
	ToolInfo string   `yaml:"toolinfo,omitempty"`
	Command  string   `yaml:"command"`
	Options  []string `yaml:"options,omitempty"`
}
