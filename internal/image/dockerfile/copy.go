package dockerfile

import (
	"path"
	"strings"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"

	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

func (st *state) copy(c *instructions.CopyCommand) error {
	from, err := st.stage.source(c, c.From)
	if err != nil {
		return err
	}
	if err := unsupported(c.Location(), "COPY", map[string]bool{"--parents": c.Parents, "--exclude": len(c.ExcludePatterns) > 0}); err != nil {
		return err
	}
	for _, source := range c.SourcePaths {
		if isURL(source) {
			return problem(c.Location(), "COPY takes no URL, and %s is one", source)
		}
	}
	st.do(c, c.String(), Step{Copy: st.copyOf(c.SourcesAndDest, Copy{From: from, Chown: c.Chown, Chmod: c.Chmod})})
	return nil
}

func (st *state) add(c *instructions.AddCommand) error {
	err := unsupported(c.Location(), "ADD", map[string]bool{"--exclude": len(c.ExcludePatterns) > 0, "--keep-git-dir": c.KeepGitDir != nil})
	if err != nil {
		return err
	}
	fetches := false
	for _, source := range c.SourcePaths {
		if isGit(source) {
			return problem(c.Location(), "ADD of the git repository %s is not supported", source).
				WithHint("clone it with RUN git clone, or into the build context")
		}
		if isURL(source) && !isWeb(source) {
			return problem(c.Location(), "ADD of the URL %s is not supported", source).
				WithHint("name one that begins with https:// or http://")
		}
		fetches = fetches || isWeb(source)
	}
	if fetches && c.Unpack != nil && *c.Unpack {
		return problem(c.Location(), "ADD --unpack of a URL is not supported").WithHint("unpack it with RUN")
	}
	if err := checkChecksum(c); err != nil {
		return err
	}
	unpack := c.Unpack == nil || *c.Unpack
	st.do(c, c.String(), Step{Copy: st.copyOf(c.SourcesAndDest, Copy{Chown: c.Chown, Chmod: c.Chmod, Unpack: unpack, Checksum: c.Checksum})})
	return nil
}

var checksum = lazyregexp.New(`^sha256:[0-9a-f]{64}$`)

// checkChecksum refuses one that does not say what one file of the web is.
func checkChecksum(c *instructions.AddCommand) error {
	switch {
	case c.Checksum == "":
		return nil
	case !checksum().MatchString(c.Checksum):
		return problem(c.Location(), "ADD --checksum=%s is not sha256: and 64 digits from 0 to f", c.Checksum)
	case len(c.SourcePaths) != 1 || len(c.SourceContents) > 0 || !isWeb(c.SourcePaths[0]):
		return problem(c.Location(), "ADD --checksum needs one source, which is a URL")
	}
	return nil
}

// isWeb knows the URLs of files that ADD fetches.
func isWeb(source string) bool {
	return strings.HasPrefix(source, "https://") || strings.HasPrefix(source, "http://")
}

// isURL knows what is no path of the context.
func isURL(source string) bool {
	return strings.Contains(source, "://") || strings.HasPrefix(source, "git@")
}

// isGit knows the URLs that Docker takes for git repositories.
func isGit(source string) bool {
	place, _, _ := strings.Cut(source, "#")
	return strings.HasPrefix(source, "git@") || strings.HasPrefix(source, "git://") || isURL(source) && strings.HasSuffix(place, ".git")
}

func unsupported(location []parser.Range, name string, flags map[string]bool) error {
	for flag, used := range flags {
		if used {
			return problem(location, "%s %s is not supported", name, flag)
		}
	}
	return nil
}

// copyOf fills what COPY and ADD have in common into c.
func (st *state) copyOf(words instructions.SourcesAndDest, c Copy) *Copy {
	for _, source := range words.SourcePaths {
		if isWeb(source) {
			c.URLs = append(c.URLs, source)
			continue
		}
		c.Sources = append(c.Sources, path.Clean("/"+source))
	}
	for _, content := range words.SourceContents {
		c.Files = append(c.Files, File{Name: content.Path, Data: content.Data})
	}
	c.Dest = st.absolute(words.DestPath)
	last := path.Base(words.DestPath)
	if c.Dest != "/" && (strings.HasSuffix(words.DestPath, "/") || words.DestPath == "" || last == "." || last == "..") {
		c.Dest += "/"
	}
	return &c
}
