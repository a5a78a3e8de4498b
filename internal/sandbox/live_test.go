package sandbox

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// TestLiveCells: a cell is listed with what it uses while its run is in it, and not
// any more when that has ended, however it did.
func TestLiveCells(t *testing.T) {
	for name, code := range map[string]int{"succeeds": 0, "fails": 3} {
		t.Run(name, func(t *testing.T) {
			var f *fixture
			var during []api.LiveCell
			f = newFixture(t, func(*fakeCell) (cell.Exit, error) {
				during = f.Cells()
				return cell.Exit{Code: code}, nil
			})
			task := &api.Task{Name: "counts", Command: []string{"wc"}}
			if _, err := f.run(t, task, nil); (err == nil) != (code == 0) {
				t.Fatal(err)
			}
			want := []api.LiveCell{{
				Run: "run-1", Task: "counts", Image: "sha256:abc", ImageName: testImage().Name, CPU: 5, Memory: 7, Resources: api.Resources{}.WithDefaults(),
			}}
			if diff := cmp.Diff(want, during, cmpopts.IgnoreFields(api.LiveCell{}, "Began")); diff != "" || during[0].Began.IsZero() {
				t.Errorf("while it runs (-want +got):\n%s", diff)
			}
			if after := f.Cells(); after != nil {
				t.Errorf("afterwards: %+v", after)
			}
		})
	}
}
