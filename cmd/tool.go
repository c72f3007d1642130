package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"podium/internal/carried"
	"podium/internal/files"
	"podium/internal/tools"
	"podium/internal/tools/engine"
	"podium/internal/tools/explicit"
	"podium/internal/tools/liar"
	"podium/internal/tools/parrot"
	"podium/internal/tools/proof"
	"podium/internal/tools/reader"
	"podium/internal/tools/symbolic"
	"podium/internal/tools/walk"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/vm/guest/image"
)

// engines are the methods of the built-in tools; lies is what makes the liar.
func engines(lies liar.Engine) map[string]engine.Engine {
	lies.Honest = explicit.Engine{}
	return map[string]engine.Engine{
		"explicit": explicit.Engine{},
		"symbolic": symbolic.Engine{},
		"walk":     walk.Engine{},
		"liar":     lies,
		"proof":    proof.Engine{},
		"reader":   reader.Engine{Dir: "."},
		"parrot":   parrot.Engine{Knowing: explicit.Engine{}},
	}
}

func newTool(s *streams) *cobra.Command {
	return group("tool", "Run, list and write tools", newToolInit(s), newToolRun(s), newToolList(s), newToolWrite(s))
}

func newToolRun(s *streams) *cobra.Command {
	lies := liar.Engine{Seed: 1, OneIn: 8}
	cmd := &cobra.Command{
		Use:   "run NAME",
		Short: "Answer one examination with a built-in tool",
		Long: `Run answers the examination BK_EXAMINATION on the instance in the current directory, within
BK_TIME_CONFINEMENT seconds and BK_MEMORY_CONFINEMENT megabytes, and prints the answers in the form
of the contest.`,
		Example: `  cd AirplaneLD-PT-0010 && BK_EXAMINATION=StateSpace podium tool run explicit`,
		Args:    exactArgs(1, "the name of a built-in tool"),
		RunE: func(cmd *cobra.Command, args []string) error {
			method, ok := engines(lies)[args[0]]
			if !ok {
				return noBuiltIn(args[0])
			}
			return engine.Head(cmd.Context(), method, ".", os.Getenv, diagnostic.Raw(s.out))
		},
	}
	cmd.Flags().Uint64Var(&lies.Seed, "seed", lies.Seed, "seed of the lies of the tool liar")
	cmd.Flags().Uint64Var(&lies.OneIn, "one-in", lies.OneIn, "the tool liar gives a wrong value once in this many")
	return cmd
}

// noBuiltIn says that a name is that of no built-in tool.
func noBuiltIn(name string) error {
	return usageError{fmt.Errorf("%q is no built-in tool%s", name, diagnostic.Instead(name, tools.AllNames()))}
}

func newToolInit(s *streams) *cobra.Command {
	var from, version string
	replace := false
	cmd := &cobra.Command{
		Use:   "init DIR",
		Short: "Write a new tool directory with comments",
		Long: `Init writes a tool directory: a manifest, and a BenchKit_head.sh with comments. A directory
that has its head and lacks the manifest gets only that. With --from the head runs a command line, given
as you run it on a model: the files that it names are copied into bin/, and its model.pnml, formula file
and examination become those of the run. It says what was replaced. --from FILE.yml takes a registration
of FM-Tools (SV-COMP): name, authors, licence, archive, options.`,
		Example: `  podium tool init mytool
  podium try mytool
  podium tool init mytool --from 'build/mytool --exam OneSafe models/TokenRing-PT-005/model.pnml'
  podium tool init goblint --from fm-tools/data/goblint.yml --tool-version 'SV-COMP 2026'`,
		Args: exactArgs(1, "a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if ext := filepath.Ext(from); (ext == ".yml" || ext == ".yaml") && !strings.ContainsAny(from, " \t") {
				return initRegistered(s, args[0], from, version, replace)
			} else if version != "" {
				return usageError{errors.New("--tool-version chooses a version of a registration: name its file by --from FILE.yml")}
			}
			var command *tools.Command
			if cmd.Flags().Changed("from") {
				var err error
				if command, err = tools.ParseCommand(from); err != nil {
					return usageError{fmt.Errorf("--from: %w", err)}
				}
			}
			t, err := tools.WriteStarter(args[0], command, replace)
			if err != nil {
				return err
			}
			if command != nil {
				for _, remark := range command.Remarks {
					fmt.Fprintln(s.err, remark)
				}
			}
			fmt.Fprintf(s.err, "%s is a tool; `podium try %s` runs it\n", t.Name, args[0])
			return nil
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "`COMMAND` line that the head runs, or a registration of FM-Tools (FILE.yml)")
	registerReplace(cmd, &replace)
	cmd.Flags().StringVar(&version, "tool-version", "", "`NAME` of a version in the registration, or of a competition such as 'SV-COMP 2026' (default: its first version)")
	return cmd
}

// initRegistered writes a tool directory from a registration.
func initRegistered(s *streams, dir, file, version string, replace bool) error {
	reg, found, err := tools.OpenRegistration(file)
	if err != nil {
		return err
	}
	if found.Err() != nil {
		return found
	}
	s.sayAll(found)
	v, err := reg.Version(version)
	if err != nil {
		return usageError{err}
	}
	t, remarks, err := tools.WriteRegistered(dir, reg, v, replace)
	if err != nil {
		return err
	}
	for _, remark := range remarks {
		fmt.Fprintln(s.err, remark)
	}
	fmt.Fprintf(s.err, "%s is a tool for tasks; `podium try %s TASK.yml` runs it\n", t.Name, dir)
	return nil
}

func newToolList(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list [PATH...]",
		Short:   "List the built-in tools, or the tools in directories",
		Example: "  podium tool list\n  podium tool list tools/",
		RunE: func(_ *cobra.Command, args []string) error {
			list := slices.Concat(tools.BuiltIn, tools.Named)
			if len(args) > 0 {
				opened, err := tools.OpenAll(args...)
				if err != nil {
					return err
				}
				list = nil
				for _, t := range opened {
					list = append(list, t.Manifest)
				}
			}
			if s.asJSON {
				all := []listedTool{}
				for _, m := range list {
					all = append(all, listedTool{m.Name, m.Title, m.Version, m.Family, m.Kind, m.Authors, m.Licence, m.Home, m.Archive})
				}
				return s.reply(toolsReply{all})
			}
			w := wording.Table(s.out)
			for _, m := range list {
				fmt.Fprintf(w, "%s\t%s\n", m.Name, m.Title)
			}
			return w.Flush()
		},
	}
	return cmd
}

func newToolWrite(s *streams) *cobra.Command {
	replace := false
	cmd := &cobra.Command{
		Use:   "write DIR [NAME...]",
		Short: "Write the built-in tools as tool directories",
		Long: `Write makes a tool directory for each built-in tool (all of them, or those named):
manifest, BenchKit_head.sh and program. Every tool has this form. COPY=NAME writes the tool NAME
under another name, as a variant.`,
		Example: `  podium tool write tools/
  podium contest --models models/ --tools tools/`,
		Args: someArgs("a directory"),
		RunE: func(_ *cobra.Command, args []string) error {
			names := args[1:]
			if len(names) == 0 {
				names = tools.BuiltInNames()
			}
			for _, name := range names {
				if _, ok := tools.FindBuiltIn(name); !ok {
					return noBuiltIn(name)
				}
			}
			defer s.upkeep.hold()() // a directory half written
			written := []writtenTool{}
			if err := files.Into(args[0], replace, func(dir string) error {
				for _, name := range names {
					t, err := writeBuiltIn(dir, name, "")
					if err != nil {
						return err
					}
					written = append(written, writtenTool{t.Name, filepath.Join(args[0], filepath.Base(t.Dir))})
				}
				return nil
			}); err != nil {
				return err
			}
			if s.asJSON {
				return s.reply(writtenReply{written})
			}
			for _, t := range written {
				fmt.Fprintln(s.out, t.Dir)
			}
			return nil
		},
	}
	registerReplace(cmd, &replace)
	return cmd
}

// writeBuiltIn writes a built-in tool for the machines of a driver. Its program
// is this one, or where that needs files of the host, which a virtual machine
// does not have, podium without them.
func writeBuiltIn(dir, name, driver string, args ...string) (tools.Tool, error) {
	program, err := os.Executable()
	if err == nil && (carried.Inside || strings.HasPrefix(driver, "libvirt")) {
		program, err = image.Podium()
	}
	if err != nil {
		return tools.Tool{}, err
	}
	return tools.WriteBuiltIn(dir, name, Version(), program, args...)
}
