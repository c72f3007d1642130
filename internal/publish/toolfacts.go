package publish

import (
	"slices"

	"podium/internal/files"
	"podium/internal/yaml"
	"podium/pnml/diagnostic"
)

// toolFacts are the keys of what a file says of a tool, as in a manifest, with where they are shown.
var toolFacts = []struct {
	key string
	of  func(*Tool) *string
}{
	{"authors", func(t *Tool) *string { return &t.Authors }},
	{"version", func(t *Tool) *string { return &t.Version }},
	{"about", func(t *Tool) *string { return &t.About }},
	{"home", func(t *Tool) *string { return &t.Home }},
	{"licence", func(t *Tool) *string { return &t.Licence }},
	{"archive", func(t *Tool) *string { return &t.Archive }},
}

// DescribeTools adds who made the tools, from a YAML file that maps names of tools to these keys.
// Files of results do not say it.
func (c *Contest) DescribeTools(file string) error {
	text, err := files.ReadNamed(file, yaml.MaxBytes)
	if err != nil {
		return err
	}
	return c.describeToolsBy(file, text).Err()
}

func (c *Contest) describeToolsBy(file string, text []byte) diagnostic.List {
	w := yaml.Walker{File: file, Prefix: "tools", What: "a file about tools"}
	root := w.Root(text)
	if root == nil {
		return w.Found
	}
	var keys, names []string
	for _, f := range toolFacts {
		keys = append(keys, f.key)
	}
	for i := range c.Tools {
		names = append(names, c.Tools[i].Name)
	}
	for name, entry := range w.Mapping(root, w.What, nil) {
		at := slices.Index(names, name)
		if at < 0 {
			w.Fail(entry.Key, "tools-unknown", "name tools as the results do", "these results have no tool %q%s", name, diagnostic.Instead(name, names))
			continue
		}
		facts := w.Mapping(entry.Value, "what is said of a tool", keys)
		for _, f := range toolFacts {
			if text := w.Text(facts, entry.Value, f.key, true); text != "" {
				*f.of(&c.Tools[at]) = text
			}
		}
	}
	w.Found.Sort()
	return w.Found
}
