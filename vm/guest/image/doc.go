// Package image makes what a guest boots (E-5.1): a kernel of the host's
// distribution, an initial file system with the agent and the few kernel modules
// that it needs, and read-only disks for tools, instances and whole file
// systems.
//
// # Vocabulary
//
// The base is what a tool finds as /bin, /etc, /lib, /usr: busybox in the
// initial file system, or the file system of an image. A disk is a squashfs
// file. An image is a disk that holds a base and a tool at its usual place; its
// name is its digest. What a machine boots is never from an image, because the
// kernel and the agent measure the tool. The store is the directory where all of
// them are kept.
//
// The same inputs give the same bytes: no time, owner or order of the host's
// gets into what is made.
package image
