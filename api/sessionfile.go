package api

import (
	"context"
	"io"
	"iter"
	"time"
)

// SessionFiles reads and changes the files of sessions. A path that is not
// absolute starts at the directory of the session, and "~" is the home of the
// user. Links are followed within the cell, whose kernel alone resolves paths.
// A file that is not there is not_found.
type SessionFiles interface {
	// StatFile describes a file; of a link, what it leads to, with Link set.
	StatFile(ctx context.Context, session, path string, o FileOptions) (*FileInfo, error)
	// ListFiles lists a directory, depth levels deep (0 means 1), in the order of
	// their paths. Links are not followed.
	ListFiles(ctx context.Context, session, path string, depth int, o FileOptions) ([]FileInfo, error)
	// MakeDir makes a directory, and those above it. One that is there is a conflict.
	MakeDir(ctx context.Context, session, path string, o FileOptions) (*FileInfo, error)
	// MoveFile moves a file or a tree, and makes the directories above its new place.
	MoveFile(ctx context.Context, session, from, to string, o FileOptions) (*FileInfo, error)
	// RemoveFile removes a file or a tree. What is not there is removed already.
	RemoveFile(ctx context.Context, session, path string, o FileOptions) error
	// ReadFile returns the bytes of a regular file from an offset on, at most limit
	// of them unless that is 0, and describes it.
	ReadFile(ctx context.Context, session, path string, offset, limit int64, o FileOptions) (io.ReadCloser, *FileInfo, error)
	// WriteFile writes a file, and makes the directories above it. What was there
	// is replaced, unless o says to append.
	WriteFile(ctx context.Context, session, path string, content io.Reader, o WriteOptions) (*FileInfo, error)
	// WatchFiles yields changes in a directory. The first event is FilesWatched,
	// from which on none is missed. Where more happen than somebody listens to, an
	// event FilesOverflow says so.
	WatchFiles(ctx context.Context, session, path string, recursive bool, o FileOptions) iter.Seq2[FileEvent, error]
	// DownloadTree returns a file or a directory as a tar archive with paths
	// relative to it.
	DownloadTree(ctx context.Context, session, path string, o FileOptions) (io.ReadCloser, error)
	// UploadTree unpacks a tar archive in a directory, which is made if it must be.
	UploadTree(ctx context.Context, session, path string, archive io.Reader, o FileOptions) error
	// SessionUser looks a user of the cell up: its numbers and its home.
	SessionUser(ctx context.Context, session, name string) (*User, error)
}

// FileOptions say who looks at files.
type FileOptions struct {
	User  string `json:"user,omitempty"`  // whose rights count; empty means that of the session
	Owner string `json:"owner,omitempty"` // who owns what is new or written, and whose home "~" is; empty means User
}

// WriteOptions say how a file is written.
type WriteOptions struct {
	FileOptions
	Mode   uint32 `json:"mode,omitempty"` // permission bits of a new file; 0 means 0644
	Append bool   `json:"append,omitempty"`
	// Attributes replaces the extended attributes below user., if it is not nil.
	Attributes map[string]string `json:"attributes,omitempty"`
}

// The types of files.
const (
	TypeFile    = "file"
	TypeDir     = "dir"
	TypeSymlink = "symlink"
	TypeOther   = "other"
)

// FileInfo describes a file of a session.
type FileInfo struct {
	Path       string            `json:"path"`                               // absolute
	Type       string            `json:"type" enum:"file,dir,symlink,other"` // what it is
	Size       int64             `json:"size"`                               // bytes
	Mode       uint32            `json:"mode"`                               // permission bits, with setuid, setgid and sticky
	UID        int               `json:"uid"`                                // the number of its owner
	GID        int               `json:"gid"`                                // the number of its group
	Owner      string            `json:"owner"`                              // the name, or the number without one
	Group      string            `json:"group"`                              // the same of its group
	Modified   time.Time         `json:"modified"`                           // when its content changed last
	Link       string            `json:"link,omitempty"`                     // of a link: where it leads in the end, or what it says if that is not there
	Attributes map[string]string `json:"attributes,omitempty"`               // extended ones below user., without that prefix
}

// The types of FileEvent.
const (
	FilesWatched  = "watched"
	FileCreated   = "create"
	FileWritten   = "write"
	FileRemoved   = "remove"
	FileRenamed   = "rename"
	FileChmod     = "chmod"
	FilesOverflow = "overflow"
)

// FileEvent is a change in a watched directory.
type FileEvent struct {
	Type string    `json:"type" enum:"watched,create,write,remove,rename,chmod,overflow"` // what happened
	Path string    `json:"path,omitempty"`                                                // relative to the watched directory
	Info *FileInfo `json:"info,omitempty"`                                                // what is there now, if anything is
}

// User is a user of a cell.
type User struct {
	Name string `json:"name"` // in the list of users of the image
	UID  int    `json:"uid"`  // its number
	GID  int    `json:"gid"`  // the number of its group
	Home string `json:"home"` // the path of its directory
}
