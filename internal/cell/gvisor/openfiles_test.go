package gvisor

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestOpenFiles(t *testing.T) {
	if err := filesSuffice(minOpenFiles); err != nil {
		t.Errorf("with just enough: %v", err)
	}
	e := api.AsError(filesSuffice(minOpenFiles - 1))
	if e == nil || e.Code != api.IsolationUnavailable || !strings.Contains(e.Message, "255 files") || !strings.Contains(e.Hint, "ulimit") {
		t.Errorf("with one less: %v", e)
	}
}
