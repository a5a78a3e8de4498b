package s3

import (
	"crypto/rand"
	"path/filepath"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/blob/blobtest"
	"github.com/glovebox-dev/glovebox/internal/blob/file"
	"github.com/glovebox-dev/glovebox/internal/blob/s3/s3test"
)

// hasty are limits for stores that fail on purpose.
var hasty = limits{silence: time.Second, attempts: 6, backoff: 50 * time.Millisecond, part: 5 << 20}

// opened returns a store below a prefix, as another process of another home has it.
func opened(t *testing.T, server *s3test.Server, prefix, proxy string, at times) *Store {
	t.Helper()
	a, err := ParseAddress(server.Address(prefix, proxy))
	if err != nil {
		t.Fatal(err)
	}
	cached, err := file.Open(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	return open(a, cached, hasty, at)
}

func TestSuite(t *testing.T) {
	server := s3test.Start(t)
	blobtest.Run(t, func(t *testing.T) blob.Store { return opened(t, server, rand.Text(), "", usual) })
}
