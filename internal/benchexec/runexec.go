package benchexec

import (
	"fmt"
	"path/filepath"
	"time"

	"podium/internal/campaign"
	"podium/internal/wording"
	"podium/vm"
)

// Runexec returns the command of BenchExec's runexec that repeats a run of a campaign on this
// computer, for a shell: the same limits, files and command, in a container of BenchExec.
// What the run writes to the directory of the instance is not kept.
func Runexec(c *campaign.Campaign, run campaign.Run) (string, error) {
	tool, planned := c.Plan.Tool(run.Tool)
	i, there := c.Plan.Instance(run.Instance)
	if !planned || !there {
		return "", fmt.Errorf("the plan has no run %s", run)
	}
	if tool.Image != "" || tool.System != "" {
		return "", fmt.Errorf("tool %s is in an image, which runexec cannot boot", tool.Name)
	}
	at := campaign.Dirs{Results: "."}
	var err error
	if at.Input, err = filepath.Abs(c.Path(i.Path)); err != nil {
		return "", err
	}
	if at.Tool, err = filepath.Abs(c.Path(tool.Dir)); err != nil {
		return "", err
	}
	setting := campaign.Setting{Plan: &c.Plan, Run: run, Tool: tool, Asked: i}
	need := setting.Need()
	command, env, err := setting.Command(at)
	if err != nil {
		return "", err
	}
	words := []string{"runexec", "--cores", cores(need.Cores), "--timelimit", seconds(need.CPUTime), "--walltimelimit", seconds(need.WallTime),
		"--memlimit", fmt.Sprintf("%dB", need.Memory), "--dir", at.Input, "--overlay-dir", at.Input, "--"}
	if len(env) > 0 {
		bin := filepath.Join(at.Tool, "bin")
		words = append(words, "env", "BIN_DIR="+bin, "BK_BIN_PATH="+bin+"/", "BK_RESULT_DIR="+at.Input, "PATH="+at.Tool+":"+bin+":"+vm.SearchPath)
		words = append(words, env...)
	}
	if !filepath.IsAbs(command[0]) {
		command[0] = filepath.Join(at.Tool, command[0])
	}
	return wording.Shell(append(words, command...)...), nil
}

func cores(n int) string {
	if n == 1 {
		return "0"
	}
	return fmt.Sprintf("0-%d", n-1)
}

// seconds writes microseconds as whole seconds, which BenchExec knows.
func seconds(us int64) string {
	return fmt.Sprintf("%ds", (time.Duration(us)*time.Microsecond+time.Second-1)/time.Second)
}
