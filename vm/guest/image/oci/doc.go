// Package oci reads container images from archives: those that `docker save`,
// `podman save`, `buildah push` and `skopeo copy` write, in the older form of Docker
// (manifest.json) and in that of the Open Container Initiative (oci-layout, index.json
// and blobs by digest; image-spec 1.1, image-layout.md).
//
// # Vocabulary
//
// An image is a list of layers, each an archive of files that are laid over those of
// the layers below, and a configuration with the variables of its environment. A
// manifest names both by the digests of their contents. An index names manifests, one
// for each kind of processor.
//
// Nothing in an archive is trusted: texts have limits, names must be names of files in
// the archive, and all that is read is compared with its digest.
package oci
