package cli

import (
	"testing"
)

func TestE2BEnv(t *testing.T) {
	t.Setenv("GLOVEBOX_URL", "http://127.0.0.1:8700/")
	t.Setenv("GLOVEBOX_TOKEN", "it's secret")
	got := serviceCommand(t, &warmFake{}, "e2b", "env")
	want := "export E2B_API_URL='http://127.0.0.1:8700'\nexport E2B_SANDBOX_URL='http://127.0.0.1:8700'\nexport E2B_API_KEY='it'\\''s secret'\n" +
		"export E2B_VALIDATE_API_KEY='false'\n"
	if got.status != 0 || got.out != want {
		t.Errorf("status %d, %s%s", got.status, got.out, got.err)
	}
	for variable, value := range map[string]string{"GLOVEBOX_URL": "unix:///run/s.sock", "GLOVEBOX_TOKEN": ""} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, value)
			if got := serviceCommand(t, &warmFake{}, "e2b", "env"); got.status != 2 || got.out != "" {
				t.Errorf("status %d, %s%s", got.status, got.out, got.err)
			}
		})
	}
}
