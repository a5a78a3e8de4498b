package machine

import (
	"github.com/glovebox-dev/glovebox/value"
)

// class is File, Dir or DataFrame.
func (h *handle) class() *Class {
	switch h.ref.(type) {
	case value.Dir:
		return dirType
	case value.DataFrame:
		return frameType
	}
	return fileType
}
