package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/value"
)

func TestWithDigests(t *testing.T) {
	v := []any{value.File{Path: "/runs/a", SHA256: "other"}, value.Tuple{value.Dir{Path: "/runs/b", Files: 2}}, int64(1)}
	content := []any{value.File{Path: "a", Size: 1, SHA256: "1"}, value.Tuple{value.Dir{Path: "b", Size: 2, Files: 2, SHA256: "2"}}, int64(1)}
	want := []any{value.File{Path: "/runs/a", Size: 1, SHA256: "1"}, value.Tuple{value.Dir{Path: "/runs/b", Size: 2, Files: 2, SHA256: "2"}}, int64(1)}
	got, err := withDigests(v, content)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}
