package image

import (
	"context"
	_ "embed"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds on the search for a near name.
const (
	maxGuesses = 8
	guessTime  = 10 * time.Second
)

//go:embed popular.txt
var popularPackages string

// importNames maps names of modules that people take for names of packages.
func importNames() map[string]string {
	return map[string]string{
		"sklearn": "scikit-learn", "skimage": "scikit-image", "cv2": "opencv-python", "yaml": "pyyaml",
		"pil": "pillow", "bs4": "beautifulsoup4", "dateutil": "python-dateutil", "dotenv": "python-dotenv",
		"jwt": "pyjwt", "crypto": "pycryptodome", "serial": "pyserial", "usb": "pyusb", "git": "gitpython",
		"docx": "python-docx", "pptx": "python-pptx", "fitz": "pymupdf", "magic": "python-magic",
		"mysqldb": "mysqlclient", "openssl": "pyopenssl", "zmq": "pyzmq", "attr": "attrs",
		"discord": "discord-py", "telegram": "python-telegram-bot", "slugify": "python-slugify",
		"ldap": "python-ldap", "wx": "wxpython", "gi": "pygobject", "cairo": "pycairo",
		"osgeo": "gdal", "pkg-resources": "setuptools",
	}
}

// suggestPython adds to an error about an unknown Python package a near name
// that the index has.
func (b *build) suggestPython(ctx context.Context, e *api.Error) error {
	wrongName := e.Code == api.InvalidPackage && strings.Contains(e.Message, "does not exist")
	if _, known := importNames()[NormalizeName(e.Details.Package)]; !wrongName && !(known && e.Code == api.BuildFailed) {
		return e
	}
	ctx, cancel := context.WithTimeout(ctx, guessTime)
	defer cancel()
	for _, guess := range guesses(e.Details.Package) {
		if b.indexHas(ctx, guess) {
			e.Details.Suggestion = guess
			return e.WithHint("did you mean %s?", guess)
		}
	}
	return e
}

// guesses are likely spellings of what name was meant to be, the best first.
func guesses(name string) []string {
	name = NormalizeName(name)
	var out []string
	if known, ok := importNames()[name]; ok {
		out = append(out, known)
	}
	if best := value.Nearest(name, strings.Fields(popularPackages)); best != "" {
		out = append(out, best)
	}
	joined := strings.ReplaceAll(name, "-", "")
	out = append(out, joined, "python-"+name, "py"+name)
	for _, prefix := range []string{"python-", "python3-", "py-", "py"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			out = append(out, rest)
		}
	}
	seen := map[string]bool{name: true, "": true}
	out = slices.DeleteFunc(out, func(g string) bool {
		dup := seen[g]
		seen[g] = true
		return dup
	})
	return out[:min(len(out), maxGuesses)]
}

// indexHas asks the engine's index whether a package exists.
func (b *build) indexHas(ctx context.Context, name string) bool {
	idx := b.own.list[0]
	resp, err := b.s.request(ctx, http.MethodHead, idx, idx.url.JoinPath(name, "/"))
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// suggestSystem adds a near name that apt knows in the cell.
func (c *stepCell) suggestSystem(ctx context.Context, e *api.Error) error {
	if e.Code != api.InvalidPackage || strings.Contains(e.Message, "no such version") {
		return e
	}
	r, err := c.capture(ctx, nil, "/usr/bin/apt-cache", "pkgnames")
	if err != nil || r.Code != 0 {
		return e
	}
	if best := value.Nearest(e.Details.Package, strings.Fields(string(r.stdout))); best != "" && checkSystemPackage(best) == nil {
		e.Details.Suggestion = best
		return e.WithHint("did you mean %s?", best)
	}
	return e
}
