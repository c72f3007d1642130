package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/internal/campaign"
	"podium/pnml/diagnostic"
)

// Placed says on which host a model is. It is written once, as placed/MODEL@NUMBER;
// a person who moves the model adds the next one, and the last counts.
type Placed struct {
	Model  string    `json:"model"`
	Number int       `json:"number"` // 1, and one more for each move
	Host   string    `json:"host"`
	At     time.Time `json:"at"`
}

// Block is what a job works on.
type Block struct {
	Key    string   `json:"key"`
	Host   string   `json:"host"`
	Models []Placed `json:"models"`
}

// readPlaced reads where the models are.
func (cl *Cluster) readPlaced() (map[string]Placed, error) {
	all := map[string]Placed{}
	names, err := os.ReadDir(cl.path("placed"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range names {
		model, digits, _ := strings.Cut(e.Name(), "@")
		n, err := strconv.Atoi(digits)
		if err != nil || n <= all[model].Number {
			continue
		}
		var p Placed
		if err := readJSON(cl.path("placed", e.Name()), &p); err != nil {
			return nil, err
		}
		if p.Model != model || p.Number != n || !isHost(p.Host) {
			return nil, damaged(cl.path("placed", e.Name()), "it says something else than its name")
		}
		all[model] = p
	}
	return all, nil
}

// writePlaced gives a model its next host. Where somebody else was faster, theirs
// counts.
func (cl *Cluster) writePlaced(p Placed) error {
	err := cl.writeOnce(p, "placed", p.Model+"@"+strconv.Itoa(p.Number))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// prefix begins the keys of all jobs of the campaign.
func (cl *Cluster) prefix() string {
	return "podium-" + digest(cl.Campaign.Digest, cl.Config.Campaign)
}

var keyText = regexp.MustCompile(`^podium-[0-9a-f]{12}-[0-9a-f]{12}$`)

// newBlock makes the block of some models of a host; its key follows from them.
func (cl *Cluster) newBlock(host string, models []Placed) *Block {
	words := []string{host}
	for _, p := range models {
		words = append(words, p.Model+"@"+strconv.Itoa(p.Number))
	}
	return &Block{cl.prefix() + "-" + digest(words...), host, models}
}

func digest(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// has reports whether the block does a model where it is now.
func (b *Block) has(p Placed) bool {
	return slices.ContainsFunc(b.Models, func(o Placed) bool { return o.Model == p.Model && o.Number == p.Number })
}

// writeBlock keeps what the job of a key does, so that it is known as long as the
// job is in the queue.
func (cl *Cluster) writeBlock(b *Block) error {
	err := cl.writeOnce(b, "blocks", b.Key+".json")
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// readBlock returns the block of a key, nil when nobody has written it.
func (cl *Cluster) readBlock(key string) (*Block, error) {
	if !keyText.MatchString(key) {
		return nil, nil
	}
	var b Block
	err := readJSON(cl.path("blocks", key+".json"), &b)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return &b, nil
}

func (cl *Cluster) writeOnce(v any, dir, name string) error {
	text, err := json.Marshal(v)
	if err == nil {
		err = os.MkdirAll(cl.path(dir), 0o755)
	}
	if err != nil {
		return err
	}
	return campaign.WriteOnce(cl.path(dir, name), append(text, '\n'))
}

func readJSON(file string, into any) error {
	text, err := readLimited(filepath.Dir(file), filepath.Base(file))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return damaged(file, err.Error())
	}
	return nil
}

func damaged(file, message string) error {
	return diagnostic.List{{File: file, Code: "cluster-file", Message: message, Hint: "restore the file"}}
}

// script is what the job of a block does.
func (cfg *Config) script(b *Block) string {
	var names, moved []string
	for _, p := range b.Models {
		names = append(names, p.Model)
		if p.Number > 1 {
			moved = append(moved, p.Model)
		}
	}
	args := []string{cfg.Podium, "run", "--quiet", "--wait", "--lease", cfg.Lease, "--models", strings.Join(names, ",")}
	if moved != nil {
		args = append(args, "--move", strings.Join(moved, ","))
	}
	if cfg.Cores > 0 {
		args = append(args, "--cores-used", strconv.Itoa(cfg.Cores))
	}
	if bytes, _ := cfg.memory(); bytes > 0 {
		args = append(args, "--memory-used", strconv.FormatInt(bytes, 10))
	}
	if cfg.Sentinel != "" {
		args = append(args, "--sentinel", cfg.Sentinel)
	}
	args = append(args, "--", cfg.Campaign)
	for i, a := range args {
		args[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	return fmt.Sprintf("#!/bin/sh\nexec %s\n", strings.Join(args, " "))
}

// sbatch is how the job of a block is submitted: one host as a whole, never queued
// again by Slurm itself.
func (cfg *Config) sbatch(b *Block, logs string) []string {
	args := []string{"--parsable", "--nodes=1", "--nodelist=" + b.Host, "--exclusive", "--mem=0", "--no-requeue",
		"--comment=" + b.Key, "--job-name=" + b.Key, "--output=" + filepath.Join(logs, b.Key+"-%j.log"), "--chdir=/"}
	if cfg.Partition != "" {
		args = append(args, "--partition="+cfg.Partition)
	}
	if cfg.Account != "" {
		args = append(args, "--account="+cfg.Account)
	}
	return append(args, cfg.Options...)
}
