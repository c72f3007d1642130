package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/files"
	"podium/internal/modelfiles"
	"podium/internal/parallel"
	"podium/internal/referee"
	"podium/models"
)

// modelInfo is what info prints of one instance with --json.
type modelInfo struct {
	Instance    string `json:"instance"`
	Class       string `json:"class"`
	Kind        string `json:"kind"`
	Places      int    `json:"places"`
	Transitions int    `json:"transitions"`
	Arcs        int    `json:"arcs"`
	Units       int    `json:"units,omitempty"`
	Safe        bool   `json:"claims_safe,omitempty"`
	Tokens      string `json:"tokens,omitempty"`
	Colours     string `json:"colours,omitempty"`
	Structure   string `json:"structure_hash,omitempty"`
	Digest      string `json:"sha256"`
}

func newModelInfo(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info PATH...",
		Short: "Count what is in models, and give a hash that finds duplicates",
		Long: `Info prints sizes, tokens and nested units of instances. The structure hash does not depend on
ids, names or order: equal hashes mean the same net, but for regular constructions made on purpose.`,
		Example: "  podium model info INPUTS/\n  podium model info --json AirplaneLD-PT-0010.tgz",
		Args:    someArgs("instance directories or archives"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opened, err := models.Open(args...)
			if err != nil {
				return err
			}
			var list []modelInfo
			for r := range parallel.Each(cmd.Context(), opened.Instances, infoOf) {
				if r.err != nil {
					return r.err
				}
				list = append(list, r.info)
			}
			if asJSON {
				enc := json.NewEncoder(s.out)
				enc.SetIndent("", "  ")
				return enc.Encode(list)
			}
			w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "instance\tclass\tplaces\ttransitions\tarcs\tunits\ttokens\tcolours\tstructure")
			for _, i := range list {
				fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s\t%.12s\n", i.Instance, i.Class, i.Places, i.Transitions, i.Arcs, i.Units, dash(i.Tokens), dash(i.Colours), dash(i.Structure))
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON document")
	return cmd
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

type infoResult struct {
	info modelInfo
	err  error
}

func infoOf(i models.Instance) infoResult {
	info := modelInfo{Instance: i.ID.String(), Class: i.Class.String(), Kind: i.ID.Kind.String()}
	digest, err := i.Digest()
	if err != nil {
		return infoResult{err: err}
	}
	info.Digest = digest
	doc, err := i.Document()
	if err != nil {
		return infoResult{err: err}
	}
	switch {
	case doc.Net != nil:
		s := doc.Net.Statistics()
		info.Places, info.Transitions, info.Arcs, info.Units, info.Tokens = s.Places, s.Transitions, s.Arcs, s.Units, s.Tokens.String()
		info.Safe = doc.Net.NUPN != nil && doc.Net.NUPN.Safe
		info.Structure = doc.Net.StructureHash()
	case doc.Symmetric != nil:
		s := doc.Symmetric.Statistics()
		info.Places, info.Transitions, info.Arcs, info.Colours = s.Places, s.Transitions, s.Arcs, s.Colours.String()
	}
	return infoResult{info: info}
}

func newModelForm(s *streams) *cobra.Command {
	var format string
	budget, memory := time.Minute, byteSize(2e9)
	cmd := &cobra.Command{
		Use:   "form PATH",
		Short: "Fill in the table of properties that comes with a model",
		Long: `Form decides the 21 properties of the model form: the structural ones from the net, the
behavioural ones (SAFE to LIVE) by enumerating the markings, as far as time and memory allow;
what is not decided is unknown, with the reason. Coloured nets are unfolded.`,
		Example: "  podium model form AirplaneLD-PT-0010\n  podium model form --format xml MyModel-PT-01 > GenericPropertiesVerdict.xml",
		Args:    exactArgs(1, "an instance directory or archive"),
		RunE: func(cmd *cobra.Command, args []string) error {
			i, err := oneInstance(args[0])
			if err != nil {
				return err
			}
			form, err := referee.Form(cmd.Context(), i, referee.Options{Budget: budget, Memory: int64(memory), Version: Version()})
			if err != nil {
				return err
			}
			write, ok := map[string]func(io.Writer) error{"text": form.WriteText, "json": form.WriteJSON, "latex": form.WriteLaTeX, "xml": form.WriteXML}[format]
			if !ok {
				return usageError{fmt.Errorf("%q is no format of the form: text, json, latex or xml", format)}
			}
			return write(s.out)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json, latex or xml (GenericPropertiesVerdict.xml)")
	cmd.Flags().DurationVar(&budget, "budget", budget, "time for each behavioural property")
	cmd.Flags().Var((*memorySize)(&memory), "memory", "memory for the markings")
	return cmd
}

func newModelStrip(s *streams) *cobra.Command {
	var out, seed, sealed, name string
	cmd := &cobra.Command{
		Use:   "strip PATH --out DIR --seed SECRET --sealed FILE",
		Short: "Make an anonymous copy of an instance",
		Long: `Strip writes a copy of an instance that does not tell which model it is (E-4.4): ids are
replaced and permuted under the seed; names, graphics and toolspecific sections are left out;
formulas are rewritten with them. The map back is written to a file of its own, which the
organisers keep to themselves.`,
		Example: "  podium model strip AirplaneLD-PT-0010 --out stripped --seed 'our secret' --sealed maps/AirplaneLD-PT-0010.map",
		Args:    exactArgs(1, "an instance directory or archive"),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" || seed == "" || sealed == "" {
				return usageError{errors.New("strip needs --out, --seed and --sealed")}
			}
			o := models.StripOptions{Seed: seed}
			if name != "" {
				id, err := models.ParseID(name)
				if err != nil {
					return usageError{err}
				}
				o.ID = id
			}
			i, err := oneInstance(args[0])
			if err != nil {
				return err
			}
			o.Formulas = func(r *models.Renaming) (map[string]func(io.Writer) error, error) { return modelfiles.Stripped(i, r) }
			renaming, err := models.Strip(i, out, o)
			if err != nil {
				return err
			}
			fmt.Fprintln(s.out, filepath.Join(out, renaming.Stripped))
			return files.Write(sealed, renaming.Write)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "directory in which the stripped instance is made")
	cmd.Flags().StringVar(&seed, "seed", "", "secret under which ids are drawn")
	cmd.Flags().StringVar(&sealed, "sealed", "", "file for the map back")
	cmd.Flags().StringVar(&name, "name", "", "name of the stripped instance (default: S_ and its name)")
	return cmd
}
