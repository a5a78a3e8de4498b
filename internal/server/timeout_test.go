package server

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestSlowBodiesEndTheirConnection holds that what is left of a body is not
// waited for after the answer.
func TestSlowBodiesEndTheirConnection(t *testing.T) {
	if got := refusal(408, api.Errorf(api.RequestInvalid, "slow")).GetHeaders().Get("Connection"); got != "close" {
		t.Errorf("Connection is %q", got)
	}
}
