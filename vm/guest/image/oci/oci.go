package oci

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"path"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// Image is a container image in an archive, which has to stay open.
type Image struct {
	// Environment are the variables that programs of the image expect, as NAME=value.
	Environment []string
	Layers      []Layer // the lowest first
}

// Layer is an archive of files, packed or not.
type Layer struct {
	blob    *io.SectionReader
	digest  v1.Hash // of the blob, zero where the manifest does not name it
	content v1.Hash // of the archive in the blob
}

// maxLayers bounds the layers of an image; Docker makes at most 127.
const maxLayers = 1024

// Read finds the image in an archive that is not packed. An archive must hold one
// image for Linux on amd64. The digests of layers are verified when they are copied.
func Read(archive io.ReaderAt, size int64) (*Image, error) {
	c, err := list(archive, size)
	switch {
	case err != nil:
		return nil, err
	case c.isLayout():
		return c.layoutImage()
	case c.files["manifest.json"] != nil:
		return c.dockerImage()
	case c.files["bin/sh"] != nil || c.links["bin/sh"] != "" || c.links["bin"] != "":
		return nil, errors.New("this is the file system of a container (`docker export`), which --base takes; --oci takes an image, as `docker save` writes it")
	}
	return nil, errors.New("there is neither index.json nor manifest.json: make the archive by `docker save`, `podman save` or `skopeo copy ... oci-archive:FILE`")
}

// Copy writes the layer's archive, unpacked by a function, and returns an error when
// what was read has another digest than the image says.
func (l Layer) Copy(to io.Writer, unpack func(to io.Writer, from io.Reader) error) error {
	content, err := v1.Hasher(l.content.Algorithm)
	if err != nil {
		return err
	}
	from := io.Reader(io.NewSectionReader(l.blob, 0, l.blob.Size()))
	var blob hash.Hash
	if l.digest.Algorithm != "" {
		if blob, err = v1.Hasher(l.digest.Algorithm); err != nil {
			return err
		}
		from = io.TeeReader(from, blob)
	}
	if err := unpack(io.MultiWriter(to, content), from); err != nil {
		return err
	}
	if blob != nil {
		// What follows the end of the packed archive is part of the blob, too.
		if _, err := io.Copy(io.Discard, from); err != nil {
			return err
		}
		if err := same(blob, l.digest); err != nil {
			return err
		}
	}
	return same(content, l.content)
}

func same(h hash.Hash, want v1.Hash) error {
	if got := fmt.Sprintf("%x", h.Sum(nil)); got != want.Hex {
		return fmt.Errorf("the digest of %s is %s now: the archive is damaged or was changed", want, got)
	}
	return nil
}

// dockerManifest is an element of manifest.json.
type dockerManifest struct {
	Config   string
	RepoTags []string
	Layers   []string
}

// dockerImage reads the form of Docker.
func (c *contents) dockerImage() (*Image, error) {
	text, err := c.text("manifest.json")
	if err != nil {
		return nil, err
	}
	var all []dockerManifest
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	if len(all) != 1 {
		var names []string
		for _, m := range all {
			names = append(names, m.RepoTags...)
		}
		return nil, severalImages(len(all), names)
	}
	m := all[0]
	text, err = c.text(m.Config)
	if err != nil {
		return nil, err
	}
	// The name of the configuration is its digest, in either form of the name.
	name := strings.TrimSuffix(path.Base(m.Config), ".json")
	if want, err := v1.NewHash("sha256:" + name); err == nil {
		if err := verify(text, want); err != nil {
			return nil, err
		}
	}
	return withConfiguration(text, len(m.Layers), func(i int) (Layer, error) {
		f, err := c.open(m.Layers[i])
		return Layer{blob: f}, err
	})
}

// severalImages says that an archive has to hold one image.
func severalImages(n int, names []string) error {
	err := fmt.Errorf("the archive holds %d images, and one is needed", n)
	if len(names) > 0 {
		err = fmt.Errorf("%w: save one of %.400q", err, names)
	}
	return err
}

// withConfiguration makes the image of a configuration and its layers.
func withConfiguration(text []byte, layers int, layer func(i int) (Layer, error)) (*Image, error) {
	var config v1.ConfigFile
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, fmt.Errorf("the configuration of the image: %w", err)
	}
	switch {
	case config.OS != "" && config.OS != "linux" || config.Architecture != "" && config.Architecture != "amd64":
		return nil, fmt.Errorf("the image is for %.40q on %.40q, and machines have linux on amd64: build it with --platform linux/amd64", config.OS, config.Architecture)
	case layers != len(config.RootFS.DiffIDs):
		return nil, fmt.Errorf("the image has %d layers, and the digests of %d", layers, len(config.RootFS.DiffIDs))
	case layers == 0:
		return nil, errors.New("the image has no layer, so no files")
	case layers > maxLayers:
		return nil, fmt.Errorf("the image has %d layers, more than %d", layers, maxLayers)
	}
	image := &Image{Environment: config.Config.Env}
	for i := range layers {
		l, err := layer(i)
		if err != nil {
			return nil, err
		}
		l.content = config.RootFS.DiffIDs[i]
		if l.content.Algorithm == "" {
			return nil, fmt.Errorf("layer %d has no digest", i+1)
		}
		image.Layers = append(image.Layers, l)
	}
	return image, nil
}
