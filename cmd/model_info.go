package cmd

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"podium/internal/parallel"
	"podium/internal/wording"
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
	cmd := &cobra.Command{
		Use:   "info PATH...",
		Short: "Print the sizes of models, and a hash that finds duplicates",
		Long: `Info prints sizes of instances, and the tokens of the initial marking. Units are nested units. Colours are
those of all places of a coloured net together: its exact unfolding has as many places; podium model unfold
says the size of the pruned one. Two nets with the
same structure hash differ only in ids, names and order. Different nets have
the same hash only when they are very regular, and made for that.`,
		Example: "  podium model info INPUTS/\n  podium model info --json AirplaneLD-PT-0010.tgz",
		Args:    someArgs("instances: directories, archives or nets (.pnml)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opened, amiss := s.open(args...) // what is left out, and why
			if len(opened.Instances) == 0 {
				return amiss
			}
			var list []modelInfo
			for info, err := range parallel.Try(cmd.Context(), opened.Instances, infoOf) {
				if amiss = errors.Join(amiss, err); err == nil {
					list = append(list, info)
				}
			}
			if s.asJSON {
				return errors.Join(amiss, s.reply(modelsReply{list}))
			}
			w := wording.Table(s.out)
			fmt.Fprintln(w, "instance\tclass\tplaces\ttransitions\tarcs\tunits\ttokens\tcolours\tstructure")
			for _, i := range list {
				fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s\t%.12s\n", i.Instance, i.Class, i.Places, i.Transitions, i.Arcs, i.Units, cmp.Or(i.Tokens, "-"), cmp.Or(i.Colours, "-"), cmp.Or(i.Structure, "-"))
			}
			return errors.Join(amiss, w.Flush())
		},
	}
	return cmd
}

func infoOf(i models.Instance) (info modelInfo, err error) {
	info = modelInfo{Instance: i.ID.String(), Class: i.Class.String(), Kind: i.ID.Kind.String()}
	if info.Digest, err = i.Digest(); err != nil {
		return info, err
	}
	doc, err := i.Document()
	if err != nil {
		return info, err
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
		if s.Tokens != nil {
			info.Tokens = s.Tokens.String()
		}
	}
	return info, nil
}
