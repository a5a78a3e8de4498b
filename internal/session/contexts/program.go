package contexts

import "fmt"

// program returns the arguments of a shell that becomes an interpreter by a script,
// whose $0 is text, or says what the image lacks.
func program(needs, what, script, text string) []string {
	check := fmt.Sprintf("command -v %s >/dev/null || { echo 'the image has no %s' >&2; exit 127; }\n", needs, what)
	return []string{"sh", "-c", check + script, text}
}
