package api

import (
	"reflect"
	"strings"
	"testing"
)

// Every field of a task is either for all kinds or refused where it is not own.
func TestCheckForeign(t *testing.T) {
	all := []string{"name", "kind", "doc", "signature", "limits", "timeout_ns", "retries", "cache", "idempotent", "notify", "labels", "node_selector", "priority", "max_concurrent", "approval"}
	for _, f := range (&Task{}).ofSomeKinds() {
		all = append(all, f.name)
	}
	typ := reflect.TypeFor[Task]()
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if !strings.Contains(" "+strings.Join(all, " ")+" ", " "+name+" ") {
			t.Errorf("the field %s is in no list", name)
		}
	}
	task := &Task{Code: "1", StartsRuns: true}
	if err := task.CheckForeign("elsewhere", "code"); err == nil || AsError(err).Details.Field != "starts_runs" {
		t.Error(err)
	}
	if err := task.CheckForeign("elsewhere", "code", "starts_runs"); err != nil {
		t.Error(err)
	}
}
