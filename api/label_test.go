package api

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLabelRules(t *testing.T) {
	many := map[string]string{}
	for i := range RunLabels.Labels + 1 {
		many[fmt.Sprint("n", i)] = ""
	}
	full := map[string]string{"n": strings.Repeat("x", RunLabels.Bytes-1)}
	for what, test := range map[string]struct {
		labels        map[string]string
		run, sessions bool // whether each may have them
	}{
		"none":               {nil, true, true},
		"plain":              {map[string]string{"user": "ada", "git.example/sha": "a b=c", "ü": ""}, true, true},
		"the most":           {full, true, true},
		"too many":           {many, false, true},
		"a byte more":        {map[string]string{"nn": full["n"]}, false, true},
		"far too long":       {map[string]string{"n": strings.Repeat("x", SessionLabels.Bytes)}, false, false},
		"no name":            {map[string]string{"": "x"}, false, false},
		"no UTF-8":           {map[string]string{"n": "\xff"}, false, false},
		"an = in the name":   {map[string]string{"a=b": "x"}, false, true},
		"a line more":        {map[string]string{"a": "x\ny"}, false, true},
		"a control":          {map[string]string{"a\x1b[31m": "x"}, false, true},
		"a turned direction": {map[string]string{"a": "\u202ex"}, false, true},
		"space around":       {map[string]string{"a": " x"}, false, true},
	} {
		for rule, allowed := range map[*LabelRule]bool{&RunLabels: test.run, &SessionLabels: test.sessions} {
			err := rule.Check(test.labels)
			var e *Error
			if (err == nil) != allowed || err != nil && (!errors.As(err, &e) || e.Code != InvalidTask || e.Details.Field != "labels" || e.Details.Expected == "") {
				t.Errorf("%s by %+v: %v", what, *rule, err)
			}
		}
	}
}

func TestParseLabels(t *testing.T) {
	got, err := ParseLabels("label", []string{"b=2", "a=x=y", "c=", "b=2"})
	if diff := cmp.Diff(map[string]string{"a": "x=y", "b": "2", "c": ""}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff([]string{"a=x=y", "b=2", "c="}, LabelTexts(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, texts := range [][]string{{"a"}, {"=x"}, {""}, {"a=1", "a=2"}} {
		_, err := ParseLabels("label", texts)
		if e := AsError(err); e == nil || e.Code != RequestInvalid || e.Details.Field != "label" {
			t.Errorf("%q: %v", texts, err)
		}
	}
}

func TestJoinLabels(t *testing.T) {
	if all := JoinLabels(nil, map[string]string{}); all != nil {
		t.Errorf("of none: %v", all)
	}
	task := map[string]string{"team": "data", "tier": "1"}
	if diff := cmp.Diff(map[string]string{"team": "data", "tier": "2"}, JoinLabels(task, map[string]string{"tier": "2"})); diff != "" || task["tier"] != "1" {
		t.Errorf("task %v (-want +got):\n%s", task, diff)
	}
}
