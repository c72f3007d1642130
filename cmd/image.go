package cmd

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"podium/vm/guest/image"
	"podium/vm/libvirt"
)

func newImage(s *streams) *cobra.Command {
	cmd := &cobra.Command{Use: "image", Short: "Make images for virtual machines", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(newImageBuild(s), newImageImport(s))
	return cmd
}

const imageHelp = `The image holds a kernel, the agent that runs the tool, a file system, and the tool at its usual
place /home/mcc/BenchKit; the same inputs give the same bytes. Put it into a tool directory and
name it in tool.yaml (image: FILE). Its digest is printed.

Exit codes: 0 done, 2 usage, 4 invalid input, 5 something that images are made with is missing.`

func newImageBuild(s *streams) *cobra.Command {
	b := image.Build{Base: "busybox"}
	cmd := &cobra.Command{
		Use:   "build TOOL",
		Short: "Make an image of a tool directory or archive",
		Long: `Build makes an image of a tool, which is a directory or an archive with BenchKit_head.sh and
bin/, and of the file system that it needs: none for a tool that brings all it needs, busybox for
static programs and shell scripts, or a whole file system, which is a directory or an archive as
debootstrap and mmdebstrap make it.

` + imageHelp,
		Example: `  podium image build mytool/ --out tool.img
  mmdebstrap --variant=minbase --include=default-jre-headless bookworm debian.tar
  podium image build mytool.tgz --base debian.tar --out tool.img`,
		Args: exactArgs(1, "a tool directory or archive"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b.Tool = args[0]
			store, err := image.OpenStore("")
			if err != nil {
				return err
			}
			return makeImage(cmd, s, store, b)
		},
	}
	f := cmd.Flags()
	f.StringVar(&b.Base, "base", b.Base, "file system of the image: none, busybox, a directory or an archive")
	registerImage(cmd, &b)
	return cmd
}

func registerImage(cmd *cobra.Command, b *image.Build) {
	f := cmd.Flags()
	f.StringVarP(&b.Out, "out", "o", "", "file of the image (required)")
	f.StringVar(&b.Kernel, "kernel", "", "kernel of the image, a file vmlinuz-RELEASE beside its modules (default: the newest in /boot)")
}

// makeImage makes an image and says its digest.
func makeImage(cmd *cobra.Command, s *streams, store *image.Store, b image.Build) error {
	if b.Out == "" {
		return usageError{errors.New("an image needs a file: name it with --out")}
	}
	digest, err := store.Image(cmd.Context(), b)
	switch {
	case errors.Is(err, os.ErrExist):
		return usageError{fmt.Errorf("%s is there already", b.Out)}
	case err != nil:
		return err
	}
	fmt.Fprintf(s.out, "%s  %s\n", digest, b.Out)
	return nil
}

func newImageImport(s *streams) *cobra.Command {
	var b image.Build
	cmd := &cobra.Command{
		Use:   "import DISK",
		Short: "Make an image of a disk with a tool in /home/mcc/BenchKit",
		Long: `Import makes an image of the disk image (qcow2, vmdk or raw) that a contestant submits: of the
file system with /home/mcc/BenchKit on it, alone or in a partition. It is read inside of a virtual
machine, so that a damaged or hostile one harms nobody. The tool then runs under our kernel and
agent; the disk's own kernel, services and users are not used.

` + imageHelp,
		Example: "  podium image import mytool-2026.vmdk --out tool.img",
		Args:    exactArgs(1, "a disk image"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if b.Out == "" {
				return usageError{errors.New("an image needs a file: name it with --out")}
			}
			d, err := libvirt.Open(libvirt.Options{})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, d.Close()) }()
			archive, err := os.CreateTemp("", "podium-import-*.tar")
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, os.Remove(archive.Name())) }()
			err = errors.Join(d.Export(cmd.Context(), args[0], archive), archive.Close())
			if err != nil {
				return err
			}
			store, err := image.OpenStore("")
			if err != nil {
				return err
			}
			b.Base = archive.Name()
			return makeImage(cmd, s, store, b)
		},
	}
	registerImage(cmd, &b)
	return cmd
}
