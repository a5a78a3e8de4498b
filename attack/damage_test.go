package attack

import (
	"os"
	"testing"
)

// TestAttackD06_WriteToAnOutput: a path that was handed out is another name of
// what is kept, and root can write to it. The result that is kept is then of no
// use, and is made again.
func TestAttackD06_WriteToAnOutput(t *testing.T) {
	own := smallHome(t, "200m")
	args := []string{"run", "--json", "--cache", "auto", "-o", "f:File", "-c", "open('/var/outputs/f', 'w').write('as it was made')"}
	path := func() string {
		file, _ := in(t, own, args...).succeeds(t).result(t).Outputs["f"].(map[string]any)
		path, _ := file["path"].(string)
		if text, err := os.ReadFile(path); string(text) != "as it was made" {
			t.Fatalf("the output at %q is %q, %v", path, text, err)
		}
		return path
	}
	for _, write := range []func(path string) error{
		func(path string) error { return os.Truncate(path, 3) },
		func(path string) error { return os.WriteFile(path, []byte("AS IT WAS MADE"), 0) },
	} {
		if err := write(path()); err != nil {
			t.Fatal(err)
		}
		path()
	}
}
