package worker

import (
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
	"github.com/glovebox-dev/glovebox/value"
)

// needsFiles reports whether the function can only run where files can get: its
// signature or one of its inputs names files.
func needsFiles(s api.Signature, inputs value.Fields) bool {
	for _, p := range append(s.Inputs[:len(s.Inputs):len(s.Inputs)], s.Outputs...) {
		if p.Type.Files() {
			return true
		}
	}
	return inputs.HoldFiles()
}

// fileMode is how files get to a worker and back.
type fileMode int

const (
	noFiles fileMode = iota
	asPaths          // by paths of this host, which the worker sees
	asBlobs          // by the digests of their bytes, which it asks the server for
)

// fileModeOf returns the one that a worker asks for. Only a process of this host
// is believed that it sees the paths.
func fileModeOf(hello *wire.Message, peer Peer) fileMode {
	switch {
	case hello.Blobs:
		return asBlobs
	case hello.SharedFiles && peer.Local:
		return asPaths
	}
	return noFiles
}

// outgoing returns the inputs as the worker gets them: blobs have a name, and
// no path of this host.
func (m fileMode) outgoing(inputs value.Fields) (value.Fields, error) {
	if m != asBlobs {
		return inputs, nil
	}
	return inputs.MapFiles(withoutPath)
}

func withoutPath(_ string, file any) (any, error) {
	ref, _ := value.RefOf(file)
	if ref.SHA256 == "" {
		return nil, api.Errorf(api.Internal, "the file %.200q comes without the digest of its bytes", ref.Path)
	}
	ref.Path = filepath.Base(ref.Path)
	return ref.In(file), nil
}

// checkIncoming refuses files in the outputs of a worker that are not given in
// its way: a path would be read on this host.
func (m fileMode) checkIncoming(outputs map[string]any) error {
	for name, v := range outputs {
		for file := range value.Files(v) {
			if !m.admits(file) {
				return api.Errorf(api.BadOutput, "output %s names the file %.200q, expected %s", name, file.Path, m.expected()).
					WithDetails(api.Details{Field: name, Expected: m.expected(), Got: value.Shorten(file.Path, 200)})
			}
		}
	}
	return nil
}

func (m fileMode) admits(file value.FileRef) bool {
	switch m {
	case asPaths:
		return filepath.IsAbs(file.Path)
	case asBlobs:
		return !filepath.IsAbs(file.Path) && file.SHA256 != ""
	}
	return false
}

func (m fileMode) expected() string {
	switch m {
	case asPaths:
		return "an absolute path"
	case asBlobs:
		return "a name, and the sha256 of bytes that were uploaded"
	}
	return "a value without files, because the worker neither shares files with this host nor takes blobs"
}
