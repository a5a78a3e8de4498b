package realtest

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/servicetest"
)

// TestSuite judges real sessions by what every face is judged by.
func TestSuite(t *testing.T) {
	servicetest.RunSessions(t, func(t *testing.T) api.Sessions { return newHome(t).open() })
}
