package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/yaml"
	"podium/pnml/diagnostic"
)

// ConfigFile is the name of a cluster's description in the directory of a campaign.
const ConfigFile = "cluster.yaml"

// Format is the value of the format key.
const Format = "podium-cluster/1"

// Limits of what a description may ask for.
const (
	maxHosts = 1000
	maxSlots = 1 << 12
)

// Config is the content of cluster.yaml. Unknown keys are errors.
type Config struct {
	Format    string            `yaml:"format"`
	Partition string            `yaml:"partition"`
	Account   string            `yaml:"account"` // that Slurm charges; empty: its default
	Hosts     []string          `yaml:"hosts"`   // as Slurm names them
	Classes   map[string]string `yaml:"classes"` // of hosts with different hardware: a model stays within one class
	Slots     int               `yaml:"slots"`   // runs at one time on a host
	Cores     int               `yaml:"cores"`   // of a host, for runs; 0: all
	Memory    string            `yaml:"memory"`  // of a host, for runs, such as 64GB; empty: what is free
	Driver    string            `yaml:"driver"`  // that the campaign was planned for; empty: not checked
	Campaign  string            `yaml:"campaign"`
	Podium    string            `yaml:"podium"`   // the program on the hosts
	Models    int               `yaml:"models"`   // most models in a job; 0: all of its host
	Lease     string            `yaml:"lease"`    // see podium run --lease
	Sentinel  string            `yaml:"sentinel"` // see podium run --sentinel; empty: never
	Settle    string            `yaml:"settle"`   // after that a job is looked for once more
	Options   []string          `yaml:"options"`  // more options of sbatch

	settle time.Duration
}

// DefaultSettle is the time after which a job that Slurm accepted is looked for
// again: jobs were seen to vanish with a controller that was killed 3 s later, and
// to survive at 12 s.
const DefaultSettle = 12 * time.Second

var (
	hostText   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	slurmText  = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._+@-]*$`)
	memoryText = regexp.MustCompile(`^([0-9]{1,9}) ?(GB|MB|GiB|MiB)$`)
	optionText = regexp.MustCompile(`^--([a-z][a-z-]*)(=[ -~]*)?$`)
)

// A text with a bound in its pattern would take a millisecond of every start of the program.
const (
	longestHost   = 255
	longestName   = 128
	longestOption = 512
)

func isHost(name string) bool { return len(name) <= longestHost && hostText.MatchString(name) }

// ours are the options of sbatch that a job cannot do with other values of.
var ours = []string{"nodelist", "nodes", "exclusive", "requeue", "no-requeue", "comment", "job-name", "array", "wrap", "parsable",
	"partition", "account", "output", "error", "input", "chdir", "wait", "test-only", "uid", "gid", "exclude", "oversubscribe"}

// ReadConfig reads cluster.yaml of a campaign. Errors are diagnostics with
// file:line:col.
func ReadConfig(c *campaign.Campaign) (*Config, error) {
	file := filepath.Join(c.Dir, ConfigFile)
	text, err := readLimited(c.Dir, ConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diagnostic.List{{File: file, Code: "cluster-missing", Message: "nothing says which hosts there are",
			Hint: "write the file; docs/cluster.md has an example"}}
	} else if err != nil {
		return nil, err
	}
	cfg, err := parseConfig(file, text)
	if err != nil {
		return nil, err
	}
	if cfg.Campaign == "" {
		cfg.Campaign, err = filepath.Abs(c.Dir)
	}
	return cfg, err
}

func readLimited(dir, name string) ([]byte, error) {
	f, err := files.Open(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, yaml.MaxBytes+1)) // what is longer is refused by the parser
}

func parseConfig(file string, text []byte) (*Config, error) {
	cfg := &Config{}
	if err := yaml.Decode(text, cfg); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the file is empty")
		}
		return nil, yaml.Findings(file, err, "cluster", "docs/cluster.md has an example")
	}
	var found diagnostic.List
	cfg.check(func(key, format string, args ...any) {
		found.Add(diagnostic.Diagnostic{File: file, Line: lineOf(text, key), Col: 1, Code: "cluster-" + key, Message: fmt.Sprintf(format, args...)})
	})
	found.Sort()
	return cfg, found.Err()
}

// lineOf is the line of a key of the outermost mapping, or the first.
func lineOf(text []byte, key string) int {
	for i, line := range bytes.Split(text, []byte("\n")) {
		if bytes.HasPrefix(line, []byte(key+":")) {
			return i + 1
		}
	}
	return 1
}

// check completes the description, and refuses what cannot be meant.
func (cfg *Config) check(refuse func(key, format string, args ...any)) {
	if cfg.Format != Format {
		refuse("format", "format is %q; write format: %s", cfg.Format, Format)
	}
	for key, name := range map[string]string{"partition": cfg.Partition, "account": cfg.Account} {
		if name != "" && (len(name) > longestName || !slurmText.MatchString(name)) {
			refuse(key, "%s is %q, which is no name in Slurm", key, name)
		}
	}
	cfg.checkHosts(refuse)
	if cfg.Slots == 0 {
		cfg.Slots = 1
	}
	for key, n := range map[string]int{"slots": cfg.Slots, "cores": cfg.Cores, "models": cfg.Models} {
		if n < 0 || n > maxSlots {
			refuse(key, "%s is %d; write a number from 0 to %d", key, n, maxSlots)
		}
	}
	if _, ok := cfg.memory(); !ok {
		refuse("memory", "memory is %q; write a whole number with a unit, such as 64GB", cfg.Memory)
	}
	for key, path := range map[string]string{"campaign": cfg.Campaign, "podium": cfg.Podium} {
		if path != "" && (!filepath.IsAbs(path) || strings.ContainsFunc(path, func(r rune) bool { return r < ' ' })) {
			refuse(key, "%s is %q; write the whole path, as it is on the hosts", key, path)
		}
	}
	if cfg.Podium == "" {
		cfg.Podium = "podium"
	}
	cfg.checkTimes(refuse)
	for _, o := range cfg.Options {
		m := optionText.FindStringSubmatch(o)
		switch {
		case m == nil:
			refuse("options", "option %q is not of the form --name or --name=value", o)
		case len(o) > longestOption:
			refuse("options", "option --%s has %d characters; write up to %d", m[1], len(o), longestOption)
		case slices.Contains(ours, m[1]):
			refuse("options", "option %q is set by Podium; leave it out", o)
		}
	}
}

func (cfg *Config) checkHosts(refuse func(key, format string, args ...any)) {
	if len(cfg.Hosts) == 0 || len(cfg.Hosts) > maxHosts {
		refuse("hosts", "%d hosts are named; name 1 to %d", len(cfg.Hosts), maxHosts)
	}
	seen := map[string]bool{}
	for _, h := range cfg.Hosts {
		if !isHost(h) {
			refuse("hosts", "%q is no name of a host; write each by itself, as sinfo names it", h)
		}
		if seen[h] {
			refuse("hosts", "host %s stands twice", h)
		}
		seen[h] = true
		if len(cfg.Classes) > 0 && cfg.Classes[h] == "" {
			refuse("classes", "host %s has no class; give every host one, or none", h)
		}
	}
	for h := range cfg.Classes {
		if !seen[h] {
			refuse("classes", "%s has a class and is not among the hosts", h)
		}
	}
}

func (cfg *Config) checkTimes(refuse func(key, format string, args ...any)) {
	if cfg.Lease == "" {
		cfg.Lease = campaign.DefaultLease.String()
	}
	if cfg.Settle == "" {
		cfg.Settle = DefaultSettle.String()
	}
	for _, t := range []struct {
		key, text   string
		least, most time.Duration
	}{{"lease", cfg.Lease, campaign.MinLease, campaign.MaxLease}, {"settle", cfg.Settle, 100 * time.Millisecond, time.Hour},
		{"sentinel", cfg.Sentinel, campaign.MinSentinel, campaign.MaxLease}} {
		d, err := time.ParseDuration(t.text)
		if t.key == "settle" {
			cfg.settle = d
		}
		if (err != nil || d < t.least || d > t.most) && t.text != "" {
			refuse(t.key, "%s is %q; write a time from %s to %s, such as 5m", t.key, t.text, t.least, t.most)
		}
	}
}

// memory is that of a host for runs, in bytes; 0 where nothing is said.
func (cfg *Config) memory() (bytes int64, ok bool) {
	if cfg.Memory == "" {
		return 0, true
	}
	m := memoryText.FindStringSubmatch(cfg.Memory)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	unit := map[string]int64{"GB": 1e9, "MB": 1e6, "GiB": 1 << 30, "MiB": 1 << 20}[m[2]]
	return n * unit, err == nil && n > 0
}
