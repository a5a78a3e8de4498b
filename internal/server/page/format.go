package page

import (
	"fmt"
	"html/template"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// functions are what templates call.
var functions = template.FuncMap{
	"bytes":    size,
	"took":     took,
	"kept":     keptWords,
	"stamp":    stamp,
	"clock":    clock,
	"visible":  visible,
	"anyForms": func() []anyForm { return anyForms },
	"lines":    func(text string) bool { return strings.Contains(text, "\n") },
	"shorten":  value.Shorten,
	"statuses": func() []api.Status { return statuses },
	"kinds":    func() []api.TaskKind { return kinds },
	"count":    count,
	"money":    money,
	"plural":   plural,
	"mark":     mark,
	"labels":   labelLinks,
	"percent":  func(x float64) string { return fmt.Sprintf("%.1f%%", 100*x/axisWidth) },
	"slug":     func(text string) string { return strings.ReplaceAll(text, " ", "-") },
	"sentence": sentence,
	"join":     func(words []string) string { return strings.Join(words, ", ") },
	"dict":     dict,
	"base":     path.Base,
	"digest": func(d string) string {
		return strings.TrimPrefix(d, "sha256:")[:min(12, len(strings.TrimPrefix(d, "sha256:")))]
	},
}

var (
	statuses = []api.Status{api.StatusQueued, api.StatusRunning, api.StatusInterrupted, api.StatusSucceeded, api.StatusFailed, api.StatusCanceled}
	kinds    = api.Kinds()
)

// dict makes the argument of a template of several values.
func dict(pairs ...any) (map[string]any, error) {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("%v is no name", pairs[i])
		}
		m[name] = pairs[i+1]
	}
	return m, nil
}

// mark is what stands beside the colour of a status, for those who do not see it.
func mark(status any) string {
	switch fmt.Sprint(status) {
	case "succeeded", "delivered", "true":
		return "✓"
	case "failed", "false", "lost":
		return "✗"
	case "canceled", "ended":
		return "■"
	case "running", "starting", "resuming":
		return "▶"
	case "interrupted", "paused", "pausing":
		return "‖"
	}
	return "…"
}

// size writes bytes with a unit, in powers of 1024 as limits are given, in three digits.
func size(n int64) string {
	f, units := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for f >= 1023.5 && i < len(units)-1 {
		f, i = f/1024, i+1
	}
	if i == 0 || f >= 99.5 {
		return fmt.Sprintf("%.0f %s", f, units[i])
	}
	return fmt.Sprintf("%.3g %s", f, units[i])
}

// took writes a duration with three digits.
func took(d time.Duration) string {
	switch {
	case d < 0:
		return "0"
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(d.Microseconds())/1000)
	case d < time.Minute:
		return fmt.Sprintf("%.3g s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days %d h", int(d.Hours())/24, int(d.Hours())%24)
}

// stamp is a time for the attribute of an element, clock the same for people who have
// no script, which writes their local one.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// visible shows the characters of a text that would control a page or hide in it.
func visible(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\t':
			return c
		case c < 0x20:
			return '␀' + c
		case c == 0x7f:
			return '␡'
		case unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Cc, c): // such as those that turn the direction
			return '�'
		}
		return c
	}, text)
}

// runTook is how long a run took, or has been taking.
func runTook(run *api.Run, now time.Time) time.Duration {
	switch {
	case run.Timings.Total > 0 && run.Status.Ended():
		return run.Timings.Total
	case !run.Ended.IsZero():
		return run.Ended.Sub(run.Created)
	}
	return now.Sub(run.Created)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// count writes a number with its thousands apart.
func count(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}

// sentence begins a text with a capital, unless its first word is a name.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if word, _, _ := strings.Cut(text, " "); word == "" || strings.ContainsAny(word, "_./:") {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

func money(usd float64) string { return fmt.Sprintf("%.4f", usd) }
