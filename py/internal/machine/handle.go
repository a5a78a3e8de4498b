package machine

import "github.com/glovebox-dev/glovebox/api"

// class is File, Dir or DataFrame.
func (h *handle) class() *class {
	switch h.ref.(type) {
	case api.Dir:
		return dirType
	case api.DataFrame:
		return frameType
	}
	return fileType
}
