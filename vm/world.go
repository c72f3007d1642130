package vm

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The paths in every machine, as contestants know them from BenchKit.
const (
	Home        = "/home/mcc"
	ToolDir     = Home + "/BenchKit"  // Spec.Tool, read-only
	InstanceDir = Home + "/execution" // private view of Spec.Input, the job's current directory
	ResultDir   = Home + "/results"   // BK_RESULT_DIR
	TempDir     = "/tmp"              // TMPDIR
	SearchPath  = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
	// ToolPath is what stands first in PATH: heads call their programs by name.
	ToolPath = ToolDir + ":" + ToolDir + "/bin"
)

// MaxWritable bounds the writable directories of a tool.
const MaxWritable = 16

// CheckWritable refuses a writable directory that the tool does not have, or whose files
// nobody would see. Marks that keep an empty directory in an archive may be there.
func CheckWritable(tool, dir string) error {
	if !filepath.IsLocal(dir) || filepath.Clean(dir) != dir || dir == "." || len(dir) > 200 {
		return fmt.Errorf("%q is no directory inside of the tool", dir)
	}
	root, err := os.OpenRoot(tool)
	if err != nil {
		return err
	}
	defer root.Close()
	for at := dir; at != "."; at = filepath.Dir(at) {
		if st, err := root.Lstat(at); err != nil {
			return err
		} else if !st.IsDir() {
			return fmt.Errorf("%s is no directory", at)
		}
	}
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	names, _ := d.Readdirnames(2)
	for _, name := range names {
		if name != ".keep" && name != ".gitkeep" && name != ".gitignore" {
			return fmt.Errorf("%s is not empty (%q), and a writable directory is empty in each run", dir, name)
		}
	}
	return nil
}

// EnvironmentFile is the file of an image with the variables that its programs expect,
// each as NAME=value and a zero byte, MaxEnvironment bytes at most. A job's own variables
// and those of the machine count before them.
const (
	EnvironmentFile = "boot/podium/environment"
	MaxEnvironment  = 64 << 10
)

// Environment completes the variables of a job (NAME=value) with those of the
// machine. A job may set its own PATH, before which ToolPath stands, but no other
// variable of the machine.
func Environment(env []string) []string {
	own := []string{"HOME=" + Home, "TMPDIR=" + TempDir, "BIN_DIR=" + ToolDir + "/bin", "BK_BIN_PATH=" + ToolDir + "/bin/",
		"BK_RESULT_DIR=" + ResultDir, "BK_LOG_FILE=/dev/stderr"}
	taken := map[string]bool{"PATH": true}
	for _, e := range own {
		name, _, _ := strings.Cut(e, "=")
		taken[name] = true
	}
	all, path := make([]string, 0, len(env)+len(own)+1), SearchPath
	for _, e := range env {
		switch name, value, _ := strings.Cut(e, "="); {
		case name == "PATH":
			path = value
		case !taken[name]:
			all = append(all, e)
		}
	}
	return append(append(all, own...), "PATH="+ToolPath+":"+path)
}
