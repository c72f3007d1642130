package oci

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// maxManifests bounds the manifests that an archive names, in indexes of at most
// maxDepth levels.
const (
	maxManifests = 1024
	maxDepth     = 4
)

// layoutImage reads the form of the Open Container Initiative.
func (c *contents) layoutImage() (*Image, error) {
	text, err := c.text("index.json")
	if err != nil {
		return nil, err
	}
	s := search{from: c}
	if err := s.index(text, maxDepth); err != nil {
		return nil, err
	}
	switch {
	case len(s.found) == 0 && len(s.others) > 0:
		return nil, fmt.Errorf("the archive has no image for linux on amd64, but for %.400q: build it with --platform linux/amd64", s.others)
	case len(s.found) == 0:
		return nil, errors.New("index.json names no image")
	case len(s.found) > 1:
		return nil, severalImages(len(s.found), s.names)
	}
	m := s.found[0]
	config, err := c.blobText(m.Config)
	if err != nil {
		return nil, err
	}
	return withConfiguration(config, len(m.Layers), func(i int) (Layer, error) {
		d := m.Layers[i]
		if strings.HasSuffix(string(d.MediaType), "+encrypted") {
			return Layer{}, fmt.Errorf("layer %d is encrypted", i+1)
		}
		f, err := c.blob(d)
		if errors.Is(err, fs.ErrNotExist) && len(d.URLs) > 0 {
			err = fmt.Errorf("%w: it is to be fetched from elsewhere, which podium does not", err)
		}
		return Layer{blob: f, digest: d.Digest}, err
	})
}

// search walks indexes for the images of linux on amd64.
type search struct {
	from   *contents
	seen   map[v1.Hash]bool
	found  []*v1.Manifest
	names  []string // of those found
	others []string // other platforms
}

func (s *search) index(text []byte, depth int) error {
	var index v1.IndexManifest
	if err := json.Unmarshal(text, &index); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	for _, d := range index.Manifests {
		if s.seen[d.Digest] {
			continue // one image under two names
		}
		if s.seen == nil {
			s.seen = map[v1.Hash]bool{}
		}
		s.seen[d.Digest] = true
		switch p := d.Platform; {
		case len(s.seen) > maxManifests || depth == 0:
			return errors.New("the archive names too many images, or in too many levels of indexes")
		case d.Annotations["vnd.docker.reference.type"] != "": // says where an image comes from
			continue
		case p != nil && (p.OS != "linux" || p.Architecture != "amd64"):
			s.others = append(s.others, p.String())
			continue
		}
		if err := s.manifest(d, depth); err != nil {
			return err
		}
	}
	return nil
}

// manifest takes what a descriptor names: an image, or another index.
func (s *search) manifest(d v1.Descriptor, depth int) error {
	text, err := s.from.blobText(d)
	if err != nil {
		return err
	}
	if d.MediaType.IsIndex() {
		return s.index(text, depth-1)
	}
	var m v1.Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return fmt.Errorf("%s: %w", d.Digest, err)
	}
	s.found = append(s.found, &m)
	for _, key := range []string{"org.opencontainers.image.ref.name", "io.containerd.image.name"} {
		if name := d.Annotations[key]; name != "" {
			s.names = append(s.names, name)
			break
		}
	}
	return nil
}
