//go:build linux

package cli

import (
	"context"
	"io"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
)

// promptAnswered does something when the prompt is there.
type promptAnswered struct {
	answer func()
	asked  strings.Builder
}

func (p *promptAnswered) Write(b []byte) (int, error) {
	if p.asked.Len() == 0 {
		p.answer()
	}
	return p.asked.Write(b)
}

// TestHiddenPrompt: a secret is read without being shown, an interruption ends
// the prompt immediately, and the terminal shows again what is typed.
func TestHiddenPrompt(t *testing.T) {
	for name, typed := range map[string]bool{"typed": true, "interrupted": false} {
		t.Run(name, func(t *testing.T) {
			terminal, master := openPair(t)
			defer terminal.Close()
			defer master.Close()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			prompt := &promptAnswered{answer: func() {
				if typed {
					_, _ = io.WriteString(master, "hush\n")
				} else {
					stop()
				}
			}}
			c := &cli{Streams: Streams{In: terminal, Err: prompt}}
			value, err := c.readSecret(ctx, "token")
			if typed && (string(value) != "hush" || err != nil) {
				t.Errorf("read %q, %v", value, err)
			}
			if !typed && api.AsError(err).Code != api.Canceled {
				t.Errorf("got %v", err)
			}
			if prompt.asked.String() != "Value of token: \n" {
				t.Errorf("asked %q", prompt.asked.String())
			}
			mode, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
			if err != nil || mode.Lflag&unix.ECHO == 0 {
				t.Errorf("the terminal does not show what is typed: %v", err)
			}
		})
	}
}

func TestSecretSetFromAFile(t *testing.T) {
	got := run(t, nil, "secret", "set", "x", "-f", "file")
	expect(t, got, printed{err: "glovebox: glovebox secret set has no -f\n  hint: read a file with: glovebox secret set NAME < FILE\n", status: exitUsage})
}

func TestMessagesOfFlags(t *testing.T) {
	for line, want := range map[string]string{
		"run -c x --cpu 500m":               `"500m" is not a number of cores above 0; write such as 0.5 or 2`,
		"run -c x --cpu 0":                  "is not a number of cores above 0",
		"run -c x --retries many":           `"many" is no number, or too large`,
		"run -c x -i x:Optional[str]=abc":   `written as JSON, in which a text has quotes: -i 'x="abc"'`,
		"run -c x -i x:list[float]=[1.0,a]": "expected",
	} {
		if got := run(t, &fakeService{}, strings.Fields(line)...); got.status == 0 || !strings.Contains(got.err, want) || strings.Contains(got.err, "strconv") {
			t.Errorf("%s: %s", line, got.err)
		}
	}
}
