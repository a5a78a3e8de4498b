package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// A program that connects without end leaves a file of a bounded size, with the newest
// connections of all processes that held its session.
func TestConnectionsAreBounded(t *testing.T) {
	c := &connections{path: filepath.Join(t.TempDir(), "dir", "s")}
	for i := range 3*maxConnections + 10 {
		if i == maxConnections/2 || i == 5*maxConnections/2 { // another process holds it now
			c.leave()
			c = &connections{path: c.path}
		}
		if err := c.add(api.Connection{Host: fmt.Sprint(i), Port: 443}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		list, err := c.newest()
		if err != nil || len(list) != maxConnections || list[0].Host != fmt.Sprint(2*maxConnections+10) || list[maxConnections-1].Host != fmt.Sprint(3*maxConnections+9) {
			t.Fatalf("%d, %v", len(list), err)
		}
		c = &connections{path: c.path}
	}
	if text, err := os.ReadFile(c.path); err != nil || bytes.Count(text, []byte("\n")) > 2*maxConnections {
		t.Errorf("%d lines, %v", bytes.Count(text, []byte("\n")), err)
	}
}

func TestConnectionThatACrashHasCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	if err := os.WriteFile(path, []byte(`{"host":"a.org","port":443}`+"\n"+`{"host":"b.or`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &connections{path: path}
	if err := c.add(api.Connection{Host: "c.org"}); err != nil {
		t.Fatal(err)
	}
	var hosts []string
	list, err := (&connections{path: path}).newest()
	for _, made := range list {
		hosts = append(hosts, made.Host)
	}
	if err != nil || strings.Join(hosts, " ") != "a.org c.org" {
		t.Errorf("%q, %v", hosts, err)
	}
}
