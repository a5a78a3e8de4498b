package api_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestCheckPreload(t *testing.T) {
	auto := func(names ...string) api.Task { return api.Task{Code: "x = 1", Preload: names} }
	for name, c := range map[string]struct {
		task  api.Task
		field string // of the error; empty: none
	}{
		"none":           {api.Task{Command: []string{"x"}}, ""},
		"modules":        {auto("numpy", "xml.etree.ElementTree", "_thread", "größe"), ""},
		"verbatim":       {api.Task{Code: "x", Verbatim: true, Preload: []string{"json"}}, ""},
		"as many as may": {auto(slices.Repeat([]string{"json"}, 100)...), ""},
		"longest":        {auto(strings.Repeat("m", 255)), ""},
		"command":        {api.Task{Command: []string{"x"}, Preload: []string{"json"}}, "preload"},
		"entrypoint":     {api.Task{Image: api.ImageSpec{Ref: "r"}, Preload: []string{"json"}}, "preload"},
		"orchestrator":   {api.Task{Kind: api.KindOrchestrator, Code: "x", Preload: []string{"json"}}, "preload"},
		"too many":       {auto(slices.Repeat([]string{"json"}, 101)...), "preload"},
		"too long":       {auto(strings.Repeat("m", 256)), "preload[0]"},
		"empty":          {auto("json", ""), "preload[1]"},
		"relative":       {auto(".json"), "preload[0]"},
		"dot at the end": {auto("json."), "preload[0]"},
		"two dots":       {auto("a..b"), "preload[0]"},
		"path":           {auto("a/b"), "preload[0]"},
		"statement":      {auto("json; x"), "preload[0]"},
		"line":           {auto("json\n"), "preload[0]"},
		"option":         {auto("-m"), "preload[0]"},
		"version":        {auto("numpy>=2"), "preload[0]"},
		"digit":          {auto("3d"), "preload[0]"},
		"NUL":            {auto("a\x00"), "preload[0]"},
	} {
		t.Run(name, func(t *testing.T) { wantField(t, c.task.CheckPreload(), api.InvalidTask, c.field) })
	}
}

func wantField(t *testing.T, err error, code api.Code, field string) {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) {
		if err != nil || field != "" {
			t.Fatalf("got %v, want an error about %q", err, field)
		}
		return
	}
	if e.Code != code || e.Details.Field != field || e.Hint == "" {
		t.Errorf("got %s about %q with hint %q, want %s about %q: %v", e.Code, e.Details.Field, e.Hint, code, field, err)
	}
}

func TestCheckWarmRequest(t *testing.T) {
	task := &api.Task{Code: "x = 1"}
	for name, c := range map[string]struct {
		request api.WarmRequest
		code    api.Code
		field   string
	}{
		"task":         {api.WarmRequest{Task: task, Cells: 2}, "", ""},
		"name":         {api.WarmRequest{Name: "stats.add@2", Cells: 1000}, "", ""},
		"taken back":   {api.WarmRequest{Task: task}, "", ""},
		"neither":      {api.WarmRequest{Cells: 1}, api.RequestInvalid, "task"},
		"both":         {api.WarmRequest{Task: task, Name: "x", Cells: 1}, api.RequestInvalid, "task"},
		"negative":     {api.WarmRequest{Task: task, Cells: -1}, api.RequestInvalid, "cells"},
		"too many":     {api.WarmRequest{Task: task, Cells: 1001}, api.RequestInvalid, "cells"},
		"orchestrator": {api.WarmRequest{Task: &api.Task{Kind: api.KindOrchestrator}, Cells: 1}, api.InvalidTask, "kind"},
		"function":     {api.WarmRequest{Task: &api.Task{Kind: api.KindFunction}, Cells: 1}, api.InvalidTask, "kind"},
	} {
		t.Run(name, func(t *testing.T) { wantField(t, c.request.Check(), c.code, c.field) })
	}
}
