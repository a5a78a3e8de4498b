package monty

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/glovebox-dev/glovebox/py"
)

// position is a SourceRange.
func position(n protowire.Number, p py.Place) []byte {
	if p.File == "" {
		return nil
	}
	return bytesOf(n, join(text(1, p.File), numberSet(2, uint64(p.Start)), numberSet(3, uint64(p.End))))
}
