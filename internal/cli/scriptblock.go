package cli

import (
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/glovebox-dev/glovebox/api"
)

// scriptBlock is what a Python file says about itself in a "# /// script"
// block (PEP 723, inline script metadata).
type scriptBlock struct {
	Dependencies   []string `toml:"dependencies"`
	RequiresPython string   `toml:"requires-python"`
	Tool           struct {
		UV struct {
			Index []scriptIndex `toml:"index"`
		} `toml:"uv"`
	} `toml:"tool"`
}

// scriptIndex is a package index of [[tool.uv.index]], where uv has it.
type scriptIndex struct {
	URL     string `toml:"url"`
	Default bool   `toml:"default"`
}

// indexes takes those of the block into spec, unless that has its own.
func (b scriptBlock) indexes(spec *api.ImageSpec) {
	if spec.IndexURL != "" || len(spec.ExtraIndexURLs) > 0 {
		return
	}
	for _, index := range b.Tool.UV.Index {
		if index.Default {
			spec.IndexURL = index.URL
		} else {
			spec.ExtraIndexURLs = append(spec.ExtraIndexURLs, index.URL)
		}
	}
}

// readScriptBlock reads the block of source; file names it in errors, which
// are invalid_task. Without a block the answer is zero.
func readScriptBlock(source, file string) (scriptBlock, error) {
	text, err := blockText(source)
	if err != nil {
		return scriptBlock{}, blockError(file, err.Error())
	}
	var block scriptBlock
	if _, err := toml.Decode(text, &block); err != nil {
		message, _, _ := strings.Cut(err.Error(), "\n")
		return scriptBlock{}, blockError(file, message)
	}
	return block, nil
}

func blockError(file, problem string) error {
	return api.Errorf(api.InvalidTask, "%s: the \"# /// script\" block cannot be read: %s", file, problem).
		WithHint("see PEP 723 for its form; every line of it begins with \"# \"").
		WithDetails(api.Details{Field: "script block", Expected: "TOML with dependencies and requires-python", Got: problem})
}

// blockText returns the content of the script block, without its comment signs.
// As the PEP says, a block ends at the last "# ///" of its run of comments, one
// that is never closed is no block, and two are an error.
func blockText(source string) (string, error) {
	lines := strings.Split(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
	found, text := false, ""
	for i := 0; i < len(lines); i++ {
		if lines[i] != "# /// script" {
			continue
		}
		content, n := closedBlock(lines[i+1:])
		if n == 0 {
			continue
		}
		if found {
			return "", usage("there are two of them")
		}
		found, text, i = true, content, i+n
	}
	return text, nil
}

// closedBlock returns the content up to the closing line and how many lines
// that is with it; 0 if there is no closing line.
func closedBlock(lines []string) (content string, n int) {
	var plain []string
	for i, line := range lines {
		if line == "# ///" {
			content, n = strings.Join(plain, "\n"), i+1
		}
		switch {
		case line == "#":
			plain = append(plain, "")
		case strings.HasPrefix(line, "# "):
			plain = append(plain, line[2:])
		default:
			return content, n
		}
	}
	return content, n
}
