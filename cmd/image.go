package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"podium/internal/files"
	"podium/pnml/diagnostic"
	"podium/vm/guest/image"
	"podium/vm/libvirt"
)

func newImage(s *streams) *cobra.Command {
	return group("image", "Make images for virtual machines", newImageBuild(s), newImageImport(s))
}

const imageHelp = `The image holds the file system that the tool sees, with the tool at its usual place
/home/mcc/BenchKit; the same inputs give the same bytes. Put it into a tool directory and
name it in tool.yaml (image: FILE). Runs in the sandbox see its file system, too. Its digest is printed.

Exit codes: 0 done, 2 usage, 4 invalid input, 5 something that images are made with is missing.`

func newImageBuild(s *streams) *cobra.Command {
	b := image.Build{Base: "busybox"}
	var replace bool
	cmd := &cobra.Command{
		Use:   "build [TOOL]",
		Short: "Make an image of a tool directory or archive",
		Long: `Build makes an image of a tool, which is a directory or an archive with BenchKit_head.sh
and bin/, and of the file system that it needs: none for a tool that brings all it needs, busybox
for static programs and shell scripts, or a whole file system, which is a directory or an archive as
debootstrap and mmdebstrap make it. With --oci the file system is that of a container image, in an
archive of docker save, podman save or skopeo copy; its variables (ENV) are those of the runs.
Without TOOL the container image holds the tool in /home/mcc/BenchKit, or the image is only a file
system: tool.yaml names it (system: FILE), and the tool stays in its directory.

` + imageHelp,
		Example: `  podium image build mytool/ --out tool.img
  mmdebstrap --variant=minbase --include=default-jre-headless bookworm debian.tar
  podium image build mytool.tgz --base debian.tar --out tool.img
  docker save my/java:17 -o java.tar && podium image build --oci java.tar --out mytool/java.img`,
		Args: func(cmd *cobra.Command, args []string) error {
			if b.OCI != "" && len(args) == 0 {
				return nil
			}
			return exactArgs(1, "a tool directory or archive")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			defer s.upkeep.hold()()
			if b.OCI != "" && cmd.Flags().Changed("base") {
				return usageError{errors.New("--base and --oci exclude each other: either is the file system of the image")}
			}
			if len(args) > 0 {
				b.Tool = args[0]
			}
			b.Say = s.say
			return makeImage(cmd, s, b, replace)
		},
	}
	f := cmd.Flags()
	f.StringVar(&b.Base, "base", b.Base, "file system of the image: none, busybox, a directory or an archive")
	f.StringVar(&b.OCI, "oci", "", "instead of --base: `ARCHIVE` with a container image, as docker save writes it")
	registerImage(cmd, &b, &replace)
	return cmd
}

func registerImage(cmd *cobra.Command, b *image.Build, replace *bool) {
	f := cmd.Flags()
	f.StringVarP(&b.Out, "out", "o", "", "file of the image (required)")
	registerReplace(cmd, replace)
	f.String("kernel", "", "without effect")
	_ = f.MarkDeprecated("kernel", "images have no kernel any more: machines boot podium's own") // the flag is there
}

// makeImage makes an image and says its digest.
func makeImage(cmd *cobra.Command, s *streams, b image.Build, replace bool) error {
	if b.Out == "" {
		return usageError{errors.New("an image needs a file: name it with --out")}
	}
	return writeImage(s, b.Out, replace, func(file string) (string, error) {
		b.Out = file
		digest, err := b.Image(cmd.Context())
		if errors.Is(err, exec.ErrNotFound) {
			err = hostError{err}
		}
		return digest, err
	})
}

// writeImage makes the file of an image and says its digest, or why there is none.
func writeImage(s *streams, out string, replace bool, write func(file string) (digest string, err error)) error {
	digest := ""
	err := files.Make(out, replace, func(file string) (err error) {
		digest, err = write(file)
		return err
	})
	if err != nil {
		return err
	}
	if s.asJSON {
		return s.reply(imageReply{out, strings.TrimPrefix(digest, "sha256:")})
	}
	fmt.Fprintf(s.out, "%s  %s\n", digest, out)
	return nil
}

// importOptions are the flags of image import.
type importOptions struct {
	image.Build
	system         image.System
	own, replace   bool
	key, passwords string // files
}

func newImageImport(s *streams) *cobra.Command {
	o := importOptions{system: image.System{Bus: image.Buses[0], Network: image.Networks[0], User: "mcc"}}
	cmd := &cobra.Command{
		Use:   "import DISK",
		Short: "Make an image of a disk with a tool in /home/mcc/BenchKit",
		Long: `Import makes an image of the disk image (qcow2, vmdk or raw) that a contestant submits: of
the file system with /home/mcc/BenchKit on it, alone or in a partition. It is read inside a virtual
machine, so that a damaged or hostile disk cannot harm the host. The tool then runs under our kernel
and agent; the disk's own kernel, services and users are not used.

With --own-system they are: machines boot the disk by its own boot loader, and the tool is run by
ssh, as BenchKit did. For that the user (--user) needs the private key that the disk knows (--key)
or a password. Import boots the disk once to try it. Such machines have one network device, which
reaches nothing but podium, and measure nothing: CPU time and memory of their runs are those of the
whole machine, as measured on its process on this host once the instance goes in. Do not use --own-system for a tool that runs
under our kernel. The image contains the key or password: do not publish the image.

` + imageHelp,
		Example: `  podium image import mytool-2026.vmdk --out tool.img
  podium image import mytool-2014.vmdk --own-system --key bk-private_key --out tool.img
  podium image import mytool.qcow2 --own-system --password-file pw --disk-bus virtio --network virtio --out tool.img`,
		Args: exactArgs(1, "a disk image"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := o.check(cmd.Flags().Changed); err != nil {
				return usageError{err}
			}
			if err := files.Free(o.Out, o.replace); err != nil {
				return err
			}
			defer s.upkeep.hold()()
			d, err := libvirt.Open(libvirt.Options{})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, d.Close()) }()
			if o.own {
				err = o.importSystem(cmd.Context(), s, d, args[0])
			} else {
				err = o.importFiles(cmd, s, d, args[0])
			}
			var wrong *libvirt.DiskError
			if errors.As(err, &wrong) {
				return diagnostic.List{{File: wrong.File, Code: "image-disk", Message: wrong.Err.Error()}}
			}
			return err
		},
	}
	registerImage(cmd, &o.Build, &o.replace)
	f := cmd.Flags()
	f.BoolVar(&o.own, "own-system", false, "machines boot the disk's own system, and the tool is run by ssh")
	f.StringVar(&o.system.User, "user", o.system.User, "user of the disk's system who runs the tool")
	f.StringVar(&o.key, "key", "", "file of a private key that opens the user's account")
	f.StringVar(&o.passwords, "password-file", "", "file whose first line is the user's password")
	f.StringVar(&o.system.Bus, "disk-bus", o.system.Bus, "how the disk is connected: "+strings.Join(image.Buses, ", "))
	f.StringVar(&o.system.Network, "network", o.system.Network, "what the network device is: "+strings.Join(image.Networks, ", "))
	return cmd
}

// check reads the files that the flags name, and finds flags that do not go
// together.
func (o *importOptions) check(changed func(flag string) bool) error {
	if o.Out == "" {
		return errors.New("an image needs a file: name it with --out")
	}
	if !o.own {
		for _, flag := range []string{"user", "key", "password-file", "disk-bus", "network"} {
			if changed(flag) {
				return fmt.Errorf("--%s is for disks that boot their own system: add --own-system", flag)
			}
		}
		return nil
	}
	if o.key == "" && o.passwords == "" {
		return errors.New("--own-system needs --key FILE or --password-file FILE, to log in to the disk's system by ssh")
	}
	for _, one := range []struct {
		file string
		to   *string
	}{{o.key, &o.system.Key}, {o.passwords, &o.system.Password}} {
		if one.file == "" {
			continue
		}
		text, err := readSecret(one.file)
		if err != nil {
			return err
		}
		*one.to = text
	}
	o.system.Password, _, _ = strings.Cut(o.system.Password, "\n")
	o.system.Password = strings.TrimSuffix(o.system.Password, "\r")
	o.system.Format = image.SystemFormat
	return o.system.Check()
}

// maxSecret bounds files of keys and passwords, in bytes.
const maxSecret = 64 << 10

func readSecret(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err == nil && len(text) > maxSecret {
		err = fmt.Errorf("%s is larger than %d bytes: that is no key and no password", file, maxSecret)
	}
	return string(text), err
}

// importSystem makes an image that boots the disk's own system.
func (o *importOptions) importSystem(ctx context.Context, s *streams, d *libvirt.Driver, disk string) error {
	fmt.Fprintln(s.err, "the disk's system is booted once, to try it")
	return writeImage(s, o.Out, o.replace, func(file string) (string, error) { return d.ImportSystem(ctx, disk, o.system, file) })
}

// importFiles makes an image of the file system on a disk.
func (o *importOptions) importFiles(cmd *cobra.Command, s *streams, d *libvirt.Driver, disk string) (err error) {
	scratch, err := files.NewScratch("", "import")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, scratch.Close()) }()
	archive, err := os.Create(scratch.Path("disk.tar"))
	if err != nil {
		return err
	}
	err = errors.Join(d.Export(cmd.Context(), disk, archive), archive.Close())
	if err != nil {
		return err
	}
	o.Base = archive.Name()
	return makeImage(cmd, s, o.Build, o.replace)
}
