package api

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/value"
)

// maxRetries is more than anybody means.
const maxRetries = 1000

// CheckPolicy reports what is wrong with the policies that tasks of all kinds
// have: timeout, retries, cache, notify, labels, node selector, priority and how many run at
// the same time. It returns invalid_task.
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
	if err := CheckPriority(t.Priority); err != nil {
		return err
	}
	if err := t.checkConcurrent(); err != nil {
		return err
	}
	return CheckNotify(t.Notify)
}

// maxConcurrent is more than there are slots anywhere.
const maxConcurrent = 1_000_000

func (t *Task) checkConcurrent() error {
	switch n := t.MaxConcurrent; {
	case n < 0 || n > maxConcurrent:
		return WrongField("max_concurrent", fmt.Sprint(n), fmt.Sprintf("1 to %d, or 0 for any number", maxConcurrent))
	case n > 0 && t.Name == "":
		return Errorf(InvalidTask, "max_concurrent is %d, and the task has no name by which its runs are counted", n).
			WithHint("give the task a name").WithDetails(Details{Field: "name", Expected: "a name"})
	}
	return nil
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
