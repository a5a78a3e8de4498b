// Package oci reads, makes and stores OCI images without a daemon.
//
//   - Open finds an image in a registry, in an OCI layout directory or in an
//     archive, and resolves it to digests once.
//   - Blobs keeps layers, content-addressed, on disk.
//   - Flatten merges the layers of an image into one read-only EROFS file, which
//     a cell mounts. Nothing of an image is ever unpacked onto the file system
//     of the host.
//   - WriteLayer turns what a cell changed on its root file system into a layer.
//   - Push and WriteArchive hand an image on.
//
// Everything that comes in is taken to be hostile: sizes are charged against
// limits before anything is allocated, names are confined to the tree, and
// digests are checked while the bytes are read.
//
// The formats are those of the OCI image specification
// (https://github.com/opencontainers/image-spec), of docker save, and of
// overlayfs in the Linux kernel (Documentation/filesystems/overlayfs.rst).
package oci
