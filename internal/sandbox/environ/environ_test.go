package environ

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestModelOfACell: a program that may ask a model finds it, and has a word in the place
// of the key (attack Q11).
func TestModelOfACell(t *testing.T) {
	task := &api.Task{Code: "x", Asks: &api.Asks{Model: api.Model{Key: "stored"}}}
	e := OfTask(nil, task, false)
	if e[api.ModelURLVariable] != "http://127.0.0.1:3128" || e[api.ModelKeyVariable] != api.ModelKeyInCell || e["HTTP_PROXY"] != "" {
		t.Error(e)
	}
	if e = OfTask(nil, &api.Task{Code: "x"}, false); e[api.ModelURLVariable] != "" || e[api.ModelKeyVariable] != "" {
		t.Error(e)
	}
}
