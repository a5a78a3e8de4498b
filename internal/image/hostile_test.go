package image

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// counted counts how often an image is asked for something.
type counted struct {
	fstest.MapFS
	asked *int
}

func (c counted) Lstat(name string) (fs.FileInfo, error) {
	*c.asked++
	return c.MapFS.Lstat(name)
}

func TestLookingForPythonIsBounded(t *testing.T) {
	deep := strings.Repeat("a/", maxPath)
	for name, path := range map[string]string{
		"many directories": strings.Repeat("/x:", 1<<20),
		"a long path":      "/" + strings.Repeat("a/", 1<<20),
		"long links":       strings.Repeat("/l/x:", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			root := counted{fstest.MapFS{"l": {Data: []byte(deep[:maxPath-1]), Mode: fs.ModeSymlink | 0o777}}, &asked}
			if python, _ := findPython(root, []string{"PATH=" + path}); python != "" {
				t.Errorf("found %s", python)
			}
			if limit := 2 * maxPathDirs * maxLinks * 4; asked > limit {
				t.Errorf("the image was asked %d times, more than %d", asked, limit)
			}
		})
	}
}

func TestSourcesOfAptAreBounded(t *testing.T) {
	root := fstest.MapFS{"lines": {Data: []byte(strings.Repeat("deb http://a.example/ x\n", 10_000))}}
	for i := range 4 * maxAptFiles {
		root[fmt.Sprintf("etc/apt/sources.list.d/%d.list", i)] = &fstest.MapFile{Data: []byte("../../../lines"), Mode: fs.ModeSymlink | 0o777}
	}
	asked := 0
	if got := len(aptSources(counted{root, &asked})); got != maxAptSources {
		t.Errorf("%d sources are kept, want %d", got, maxAptSources)
	}
	if limit := 16 * maxAptFiles; asked > limit {
		t.Errorf("the image was asked %d times, more than %d", asked, limit)
	}
}

func TestMirrorsThatNoPolicyCanNameAreLeftOut(t *testing.T) {
	var last []string
	s := fakeService(t, t.TempDir(), &fakeCells{})
	s.config.Egress = func(n api.Network, _ func(api.Connection)) (func(context.Context, net.Conn), error) {
		for _, host := range n.Allow {
			if strings.HasPrefix(host, "10.") {
				return nil, errors.New("an address")
			}
		}
		last = n.Allow
		return nil, nil
	}
	b := &build{s: s, info: rootInfo{Mirrors: []string{"10.0.0.1", "a.example"}}}
	if _, err := b.reach(kindPython).serve(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.example", fileHost}, last); diff != "" {
		t.Error(diff)
	}
}
