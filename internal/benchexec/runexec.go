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
	need := c.Plan.Confinement(tool, i)
	at := campaign.TaskDirs{Results: "."}
	var err error
	if at.Task, err = filepath.Abs(c.Path(i.Path)); err != nil {
		return "", err
	}
	if at.Tool, err = filepath.Abs(c.Path(tool.Dir)); err != nil {
		return "", err
	}
	words := []string{"runexec", "--cores", cores(need.Cores), "--timelimit", seconds(need.CPUTime), "--walltimelimit", seconds(need.WallTime),
		"--memlimit", fmt.Sprintf("%dB", need.Memory), "--dir", at.Task, "--overlay-dir", at.Task, "--"}
	if i.Task != nil {
		command, err := i.Command(tool, run.Exam, need, at)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(command[0]) {
			command[0] = filepath.Join(at.Tool, command[0])
		}
		return wording.Shell(append(words, command...)...), nil
	}
	words = append(words, "env", "BIN_DIR="+filepath.Join(at.Tool, "bin"), "BK_BIN_PATH="+filepath.Join(at.Tool, "bin")+"/", "BK_RESULT_DIR="+at.Task, "PATH="+at.Tool+":"+filepath.Join(at.Tool, "bin")+":"+vm.SearchPath)
	words = append(words, campaign.Environment(run, need)...)
	return wording.Shell(append(words, filepath.Join(at.Tool, tool.Head))...), nil
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
