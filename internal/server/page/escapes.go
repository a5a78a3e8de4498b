package page

import "strings"

// withoutEscapes drops the sequences by which programs colour a terminal, and what
// comes before a carriage return in a line, as a terminal shows it.
func withoutEscapes(text string) string {
	if !strings.ContainsAny(text, "\x1b\r") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != 0x1b {
			b.WriteByte(text[i])
			continue
		}
		i = endOfEscape(text, i)
	}
	lines := strings.Split(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = l[strings.LastIndexByte(strings.TrimSuffix(l, "\r"), '\r')+1:]
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\r", "")
}

// endOfEscape returns the last byte of the sequence that begins at i, by ECMA-48.
func endOfEscape(text string, i int) int {
	if i+1 >= len(text) {
		return i
	}
	switch text[i+1] {
	case '[': // up to a byte from @ to ~
		for j := i + 2; j < len(text); j++ {
			if text[j] >= 0x40 && text[j] <= 0x7e {
				return j
			}
		}
		return len(text) - 1
	case ']', 'P', '^', '_', 'X': // up to BEL or ESC \
		for j := i + 2; j < len(text); j++ {
			if text[j] == 7 {
				return j
			}
			if text[j] == 0x1b && j+1 < len(text) && text[j+1] == '\\' {
				return j + 1
			}
		}
		return len(text) - 1
	}
	return i + 1
}
