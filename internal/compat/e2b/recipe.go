package e2b

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// recipe is how a template is made, and how its sandboxes begin.
type recipe struct {
	Dockerfile string   `json:"dockerfile"`
	Files      []string `json:"files,omitempty"`   // hashes of what COPY takes
	Context    string   `json:"context,omitempty"` // the blob with all of them, once it was built
	User       string   `json:"user"`
	Dir        string   `json:"dir"`
	Start      string   `json:"start,omitempty"` // a command that runs in every sandbox
	Ready      string   `json:"ready,omitempty"` // a command that succeeds once it is up
}

// buildRequest is what a client wants built.
type buildRequest struct {
	FromImage    string          `json:"fromImage"`
	FromTemplate string          `json:"fromTemplate"`
	Registry     json.RawMessage `json:"fromImageRegistry"`
	Steps        []step          `json:"steps"`
	StartCmd     string          `json:"startCmd"`
	ReadyCmd     string          `json:"readyCmd"`
}

type step struct {
	Type      string   `json:"type"`
	Args      []string `json:"args"`
	FilesHash string   `json:"filesHash"`
}

// baseImage is the image below E2B's own template base.
const baseImage = "e2bdev/base"

// nameLoopback lets the steps of a build find servers that they start by name. Cells
// of sandboxes have the name anyway.
const nameLoopback = "grep -qs localhost /etc/hosts || echo '127.0.0.1 localhost' >>/etc/hosts"

// baseRecipe makes E2B's own template base.
func baseRecipe() recipe {
	return recipe{
		Dockerfile: "FROM debian:bookworm\nRUN apt-get update && apt-get install -y --no-install-recommends " + strings.Join(basePackages, " ") +
			" && rm -rf /var/lib/apt/lists/*\n" + runLine(makeUser+"\n"+nameLoopback) + "USER user\nWORKDIR " + templateHome + "\n",
		User: templateUser, Dir: templateHome,
	}
}

// ensureUser gives any image the user of E2B's templates, with what it has to make
// one.
const ensureUser = `id user >/dev/null 2>&1 || useradd --create-home --shell /bin/bash user || adduser -D user
mkdir -p /home/user && chown user /home/user
if test -d /etc/sudoers.d; then echo 'user ALL=(ALL:ALL) NOPASSWD: ALL' >/etc/sudoers.d/user; fi`

// imageRecipe makes a template of an image.
func imageRecipe(image string) (recipe, error) {
	if !imageName().MatchString(image) {
		return recipe{}, badRequest("fromImage is no name of an image")
	}
	if strings.TrimSuffix(image, ":latest") == baseImage {
		return baseRecipe(), nil
	}
	return recipe{
		Dockerfile: "FROM " + image + "\nUSER root\n" + runLine(ensureUser+"\n"+nameLoopback) + "USER user\nWORKDIR " + templateHome + "\n",
		User:       templateUser, Dir: templateHome,
	}, nil
}

var imageName = lazyregexp.New(`^[a-zA-Z0-9][a-zA-Z0-9._:/@-]*$`)

// with returns a recipe with further steps.
func (r recipe) with(in *buildRequest) (recipe, error) {
	text := &strings.Builder{}
	text.WriteString(r.Dockerfile)
	r.Context = "" // further files may come
	for i, s := range in.Steps {
		if err := r.add(text, s); err != nil {
			return r, badRequest("step " + strconv.Itoa(i+1) + ": " + err.Error())
		}
	}
	r.Dockerfile = text.String()
	if in.StartCmd != "" {
		r.Start, r.Ready = in.StartCmd, in.ReadyCmd
	}
	return r, nil
}

// add writes one step as lines of a Dockerfile.
func (r *recipe) add(text *strings.Builder, s step) error {
	arg := func(i int) string {
		if i < len(s.Args) {
			return s.Args[i]
		}
		return ""
	}
	switch s.Type {
	case "RUN":
		return r.run(text, arg(0), arg(1))
	case "ENV":
		return env(text, s.Args)
	case "WORKDIR":
		if !isWord(arg(0)) {
			return badRequest("WORKDIR has no path")
		}
		r.Dir = below(r.Dir, arg(0))
		text.WriteString("WORKDIR " + r.Dir + "\n")
	case "USER":
		if !isWord(arg(0)) {
			return badRequest("USER has no name")
		}
		r.User = arg(0)
		text.WriteString("USER " + r.User + "\n")
	case "COPY":
		return r.copy(text, s.FilesHash, arg(0), arg(1), arg(2), arg(3))
	default:
		return badRequest("there is no step " + s.Type)
	}
	return nil
}

// run writes a command, which a user of its own may run.
func (r *recipe) run(text *strings.Builder, command, user string) error {
	if command == "" || user != "" && !isWord(user) {
		return badRequest("RUN has no command, or no user")
	}
	if user != "" && user != r.User {
		text.WriteString("USER " + user + "\n")
		defer text.WriteString("USER " + r.User + "\n")
	}
	text.WriteString(runLine(command))
	return nil
}

// runLine writes a command of several lines as one, which no builder reads into.
func runLine(command string) string {
	return "RUN " + array("/bin/sh", "-c", "if test -x /bin/bash; then exec /bin/bash -l -c \"$0\"; else exec /bin/sh -l -c \"$0\"; fi", command) + "\n"
}

func array(words ...string) string {
	text, _ := json.Marshal(words) // strings always can be
	return string(text)
}

func env(text *strings.Builder, args []string) error {
	if len(args)%2 != 0 {
		return badRequest("ENV has a name without a value")
	}
	for i := 0; i < len(args); i += 2 {
		if !isWord(args[i]) || strings.ContainsAny(args[i+1], "\n\r") {
			return badRequest("ENV has a name or a value that is not on one line")
		}
		v := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(args[i+1])
		text.WriteString("ENV " + args[i] + `="` + v + "\"\n")
	}
	return nil
}

func (r *recipe) copy(text *strings.Builder, hash, from, to, user, mode string) error {
	if hash == "" || from == "" || to == "" {
		return badRequest("COPY has no files, or no place for them")
	}
	if user == "" {
		user = r.User
	}
	if !isWord(user) || mode != "" && !octal().MatchString(mode) {
		return badRequest("COPY has no user, or no mode")
	}
	r.Files = append(r.Files[:len(r.Files):len(r.Files)], hash)
	text.WriteString("COPY --chown=" + user)
	if mode != "" {
		text.WriteString(" --chmod=" + mode)
	}
	text.WriteString(" " + array(from, to) + "\n")
	return nil
}

var octal = lazyregexp.New(`^0?o?[0-7]{3,4}$`)

// isWord reports whether a text is one word of a line.
func isWord(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c == 0x7f })
}

// below is a path that begins at a directory if it is not absolute.
func below(dir, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(dir, name)
}
