package copier

import "io/fs"

// Empty is a tree without files.
func Empty() Tree { return empty{} }

type empty struct{}

func notThere(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

func (empty) Open(name string) (fs.File, error)          { return nil, notThere("open", name) }
func (empty) Lstat(name string) (fs.FileInfo, error)     { return nil, notThere("lstat", name) }
func (empty) ReadLink(name string) (string, error)       { return "", notThere("readlink", name) }
func (empty) ReadDir(name string) ([]fs.DirEntry, error) { return nil, notThere("readdir", name) }
