package cli

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
)

func indexBlock(list ...scriptIndex) scriptBlock {
	var block scriptBlock
	block.Tool.UV.Index = list
	return block
}

func TestIndexesOfAScriptBlock(t *testing.T) {
	block := indexBlock(scriptIndex{"https://a.example", false}, scriptIndex{"https://b.example", true}, scriptIndex{"https://c.example", false})
	var spec api.ImageSpec
	block.indexes(&spec)
	if want := (api.ImageSpec{IndexURL: "https://b.example", ExtraIndexURLs: []string{"https://a.example", "https://c.example"}}); !reflect.DeepEqual(spec, want) {
		t.Errorf("got %+v, want %+v", spec, want)
	}
	given := api.ImageSpec{IndexURL: "https://flag.example"}
	if block.indexes(&given); given.IndexURL != "https://flag.example" || given.ExtraIndexURLs != nil {
		t.Errorf("the flags give %+v", given)
	}
}

func TestReadScriptBlock(t *testing.T) {
	tests := []struct {
		name, source string
		want         scriptBlock
	}{
		{"none", "print(1)\n", scriptBlock{}},
		{"both", "#!/usr/bin/env python3\n# /// script\n# requires-python = \">=3.11\"\n# dependencies = [\n#   \"numpy\",\n#   \"pandas>=2,<3\",\n# ]\n#\n# [tool.x]\n# y = 1\n# ///\nimport numpy\n",
			scriptBlock{Dependencies: []string{"numpy", "pandas>=2,<3"}, RequiresPython: ">=3.11"}},
		{"indexes of uv", "# /// script\n# [[tool.uv.index]]\n# url = \"https://a.example\"\n# [[tool.uv.index]]\n# url = \"https://b.example\"\n# default = true\n# ///\n",
			indexBlock(scriptIndex{"https://a.example", false}, scriptIndex{"https://b.example", true})},
		{"CRLF", "# /// script\r\n# dependencies = [\"a\"]\r\n# ///\r\n", scriptBlock{Dependencies: []string{"a"}}},
		{"never closed", "# /// script\n# dependencies = [\"a\"]\nx = 1\n# ///\n", scriptBlock{}},
		{"another type", "# /// pyproject\n# dependencies = [\"a\"]\n# ///\n", scriptBlock{}},
		{"indented", "  # /// script\n  # dependencies = [\"a\"]\n  # ///\n", scriptBlock{}},
		{"at the end without a newline", "x = 1\n# /// script\n# dependencies = [\"a\"]\n# ///", scriptBlock{Dependencies: []string{"a"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readScriptBlock(tt.source, "x.py")
			if diff := cmp.Diff(got, tt.want); diff != "" || err != nil {
				t.Errorf("error %v (-got +want):\n%s", err, diff)
			}
		})
	}
}

func TestReadScriptBlockErrors(t *testing.T) {
	block := "# /// script\n# dependencies = []\n# ///\n"
	for source, says := range map[string]string{
		block + "x = 1\n" + block:                           "two of them",
		"# /// script\n# dependencies = [\n# ///\n":         "x.py: ",
		"# /// script\n# dependencies = \"numpy\"\n# ///\n": "dependencies",
	} {
		_, err := readScriptBlock(source, "x.py")
		checkError(t, source, err, api.InvalidTask, says)
	}
}

// Packages that link gVisor cannot be built with the coverage of the fuzzer:
// some of its functions have no room on the stack for it. So these are
// properties over pieces of what the parsers look for.

func TestAnyScriptBlock(t *testing.T) {
	pieces := rapid.SampledFrom([]string{
		"# /// script", "# ///", "#", "# ", "#x", "# dependencies = [", "# \"a\"", "# ]", "# [tool.x]", "x = 1", "", "\r", "# a.b.c = {}",
	})
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.OneOf(pieces, rapid.String()), 0, 12).Draw(t, "lines")
		source := strings.Join(lines, "\n")
		block, err := readScriptBlock(source, "x.py")
		if err == nil && len(block.Dependencies) > 0 && !strings.Contains(source, "# /// script") {
			t.Errorf("dependencies %q out of nothing", block.Dependencies)
		}
		if err != nil && !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
			t.Errorf("readScriptBlock: %v", err)
		}
	})
}

func TestAnyPythonSpecifier(t *testing.T) {
	pieces := rapid.SampledFrom([]string{">=", "<", "==", "===", "~=", "!=", "3", "3.11", "3.12.1", "2.7", "4", ".*", ",", " ", "."})
	rapid.Check(t, func(t *rapid.T) {
		specifier := strings.Join(rapid.SliceOfN(rapid.OneOf(pieces, rapid.String()), 0, 8).Draw(t, "pieces"), "")
		version, err := pythonFor(specifier)
		if err == nil && version != "" && !strings.HasPrefix(version, "3.") {
			t.Errorf("pythonFor(%q) = %q", specifier, version)
		}
		if err != nil && !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
			t.Errorf("pythonFor(%q): %v", specifier, err)
		}
	})
}

func TestPythonFor(t *testing.T) {
	for specifier, want := range map[string]string{
		"": "", ">=3.8": "", ">=2.7": "", "!=2.7": "", "==3.*": "", "!=3": "", ">3": "", ">=3.11": "", ">= 3.9, < 4": "", ">=3": "", "~=3.9": "", "!=3.10.*": "", "!=3.11.2": "", ">=3.11.4": "",
		">=3.12": "3.13", ">3.11": "3.13", "<3.13": "3.11", "==3.12.*": "3.12", "==3.12": "3.12", "~=3.12.1": "3.12",
		"==3.12.4": "3.12.4", "===3.12.4": "3.12.4", ">=3.14": "3.14", "<3.11": "3.10", "<=3.11": "3.11", "<3.11.5": "3.11",
		">=3.12,!=3.13.*": "3.12", ">=3.9,<3.10": "3.9",
	} {
		got, err := pythonFor(specifier)
		if err != nil || got != want {
			t.Errorf("pythonFor(%q) = %q, %v; want %q", specifier, got, err, want)
		}
	}
	for _, bad := range []string{"3.11", "<3.8", ">=4", ">=3.x", "==3.*.1", ">=3.11.*", "<3", "!=3.*", "~=2.7", "==4.1", ">=3.12,<3.12", "=>3.11", ">=3.1.2.3", ">"} {
		got, err := pythonFor(bad)
		if err == nil {
			t.Errorf("pythonFor(%q) = %q; want an error", bad, got)
			continue
		}
		checkError(t, bad, err, api.InvalidTask, "requires-python")
	}
}
