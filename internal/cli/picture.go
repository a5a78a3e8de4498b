package cli

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// pictureKind is a form of a result that is shown and not read.
type pictureKind struct {
	mime, extension string
}

// pictureKinds are those that there are, the best first.
var pictureKinds = []pictureKind{{"image/png", ".png"}, {"image/jpeg", ".jpg"}, {"application/pdf", ".pdf"}}

// pictures says where pictures go that a terminal cannot show.
type pictures struct {
	out   string
	saved int
}

// maxPictures bounds the names that are tried for a file.
const maxPictures = 10_000

// showPicture shows a picture, or puts it into a file. The bytes come from a cell:
// a terminal gets them encoded once more, with nothing between that it would obey.
func (c *cli) showPicture(kind pictureKind, encoded json.RawMessage, p *pictures) error {
	var content []byte
	if err := json.Unmarshal(encoded, &content); err != nil {
		return api.Errorf(api.BadOutput, "a result of type %s is not in base64", kind.mime)
	}
	if terminal(c.Out) != nil {
		if show := showing(os.Getenv, kind); show != nil {
			return show(c.Out, content)
		}
	}
	path, err := p.save(kind, content)
	if err != nil {
		return usage("a picture cannot be saved: %s", err).hint("name another directory with --out")
	}
	_, err = fmt.Fprintf(c.Err, "glovebox: saved %s\n", visible(path))
	return err
}

// save puts a picture into a file of its own.
func (p *pictures) save(kind pictureKind, content []byte) (path string, err error) {
	if err := os.MkdirAll(p.out, 0o777); err != nil {
		return "", err
	}
	for range maxPictures {
		p.saved++
		path = filepath.Join(p.out, fmt.Sprintf("picture-%d%s", p.saved, kind.extension))
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(content)
		return path, errors.Join(err, f.Close())
	}
	return "", fmt.Errorf("%s has %d pictures already", p.out, maxPictures)
}

// showing returns what shows a picture on the terminal of this environment, nil if
// it cannot.
func showing(getenv func(string) string, kind pictureKind) func(io.Writer, []byte) error {
	program := getenv("TERM_PROGRAM")
	switch {
	case getenv("TMUX") != "" || kind.extension == ".pdf":
		return nil
	case kind.mime == "image/png" && (getenv("KITTY_WINDOW_ID") != "" || getenv("TERM") == "xterm-kitty" || program == "ghostty"):
		return showKitty
	case program == "iTerm.app" || program == "WezTerm" || getenv("LC_TERMINAL") == "iTerm2":
		return showITerm
	}
	return nil
}

// kittyPiece is what the protocol of kitty takes at once, in bytes of base64.
const kittyPiece = 4096

// showKitty shows a PNG by the graphics protocol of kitty.
func showKitty(w io.Writer, content []byte) error {
	text := base64.StdEncoding.EncodeToString(content)
	var b strings.Builder
	head := "a=T,f=100,"
	for len(text) > 0 {
		piece := text[:min(len(text), kittyPiece)]
		text = text[len(piece):]
		more := 0
		if text != "" {
			more = 1
		}
		fmt.Fprintf(&b, "\x1b_G%sm=%d;%s\x1b\\", head, more, piece)
		head = ""
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}

// showITerm shows a picture by the protocol of iTerm2.
func showITerm(w io.Writer, content []byte) error {
	_, err := fmt.Fprintf(w, "\x1b]1337;File=inline=1;size=%d:%s\a\n", len(content), base64.StdEncoding.EncodeToString(content))
	return err
}
