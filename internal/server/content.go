package server

import (
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// contentOnly hides where a file of a result is on this host.
func contentOnly(file any) (any, error) {
	ref, _ := value.RefOf(file)
	ref.Path = lastElement(ref.Path)
	if ref.SHA256 == "" {
		return nil, api.Errorf(api.Internal, "the file %s of the result is not stored by its content", ref.Path)
	}
	return ref.In(file), nil
}
