package cmd

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"podium/internal/files"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
)

func newModelConvert(s *streams) *cobra.Command {
	var out string
	var drop []string
	var replace bool
	cmd := &cobra.Command{
		Use:   "convert FILE",
		Short: "Write a net of an editor as the contest has it",
		Long: `Convert reads a net as editors write it, among them old PNML without pages and namespace, core models,
and the PNML of GreatSPN, PIPE, pm4py, ProM, Snoopy, TAPAAL and WoPeD. It writes a net that the grammar of PNML
and the contest accept, and says what it changed and left out.

What would change the net is refused with exit code 4, unless --drop names it: ` + wording.And(pnml.Droppable) + `.
Arcs of a kind that is dropped go as a whole.`,
		Example: "  podium model convert editor.pnml --out MyModel-PT-01/model.pnml\n  podium model convert mined.pnml --drop final --out net.pnml",
		Args:    exactArgs(1, "a net (.pnml)"),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, word := range drop {
				if !slices.Contains(pnml.Droppable, word) {
					return usageError{fmt.Errorf("--drop %s: there is no such word%s", word, diagnostic.Instead(word, pnml.Droppable))}
				}
			}
			if err := s.beside(out); err != nil {
				return err
			}
			file := args[0]
			if net := models.NetBeside(file); net != "" { // of a directory
				file = net
			}
			f, err := files.OpenNamed(file)
			if err != nil {
				return err
			}
			defer f.Close()
			net, changes, found := pnml.Convert(f, file, drop)
			if !s.asJSON {
				for _, c := range changes {
					times := ""
					if c.Count > 1 {
						times = fmt.Sprintf(" (%d times, first here)", c.Count)
					}
					s.say(fmt.Sprintf("%s:%d: %s%s", file, c.Line, c.What, times))
				}
			}
			if found.Err() != nil {
				return found
			}
			if len(found) > 0 && !s.asJSON {
				if err := found.Write(s.err, diagnostic.Text); err != nil {
					return err
				}
			}
			write := files.Bytes(net)
			if out == "" {
				return write(s.out)
			}
			err = files.Make(out, replace, func(file string) error { return files.Write(file, write) })
			if err != nil || !s.asJSON {
				return err
			}
			return s.reply(convertedReply{out, changes, findingsOf(found)})
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "file for the net (default: standard output)")
	cmd.Flags().StringSliceVar(&drop, "drop", nil, "what is left out although the net is another one without it: `WORD`, comma-separated")
	registerReplace(cmd, &replace)
	return cmd
}
