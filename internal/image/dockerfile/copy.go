package dockerfile

import (
	"path"
	"strings"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
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
	err := unsupported(c.Location(), "ADD", map[string]bool{
		"--exclude": len(c.ExcludePatterns) > 0, "--checksum": c.Checksum != "", "--keep-git-dir": c.KeepGitDir != nil,
	})
	if err != nil {
		return err
	}
	for _, source := range c.SourcePaths {
		if isURL(source) {
			return problem(c.Location(), "ADD of the URL %s is not supported", source).
				WithHint("fetch it with RUN, such as RUN curl -fsSLO %s", source)
		}
	}
	unpack := c.Unpack == nil || *c.Unpack
	st.do(c, c.String(), Step{Copy: st.copyOf(c.SourcesAndDest, Copy{Chown: c.Chown, Chmod: c.Chmod, Unpack: unpack})})
	return nil
}

// isURL knows what ADD fetches: files by HTTP, and git repositories.
func isURL(source string) bool {
	return strings.Contains(source, "://") || strings.HasPrefix(source, "git@")
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
