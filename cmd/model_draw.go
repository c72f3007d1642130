package cmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"podium/internal/drawing"
	"podium/internal/files"
	"podium/models"
)

func newModelDraw(s *streams) *cobra.Command {
	var out string
	format, limit := "svg", 250
	cmd := &cobra.Command{
		Use:   "draw INSTANCE",
		Short: "Draw a picture of a small net",
		Long: `Draw writes a net as SVG: places as circles with their tokens, transitions as bars, weights
beside the arcs; coloured nets with sorts, markings, guards and inscriptions. A place that a
transition only tests has one arc with two heads. The layout is made by Graphviz, whose program dot
must be installed; --format dot needs nothing and writes what dot reads.

` + exitCodes,
		Example: "  podium model draw DiningPhilosophers-PT-002 --out picture.svg",
		Args:    exactArgs(1, "an instance directory or archive"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "svg" && format != "dot" {
				return usageError{fmt.Errorf("%q is no format of a picture: svg or dot", format)}
			}
			i, err := oneInstance(args[0])
			if err != nil {
				return err
			}
			doc, err := i.Document()
			if err != nil {
				return err
			}
			picture, err := drawing.Dot(i, doc, limit)
			if err != nil {
				return err
			}
			if format == "svg" {
				if picture, err = drawing.SVG(cmd.Context(), picture); err != nil {
					return errors.Join(cmd.Context().Err(), hostError{err})
				}
			}
			if out == "" {
				_, err = s.out.Write(picture)
				return err
			}
			return files.Write(out, func(w io.Writer) error { _, err := w.Write(picture); return err })
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "file that is written (default: standard output)")
	cmd.Flags().StringVar(&format, "format", format, "svg, or dot for the input of Graphviz")
	cmd.Flags().IntVar(&limit, "limit", limit, "places and transitions that a picture may have")
	return cmd
}

// oneInstance opens a path that must hold a single instance.
func oneInstance(path string) (models.Instance, error) {
	opened, err := models.Open(path)
	if err != nil {
		return models.Instance{}, err
	}
	if len(opened.Instances) != 1 {
		return models.Instance{}, usageError{fmt.Errorf("%s holds %d instances: name one", path, len(opened.Instances))}
	}
	return opened.Instances[0], nil
}
