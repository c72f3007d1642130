package vm

import "strings"

// The paths in every machine, as contestants know them from BenchKit.
const (
	Home        = "/home/mcc"
	ToolDir     = Home + "/BenchKit"  // Spec.Tool, read-only
	InstanceDir = Home + "/execution" // private view of Spec.Input, the job's current directory
	ResultDir   = Home + "/results"   // BK_RESULT_DIR
	TempDir     = "/tmp"              // TMPDIR
	SearchPath  = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
)

// EnvironmentFile is the file of an image with the variables that its programs expect,
// each as NAME=value and a zero byte, MaxEnvironment bytes at most. A job's own variables
// and those of the machine count before them.
const (
	EnvironmentFile = "boot/podium/environment"
	MaxEnvironment  = 64 << 10
)

// Environment completes the variables of a job (NAME=value) with those of the
// machine. A job may set its own PATH, but no other variable of the machine.
func Environment(env []string) []string {
	own := []string{"HOME=" + Home, "TMPDIR=" + TempDir, "BIN_DIR=" + ToolDir + "/bin", "BK_BIN_PATH=" + ToolDir + "/bin/",
		"BK_RESULT_DIR=" + ResultDir}
	taken := map[string]bool{"PATH": true}
	for _, e := range own {
		name, _, _ := strings.Cut(e, "=")
		taken[name] = true
	}
	all, path := make([]string, 0, len(env)+len(own)+1), "PATH="+SearchPath
	for _, e := range env {
		switch name, _, _ := strings.Cut(e, "="); {
		case name == "PATH":
			path = e
		case !taken[name]:
			all = append(all, e)
		}
	}
	return append(append(all, own...), path)
}
