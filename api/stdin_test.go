package api_test

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func TestCheckStdin(t *testing.T) {
	of := func(typ string, task api.Task) api.Task {
		parsed, err := value.ParseType(typ)
		if err != nil {
			t.Fatal(err)
		}
		task.Signature.Inputs, task.Stdin = []value.Param{{Name: "in", Type: parsed}}, "in"
		return task
	}
	command := api.Task{Command: []string{"cat"}}
	for name, c := range map[string]struct {
		task  api.Task
		field string // of the error; empty: none
	}{
		"none":         {api.Task{Code: "x"}, ""},
		"file":         {of("File", command), ""},
		"str":          {of("str", command), ""},
		"bytes":        {of("bytes", command), ""},
		"script":       {of("File", api.Task{Code: "x", Verbatim: true}), ""},
		"entrypoint":   {of("File", api.Task{Image: api.ImageSpec{Ref: "r"}}), ""},
		"int":          {of("int", command), "stdin"},
		"directory":    {of("Dir", command), "stdin"},
		"files":        {of("list[File]", command), "stdin"},
		"perhaps none": {of("Optional[File]", command), "stdin"},
		"code":         {of("File", api.Task{Code: "x"}), "stdin"},
		"orchestrator": {of("File", api.Task{Kind: api.KindOrchestrator, Code: "x"}), "stdin"},
		"no input":     {api.Task{Command: []string{"cat"}, Stdin: "in"}, "stdin"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.task.CheckStdin()
			wantField(t, err, api.InvalidTask, c.field)
		})
	}
}
