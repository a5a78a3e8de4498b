package unidata

import "strings"

// The syllables of Hangul are computed: from their parts, and their names from
// the names of those.
const (
	hangulName  = "HANGUL"
	hangulTitle = "HANGUL SYLLABLE "
	hangulFirst = 0xac00
	hangulLast  = 0xd7a3
	leadFirst   = 0x1100
	vowelFirst  = 0x1161
	tailFirst   = 0x11a7 // stands for no tail
	vowelCount  = 21
	tailCount   = 28
)

var (
	leads  = strings.Split("G GG N D DD R M B BB S SS  J JJ C K T P H", " ")
	vowels = strings.Split("A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I", " ")
	tails  = strings.Split(" G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H", " ")
)

func hangulSyllable(r rune) string {
	n := int(r - hangulFirst)
	return hangulTitle + leads[n/(vowelCount*tailCount)] + vowels[n/tailCount%vowelCount] + tails[n%tailCount]
}

func hangulNamed(name string) (rune, bool) {
	if !strings.HasPrefix(name, hangulTitle) {
		return 0, false
	}
	for r := rune(hangulFirst); r <= hangulLast; r++ {
		if hangulSyllable(r) == name {
			return r, true
		}
	}
	return 0, false
}

// hangulParts takes a syllable apart.
func hangulParts(r rune) ([]rune, bool) {
	if r < hangulFirst || r > hangulLast {
		return nil, false
	}
	n := r - hangulFirst
	parts := []rune{leadFirst + n/(vowelCount*tailCount), vowelFirst + n/tailCount%vowelCount}
	if tail := n % tailCount; tail != 0 {
		parts = append(parts, tailFirst+tail)
	}
	return parts, true
}

// hangulPair puts a lead and a vowel, or a syllable and a tail, together.
func hangulPair(a, b rune) (rune, bool) {
	lead, vowel := a-leadFirst, b-vowelFirst
	if lead >= 0 && int(lead) < len(leads) && vowel >= 0 && vowel < vowelCount {
		return hangulFirst + (lead*vowelCount+vowel)*tailCount, true
	}
	open := a >= hangulFirst && a <= hangulLast && (a-hangulFirst)%tailCount == 0
	if open && b > tailFirst && b < tailFirst+tailCount {
		return a + b - tailFirst, true
	}
	return 0, false
}
