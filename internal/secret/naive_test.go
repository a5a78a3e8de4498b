package secret

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

// shown is a byte that a part of a text stands for.
type shown struct {
	char       byte
	start, end int
}

// naive is the definition of what a redactor does: every word that can be read
// in the whole text, in any of the ways, is covered.
func naive(secrets [][]byte, text []byte) string {
	ways := []struct {
		least int
		read  [][]shown
	}{
		{minValue, readTokens(text, `(?s).`, nil)},
		{minEncoded, readHex(text)},
		{minEncoded, readBase64(text)},
		{minEncoded, readTokens(text, `(?s)%[0-9a-fA-F]{2}|[^%]`, func(s string) string { return unpercent(strings.ReplaceAll(s, "+", " ")) })},
		{minEncoded, readTokens(text, `(?s)%[0-9a-fA-F]{2}|[^%]`, unpercent)},
		{minEncoded, readTokens(text, `(?s)\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\["'\\/abfnrtv]|\\u[0-9a-fA-F]{0,3}|\\x[0-9a-fA-F]?|[^\\]`, unescape)},
	}
	hidden := make([]int, len(text)) // 1 where a secret begins or continues, 2 where one only begins
	for _, secret := range secrets {
		for _, word := range words(secret) {
			for _, way := range ways {
				for _, run := range way.read {
					if len(word) >= way.least {
						coverAll(hidden, run, word)
					}
				}
			}
		}
	}
	var out strings.Builder
	for i, c := range text {
		switch {
		case hidden[i] == 0:
			out.WriteByte(c)
		case hidden[i] == 2:
			out.WriteString(Marker)
		}
	}
	return out.String()
}

func coverAll(hidden []int, run []shown, word []byte) {
	for i := 0; i+len(word) <= len(run); i++ {
		same := true
		for j, c := range word {
			same = same && fold(run[i+j].char) == fold(c)
		}
		if same {
			cover(hidden, run[i].start, run[i+len(word)-1].end)
		}
	}
}

func cover(hidden []int, from, to int) {
	if hidden[from] == 0 {
		hidden[from] = 2
	}
	for i := from + 1; i < to; i++ {
		hidden[i] = 1
	}
}

// readTokens reads runs of tokens that follow each other.
func readTokens(text []byte, token string, decode func(string) string) [][]shown {
	runs := [][]shown{nil}
	end := 0
	// Latin-1, so that each byte is a character of the expression.
	latin := make([]rune, len(text))
	for i, c := range text {
		latin[i] = rune(c)
	}
	at := map[int]int{}
	position := 0
	for i, c := range latin {
		at[position] = i
		position += len(string(c))
	}
	at[position] = len(text)
	for _, m := range regexp.MustCompile(token).FindAllStringIndex(string(latin), -1) {
		from, to := at[m[0]], at[m[1]]
		if from != end {
			runs = append(runs, nil)
		}
		end = to
		bytes := string(text[from:to])
		if decode != nil {
			bytes = decode(bytes)
		}
		if bytes == "" {
			runs = append(runs, nil)
		}
		for _, c := range []byte(bytes) {
			runs[len(runs)-1] = append(runs[len(runs)-1], shown{c, from, to})
		}
	}
	return runs
}

func unpercent(s string) string {
	if s[0] != '%' {
		return s
	}
	n, _ := strconv.ParseUint(s[1:], 16, 8)
	return string([]byte{byte(n)})
}

func unescape(s string) string {
	switch {
	case s[0] != '\\':
		return s
	case len(s) == 12:
		return string(utf16.DecodeRune(rune(unit(s[2:6])), rune(unit(s[8:]))))
	case len(s) == 6 && utf16.IsSurrogate(rune(unit(s[2:]))):
		return ""
	case len(s) == 6:
		return string(rune(unit(s[2:])))
	case s[1] == 'x' && len(s) == 4:
		return string([]byte{byte(unit(s[2:]))})
	case s[1] != 'u' && s[1] != 'x':
		i := strings.IndexByte(`"'\/abfnrtv`, s[1])
		return "\"'\\/\a\b\f\n\r\t\v"[i : i+1]
	}
	return "" // no escape
}

func unit(digits string) uint64 {
	n, _ := strconv.ParseUint(digits, 16, 16)
	return n
}

// readHex reads pairs of digits from each digit on.
func readHex(text []byte) [][]shown {
	run := runs(text, "0123456789abcdefABCDEF", ":- ")
	var all [][]shown
	for i := range text {
		var read []shown
		for run[i] != 0 && i+1 < len(text) && run[i+1] == run[i] && bytes.IndexByte([]byte(":- \r\n"), text[i]) < 0 && bytes.IndexByte([]byte(":- \r\n"), text[i+1]) < 0 {
			read = append(read, shown{byte(unit(string(text[i : i+2]))), i, i + 2})
			i += 2
			for i < len(text) && run[i] == run[i-1] && bytes.IndexByte([]byte(":- \r\n"), text[i]) >= 0 {
				i++
			}
			if i == len(text) {
				break
			}
		}
		all = append(all, read)
	}
	return all
}

// readBase64 reads the characters of each run in each of their alignments.
func readBase64(text []byte) [][]shown {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	run := runs(text, alphabet+"+-/_", "")
	var all [][]shown
	for first := range text {
		if run[first] != first+1 {
			continue
		}
		var at []int
		for i := first; i < len(text) && run[i] == first+1; i++ {
			if text[i] != '\r' && text[i] != '\n' {
				at = append(at, i)
			}
		}
		for align := range 4 {
			var read []shown
			for n := 1; n < len(at); n++ {
				both := int(sextet[text[at[n-1]]])<<6 | int(sextet[text[at[n]]])
				switch (n + align) % 4 {
				case 1:
					read = append(read, shown{byte(both >> 4), at[n-1], at[n] + 1})
				case 2:
					read = append(read, shown{byte(both >> 2), at[n], at[n] + 1})
				case 3:
					read = append(read, shown{byte(both), at[n], at[n] + 1})
				}
			}
			all = append(all, read)
		}
	}
	return all
}

// runs returns for each byte 1 more than where its run began, or 0: characters
// of alphabet, and short gaps between them.
func runs(text []byte, alphabet, separators string) []int {
	run := make([]int, len(text))
	first, count, gap := -1, 0, 0
	for i, c := range text {
		newline := (c == '\r' || c == '\n') && count >= minLine
		switch {
		case strings.IndexByte(alphabet, c) >= 0:
			if first < 0 {
				first = i
			}
			count++
			gap = 0
		case first >= 0 && gap < maxGap && (newline || strings.IndexByte(separators, c) >= 0):
			gap++
		default:
			first, count, gap = -1, 0, 0
		}
		run[i] = first + 1
	}
	return run
}
