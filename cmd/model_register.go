package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/registration"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
)

func newModelRegister(s *streams) *cobra.Command {
	var in, paths []string
	var fresh bool
	cmd := &cobra.Command{
		Use:   "register RECORD...",
		Short: "Check submission records of models, and publish them",
		Long: `Register reads records of models (docs/models.md shows one) and checks them by the rules for
submitters: who made the model, its licence, its source, a description and the consent to publish
it (M-2, M-3). --models names instances, which are checked as podium check model does (M-4). With
--campaign the records are kept, and the pages of the instances show them (M-7).

Exit codes: 0 nothing but warnings, 2 usage, 4 errors were found or the input cannot be read.`,
		Example: "  podium model register --init Philosophers.yaml\n  podium model register Philosophers.yaml --models INPUTS/\n  podium model register *.yaml --campaign campaign",
		Args:    someArgs("records of models"),
		RunE: func(_ *cobra.Command, args []string) error {
			if fresh {
				return newRecords(s, args)
			}
			var all diagnostic.List
			var records []registration.Record
			document := registerReply{Records: []registeredRecord{}, Campaigns: in}
			for _, file := range args {
				r, found := registration.Read(file)
				if all = append(all, found...); found.Err() == nil {
					records = append(records, r)
					document.Records = append(document.Records, registeredRecord{file, r, []string{}})
				}
			}
			opened, err := models.Open(paths...)
			if len(paths) > 0 && err != nil {
				return err
			}
			for k, r := range records {
				of := &document.Records[k]
				for _, i := range opened.Instances {
					if i.ID.Family == r.Model {
						all, of.Instances = append(all, checkModelOf(i)...), append(of.Instances, i.ID.String())
					}
				}
				if len(of.Instances) == 0 && len(paths) > 0 {
					all.Add(diagnostic.Diagnostic{File: r.Model, Code: "record-instances", Message: "there is no instance of this model in --models", Hint: "their names begin with " + r.Model + "-PT- or " + r.Model + "-COL-"})
				}
				if !s.asJSON {
					fmt.Fprintf(s.out, "%s: %s\n", r.Model, r.Authors)
				}
			}
			if err := all.Err(); err != nil {
				return err
			}
			if err := all.WriteGrouped(s.err, "`podium check model --all`"); err != nil {
				return err
			}
			if len(in) == 0 {
				s.say(wording.Count(len(records), "record is", "records are") + " in order; --campaign DIR keeps them for the pages")
			}
			for _, dir := range in {
				if err := keepRecords(dir, records); err != nil {
					return err
				}
				fmt.Fprintf(s.err, "%s kept in %s; `podium publish %[2]s` shows them\n", wording.Count(len(records), "record is", "records are"), dir)
			}
			if s.asJSON {
				return s.reply(document)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&fresh, "init", false, "write a record to fill in, named after its model, to each `RECORD`")
	f.StringArrayVar(&in, "campaign", nil, "`DIR` of the campaign that keeps the records")
	f.StringArrayVarP(&paths, "models", "m", nil, "`PATH` of instances that are checked, too; may be repeated")
	return cmd
}

// newRecords writes records to fill in, each to a file that is not there yet.
func newRecords(s *streams, files []string) error {
	for _, file := range files {
		model := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if os.IsExist(err) {
			return usageError{fmt.Errorf("%s is there already: name another file", file)}
		} else if err != nil {
			return err
		}
		_, err = f.WriteString(registration.Skeleton(model))
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		s.say(file + " is written: fill it in; `podium model register " + file + "` checks it")
	}
	return nil
}

// keepRecords keeps records of models of a campaign.
func keepRecords(dir string, records []registration.Record) error {
	c, err := campaign.Open(dir)
	if err != nil {
		return err
	}
	var families []string
	for _, i := range c.Plan.Instances {
		families = append(families, i.Family)
	}
	for _, r := range records {
		if !slices.Contains(families, r.Model) {
			return usageError{fmt.Errorf("the campaign has no model %s%s", r.Model, diagnostic.Instead(r.Model, slices.Compact(families)))}
		}
	}
	for _, r := range records {
		if err := r.Keep(dir); err != nil {
			return err
		}
	}
	return nil
}
