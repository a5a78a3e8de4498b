package api

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/value"
)

// maxRetries is more than anybody means.
const maxRetries = 1000

// CheckPolicy reports what is wrong with the policies that tasks of all kinds
// have: timeout, retries, cache, notify, labels and node selector. It returns invalid_task.
func (t *Task) CheckPolicy() error {
	if t.Timeout < 0 {
		return WrongField("timeout", t.Timeout.String(), "a positive duration, or 0 for the default")
	}
	if t.Retries < 0 || t.Retries > maxRetries {
		return WrongField("retries", fmt.Sprint(t.Retries), fmt.Sprintf("0 to %d", maxRetries))
	}
	if err := t.Approval.Check(); err != nil {
		return err
	}
	if err := t.Cache.Check(); err != nil {
		return err
	}
	if err := RunLabels.Check(t.Labels); err != nil {
		return err
	}
	if err := NodeLabels.Check(t.NodeSelector); err != nil {
		return err
	}
	return CheckNotify(t.Notify)
}

// Check returns invalid_task for a mode that there is not.
func (m CacheMode) Check() error {
	switch m {
	case "", CacheAuto, CacheOverride, CacheDisable:
		return nil
	}
	return WrongField("cache", value.Quote(string(m)), `"auto", "override" or "disable"`)
}

// WrongField is the error of one field of a task.
func WrongField(field, got, expected string) *Error {
	return Errorf(InvalidTask, "%s is %s, expected %s", field, got, expected).
		WithDetails(Details{Field: field, Got: got, Expected: expected})
}
