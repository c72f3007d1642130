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

	"podium/internal/campaign"
	"podium/pnml/diagnostic"
)

// Job is what Slurm is given: some models of a host.
type Job struct {
	Key    string   `json:"key"`
	Host   string   `json:"host"`
	Models []Placed `json:"models"`
}

// prefix begins the keys of all jobs of the campaign.
func (cl *Cluster) prefix() string {
	return "podium-" + digest(cl.Campaign.Digest, cl.Config.Campaign)
}

var keyText = regexp.MustCompile(`^podium-[0-9a-f]{12}-[0-9a-f]{12}$`)

// newJob makes the job of some models of a host; its key follows from them.
func (cl *Cluster) newJob(host string, models []Placed) *Job {
	words := []string{host}
	for _, p := range models {
		words = append(words, p.Model+"@"+strconv.Itoa(p.Number))
	}
	return &Job{cl.prefix() + "-" + digest(words...), host, models}
}

func digest(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// has reports whether the job does a model where it is now.
func (j *Job) has(p Placed) bool {
	return slices.ContainsFunc(j.Models, func(o Placed) bool { return o.Model == p.Model && o.Number == p.Number })
}

// writeJob keeps a job, so that it is known as long as it is in the queue.
func (cl *Cluster) writeJob(j *Job) error {
	err := cl.writeOnce(j, "jobs", j.Key+".json")
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// readJob returns the job of a key, nil when nobody has written it.
func (cl *Cluster) readJob(key string) (*Job, error) {
	if !keyText.MatchString(key) {
		return nil, nil
	}
	var j Job
	err := readJSON(cl.path("jobs", key+".json"), &j)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return &j, nil
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

// script is what the job does.
func (cfg *Config) script(j *Job) string {
	var names, moved []string
	for _, p := range j.Models {
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

// sbatch is how the job is submitted: one host as a whole, never queued
// again by Slurm itself.
func (cfg *Config) sbatch(j *Job, logs string) []string {
	args := []string{"--parsable", "--nodes=1", "--nodelist=" + j.Host, "--exclusive", "--mem=0", "--no-requeue",
		"--comment=" + j.Key, "--job-name=" + j.Key, "--output=" + filepath.Join(logs, j.Key+"-%j.log"), "--chdir=/"}
	if cfg.Partition != "" {
		args = append(args, "--partition="+cfg.Partition)
	}
	if cfg.Account != "" {
		args = append(args, "--account="+cfg.Account)
	}
	return append(args, cfg.Options...)
}
