package box

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/regular"
)

// gitDir is the repository of a project. It stays here: its settings may hold
// credentials, and its hooks are programs of this host.
const gitDir = ".git"

// ignored are the patterns of a project, of all its .gitignore files that were
// read, those of a directory after those above it. The last that matches counts.
type ignored struct {
	patterns []pattern
	docker   bool            // the file is a .dockerignore, whose patterns begin at its directory
	dirs     map[string]bool // what was decided of directories, with those above them
}

// pattern is one line of a .gitignore, as gitignore(5) has it.
type pattern struct {
	below   string // the directory of the file; empty is the project's
	match   *regexp.Regexp
	dirOnly bool
	negated bool
}

const (
	maxIgnoreFile = 1 << 20 // bytes
	maxPatterns   = 10_000  // of all files together
)

// read adds the patterns of a file, which need not be there.
func (i *ignored) read(root *os.Root, name, below string) error {
	f, err := regular.Open(root, name)
	if errors.Is(err, fs.ErrNotExist) || notBelowFile(err) { // .git of a work tree is a file
		return nil
	}
	if err != nil {
		return unreadable(name, err)
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, maxIgnoreFile))
	for lines.Scan() {
		p, ok := i.parse(lines.Text())
		if !ok {
			continue
		}
		if p.below = below; len(i.patterns) == maxPatterns {
			return tooLarge(name, "patterns in all .gitignore files", maxPatterns)
		}
		i.patterns = append(i.patterns, p)
	}
	if err := lines.Err(); err != nil {
		return unreadable(name, err)
	}
	return nil
}

func (i *ignored) parse(line string) (p pattern, ok bool) {
	line = strings.TrimSuffix(line, "\r")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if strings.HasPrefix(line, "#") {
		return p, false
	}
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.dirOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return p, false
	}
	anywhere := ""
	if !i.docker && !strings.Contains(line, "/") {
		anywhere = "(?:.*/)?"
	}
	match, err := regexp.Compile("(?s)^" + anywhere + globExpression(bytewise(strings.TrimPrefix(line, "/"))) + "$")
	p.match = match
	return p, err == nil // git takes a pattern that is none for one that matches nothing
}

// bytewise makes each byte a character of its own, as git compares names.
func bytewise(s string) string {
	wide := make([]rune, len(s))
	for i := range len(s) {
		wide[i] = rune(s[i])
	}
	return string(wide)
}

// globExpression is the regular expression of a pattern.
func globExpression(glob string) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		rest := glob[i:]
		_, width := utf8.DecodeRuneInString(rest)
		switch {
		case strings.HasPrefix(rest, "**/") && (i == 0 || glob[i-1] == '/'):
			b.WriteString("(?:.*/)?")
			i += 2
		case rest == "**" && (i == 0 || glob[i-1] == '/'):
			b.WriteString(".*")
			i++
		case rest[0] == '*':
			b.WriteString("[^/]*")
		case rest[0] == '?':
			b.WriteString("[^/]")
		case rest[0] == '[':
			class, size := classExpression(rest)
			b.WriteString(class)
			i += size - 1
		case rest[0] == '\\' && len(rest) > 1:
			_, width = utf8.DecodeRuneInString(rest[1:])
			b.WriteString(regexp.QuoteMeta(rest[1 : 1+width]))
			i += width
		default:
			b.WriteString(regexp.QuoteMeta(rest[:width]))
			i += width - 1
		}
	}
	return b.String()
}

// classExpression is that of a class of characters, and how long it is.
func classExpression(rest string) (expression string, size int) {
	end := strings.IndexByte(rest[min(2, len(rest)):], ']') // a ] that comes first is a part of it
	if end < 0 {
		return "[^\\s\\S]", len(rest) // matches nothing
	}
	inside := rest[1 : end+2]
	negation := ""
	if strings.HasPrefix(inside, "!") || strings.HasPrefix(inside, "^") {
		inside, negation = inside[1:], "^/"
	}
	quoted := strings.NewReplacer("[", `\[`, "]", `\]`, "^", `\^`).Replace(inside)
	return "[" + negation + quoted + "]", end + 3
}

// file reports whether a file of the project is ignored, by itself or with a
// directory above it.
func (i *ignored) file(name string) bool {
	above := path.Dir(name)
	return above != "." && i.dir(above) || i.alone(name, false)
}

// maxDecided bounds what is kept of decisions: names may come from a cell.
const maxDecided = 100_000

// dir is the same of a directory.
func (i *ignored) dir(name string) bool {
	if known, ok := i.dirs[name]; ok {
		return known
	}
	above := path.Dir(name)
	decided := above != "." && i.dir(above) || i.alone(name, true)
	if i.dirs == nil {
		i.dirs = map[string]bool{}
	}
	if len(i.dirs) < maxDecided {
		i.dirs[name] = decided
	}
	return decided
}

// alone decides by the name alone.
func (i *ignored) alone(name string, dir bool) bool {
	for n := len(i.patterns) - 1; n >= 0; n-- {
		p := &i.patterns[n]
		if p.dirOnly && !dir {
			continue
		}
		inside := name
		if p.below != "" {
			below, ok := strings.CutPrefix(name, p.below+"/")
			if !ok {
				continue
			}
			inside = below
		}
		if p.match.MatchString(bytewise(inside)) {
			return !p.negated
		}
	}
	return false
}

// isGit reports whether a name is that of a repository, as some file system of a
// host may read it.
func isGit(name string) bool {
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune("\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u206a\u206b\u206c\u206d\u206e\u206f\ufeff", r) {
			return -1 // HFS+ does not see them
		}
		return r
	}, name)
	plain, _, _ = strings.Cut(strings.ToLower(plain), ":") // streams of NTFS
	plain = strings.TrimRight(plain, ". ")
	return plain == gitDir || strings.HasPrefix(plain, "git~")
}

func unreadable(name string, err error) error {
	return api.Errorf(api.RequestInvalid, "the project: %s cannot be read: %w", name, err).WithDetails(api.Details{Field: "project", Got: name})
}
