package e2b

import (
	"github.com/glovebox-dev/glovebox/api"
)

type pathRequest struct {
	Path string `json:"path"`
}

type entryAnswer struct {
	Entry *entryInfo `json:"entry"`
}

func (c *call) answerEntry(info *api.FileInfo, err error) (*entryAnswer, error) {
	if err != nil {
		return nil, err
	}
	return &entryAnswer{c.entry(info)}, nil
}

func (c *call) stat(in *pathRequest) (*entryAnswer, error) {
	return c.answerEntry(c.face.Sessions.StatFile(c.ctx(), c.session.ID, c.path(in.Path), c.options()))
}

// makeDir makes a directory. Where one is already, the error is another one than
// where a file is.
func (c *call) makeDir(in *pathRequest) (*entryAnswer, error) {
	info, err := c.face.Sessions.MakeDir(c.ctx(), c.session.ID, c.path(in.Path), c.options())
	if e, ok := api.FindError(err); !ok || e.Code != api.Conflict {
		return c.answerEntry(info, err)
	}
	there, err := c.face.Sessions.StatFile(c.ctx(), c.session.ID, c.path(in.Path), c.options())
	switch {
	case err != nil:
		return nil, err
	case there.Type != api.TypeDir:
		return nil, connectError{codeInvalidArgument, "path already exists but it is not a directory: " + there.Path}
	}
	return nil, connectError{codeAlreadyExists, "directory already exists: " + there.Path}
}

type moveRequest struct {
	Source      string `json:"source"`
	Destination string `json:"destination"`
}

func (c *call) move(in *moveRequest) (*entryAnswer, error) {
	return c.answerEntry(c.face.Sessions.MoveFile(c.ctx(), c.session.ID, c.path(in.Source), c.path(in.Destination), c.options()))
}

type listRequest struct {
	pathRequest
	Depth int `json:"depth"`
}

type entriesAnswer struct {
	Entries []*entryInfo `json:"entries,omitempty"`
}

func (c *call) listDir(in *listRequest) (*entriesAnswer, error) {
	infos, err := c.face.Sessions.ListFiles(c.ctx(), c.session.ID, c.path(in.Path), in.Depth, c.options())
	if err != nil {
		return nil, c.notADirectory(in.Path, err)
	}
	out := &entriesAnswer{Entries: make([]*entryInfo, len(infos))}
	for i := range infos {
		info := &infos[i]
		if info.Type == api.TypeSymlink { // E2B shows what it leads to
			if there, err := c.face.Sessions.StatFile(c.ctx(), c.session.ID, info.Path, c.options()); err == nil {
				there.Path = info.Path
				info = there
			}
		}
		out.Entries[i] = c.entry(info)
	}
	return out, nil
}

// notADirectory says of an error on a path that no directory is there, if it is so.
func (c *call) notADirectory(path string, err error) error {
	if isNotFound(err) {
		return err
	}
	info, wrong := c.face.Sessions.StatFile(c.ctx(), c.session.ID, c.path(path), c.options())
	if wrong == nil && info.Type != api.TypeDir {
		return connectError{codeInvalidArgument, "path is not a directory: " + info.Path}
	}
	return err
}

func (c *call) remove(in *pathRequest) (*none, error) {
	return &none{}, c.face.Sessions.RemoveFile(c.ctx(), c.session.ID, c.path(in.Path), c.options())
}
