package loopback

import "testing"

func TestIsHost(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "::ffff:127.0.0.1": true, "::1%lo": true,
		"": false, "localhost.": false, "localhost.example.com": false, "a.localhost": false, "127.0.0.1.example.com": false, "0127.0.0.1": false, "127.1": false,
		"2130706433": false, "0.0.0.0": false, "::": false, "::ffff:10.0.0.1": false, "10.0.0.1": false, "127.0.0.1:80": false, "[::1]": false,
	} {
		if got := IsHost(host); got != want {
			t.Errorf("IsHost(%q) is %v", host, got)
		}
	}
}
