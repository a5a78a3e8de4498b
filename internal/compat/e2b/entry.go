package e2b

import (
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// entryInfo is what is known of a file.
type entryInfo struct {
	Name          string            `json:"name"`
	Type          string            `json:"type"`
	Path          string            `json:"path"`
	Size          int64             `json:"size,string"`
	Mode          uint32            `json:"mode"`
	Permissions   string            `json:"permissions"`
	Owner         string            `json:"owner"`
	Group         string            `json:"group"`
	ModifiedTime  time.Time         `json:"modifiedTime"`
	SymlinkTarget string            `json:"symlinkTarget,omitempty"`
	Metadata      map[string]string `json:"metadata,omitempty"`
}

// The types of files.
const (
	typeUnknown = "FILE_TYPE_UNSPECIFIED"
	typeFile    = "FILE_TYPE_FILE"
	typeDir     = "FILE_TYPE_DIRECTORY"
	typeSymlink = "FILE_TYPE_SYMLINK"
)

// entry returns a file as the client of the call reads it. Old clients fail on
// fields that came later.
func (c *call) entry(info *api.FileInfo) *entryInfo {
	e := &entryInfo{
		Name: path.Base(info.Path), Type: typeOf(info.Type), Path: info.Path, Size: info.Size, Mode: info.Mode & uint32(fs.ModePerm),
		Permissions: permissions(info), Owner: info.Owner, Group: info.Group, ModifiedTime: info.Modified.UTC(),
	}
	if c.isOld() {
		return &entryInfo{Name: e.Name, Type: e.Type, Path: e.Path}
	}
	e.SymlinkTarget, e.Metadata = info.Link, metadataOfFile(info)
	return e
}

// isOld reports whether the client is one that fails on fields it does not know.
func (c *call) isOld() bool { return strings.HasPrefix(c.r.UserAgent(), "connect-python") }

func typeOf(t string) string {
	switch t {
	case api.TypeFile:
		return typeFile
	case api.TypeDir:
		return typeDir
	case api.TypeSymlink:
		return typeSymlink
	}
	return typeUnknown
}

// permissions writes the mode of a file as ls does.
func permissions(info *api.FileInfo) string {
	kind := fs.FileMode(0)
	switch {
	case info.Link != "" || info.Type == api.TypeSymlink:
		kind = fs.ModeSymlink
	case info.Type == api.TypeDir:
		kind = fs.ModeDir
	}
	return (kind | fs.FileMode(info.Mode)&fs.ModePerm).String()
}

// attributePrefix is in the names of attributes that are a client's metadata.
const attributePrefix = "e2b."

func metadataOfFile(info *api.FileInfo) map[string]string {
	var metadata map[string]string
	for name, v := range info.Attributes {
		if key, ok := strings.CutPrefix(name, attributePrefix); ok {
			if metadata == nil {
				metadata = map[string]string{}
			}
			metadata[key] = v
		}
	}
	return metadata
}
