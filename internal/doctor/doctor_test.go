package doctor

import (
	"errors"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestBrokenFinding(t *testing.T) {
	f := broken("secrets", api.Errorf(api.SecretUnreadable, "the key is open to others").WithHint("chmod"), false)
	if f.OK || f.Fatal || f.Remedy != "chmod" || f.Detail != "the key is open to others" {
		t.Errorf("finding = %+v", f)
	}
	if f := broken("images", errors.New("boom"), true); !f.Fatal || f.Remedy == "" {
		t.Errorf("finding = %+v", f)
	}
}

func TestInterruptedFinding(t *testing.T) {
	if f := interruptedFinding(2); f.OK || f.Fatal || !strings.Contains(f.Remedy, "glovebox resume") {
		t.Errorf("finding = %+v", f)
	}
}
