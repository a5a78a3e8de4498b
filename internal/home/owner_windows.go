package home

import "io/fs"

// checkOwner accepts every directory: modes say nothing on Windows, where the
// access list of the profile keeps other users out.
func checkOwner(string, fs.FileInfo) error { return nil }
