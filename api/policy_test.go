package api

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestCheckPolicy(t *testing.T) {
	for _, test := range []struct {
		task  Task
		field string // at fault; empty for none
	}{
		{Task{}, ""},
		{Task{Timeout: time.Second, Retries: maxRetries, Cache: CacheOverride}, ""},
		{Task{Timeout: -1}, "timeout"},
		{Task{Retries: -1}, "retries"},
		{Task{Retries: maxRetries + 1}, "retries"},
		{Task{Cache: "always"}, "cache"},
		{Task{Cache: CacheMode(strings.Repeat("x", 1<<20))}, "cache"},
	} {
		err := test.task.CheckPolicy()
		if test.field == "" {
			if err != nil {
				t.Errorf("%+v: %v", test.task, err)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Code != InvalidTask || e.Details.Field != test.field || len(e.Message) > 1000 {
			t.Errorf("error %.200v, want a short invalid_task of field %s", err, test.field)
		}
	}
}
