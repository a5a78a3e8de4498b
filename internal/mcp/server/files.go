package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

type fileReadArgs struct {
	sessionArgs
	Path   string `json:"path" jsonschema:"of the file; relative paths begin at the directory of the session"`
	Offset int64  `json:"offset,omitempty" jsonschema:"the byte to begin at"`
}

type fileWriteArgs struct {
	sessionArgs
	Path    string `json:"path" jsonschema:"of the file; directories above it are made"`
	Content string `json:"content" jsonschema:"what to write: text, or base64 with encoding"`
	Base64  bool   `json:"base64,omitempty" jsonschema:"content is base64 of any bytes"`
	Append  bool   `json:"append,omitempty" jsonschema:"add to the end of what is there"`
}

type fileListArgs struct {
	sessionArgs
	Path  string `json:"path,omitempty" jsonschema:"of the directory; empty is that of the session"`
	Depth int    `json:"depth,omitempty" jsonschema:"how many levels deep, at most 10; 0 is 1"`
}

func (s *Server) addFiles() {
	add(s, &mcp.Tool{
		Name: "file_read", Annotations: reads("Read a file of a session"),
		Description: "Read a file of a session (a kept sandbox): text in pages from offset on, images as images. It cannot read files of the user's machine.",
	}, s.fileRead)
	add(s, &mcp.Tool{
		Name: "file_write", Annotations: &mcp.ToolAnnotations{Title: "Write a file of a session", DestructiveHint: &yes, OpenWorldHint: &no},
		Description: "Write a file of a session (a kept sandbox), such as code or data; what was there is replaced. It cannot write files of the user's machine.",
	}, s.fileWrite)
	add(s, &mcp.Tool{
		Name: "file_list", Annotations: reads("List files of a session"),
		Description: "List a directory of a session (a kept sandbox).",
	}, s.fileList)
}

// fileContent is what a model sees of a file.
type fileContent struct {
	Path string `json:"path" jsonschema:"the absolute path"`
	Size int64  `json:"size" jsonschema:"bytes of the whole file"`
	Text string `json:"text,omitempty" jsonschema:"a page of it, if it is text"`
	Next int64  `json:"next,omitempty" jsonschema:"the offset of the next page, if there is one"`
	Type string `json:"type" jsonschema:"the type of its bytes"`

	image mcp.Content
}

func (v *fileContent) failed() bool { return false }

func (v *fileContent) content() []mcp.Content {
	switch {
	case v.image != nil:
		return []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("%s: %s, %d bytes", v.Path, v.Type, v.Size)}, v.image}
	case v.Text == "" && v.Size > 0:
		return []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("%s: %s, %d bytes, not shown; look at it with session_exec", v.Path, v.Type, v.Size)}}
	case v.Next > 0:
		return []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("%s\n[... of %d bytes; the next page is at offset %d ...]", v.Text, v.Size, v.Next)}}
	}
	return []mcp.Content{&mcp.TextContent{Text: v.Text}}
}

func (s *Server) fileRead(ctx context.Context, _ *mcp.CallToolRequest, a fileReadArgs) (*fileContent, error) {
	if a.Offset < 0 {
		return nil, api.Errorf(api.RequestInvalid, "offset is %d, expected 0 or more", a.Offset)
	}
	r, info, err := s.service.ReadFile(ctx, a.Session, a.Path, a.Offset, maxImage, api.FileOptions{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxImage))
	if err != nil {
		return nil, err
	}
	v := &fileContent{Path: info.Path, Size: info.Size, Type: http.DetectContentType(data)}
	switch part := data[:min(len(data), maxText)]; {
	case a.Offset == 0 && info.Size == int64(len(data)) && slices.Contains(imageTypes, v.Type):
		v.image = &mcp.ImageContent{Data: data, MIMEType: v.Type}
	case isText(part):
		v.Text, v.Next = page(data, 0)
		if read := int64(len(v.Text)); a.Offset+read < info.Size {
			v.Next = a.Offset + max(v.Next, read)
		}
	}
	return v, nil
}

// isText reports whether bytes are UTF-8, but for a character that is cut at the
// end, without those that no text has.
func isText(data []byte) bool {
	for cut := range min(utf8.UTFMax, len(data)+1) {
		if utf8.Valid(data[:len(data)-cut]) {
			return !bytes.ContainsRune(data, 0)
		}
	}
	return false
}

// fileInfo describes a file of a session.
type fileInfo struct {
	Path     string    `json:"path" jsonschema:"the absolute path"`
	Type     string    `json:"type" jsonschema:"file, dir, symlink or other"`
	Size     int64     `json:"size" jsonschema:"bytes"`
	Modified time.Time `json:"modified,omitzero" jsonschema:"when its content changed last"`
}

func fileInfoOf(i *api.FileInfo) fileInfo { return fileInfo{i.Path, i.Type, i.Size, i.Modified} }

func (v fileInfo) content() []mcp.Content { return asJSON(v) }
func (v fileInfo) failed() bool           { return false }

func (s *Server) fileWrite(ctx context.Context, _ *mcp.CallToolRequest, a fileWriteArgs) (fileInfo, error) {
	var content io.Reader = strings.NewReader(a.Content)
	if a.Base64 {
		content = base64.NewDecoder(base64.StdEncoding, content)
	}
	info, err := s.service.WriteFile(ctx, a.Session, a.Path, content, api.WriteOptions{Append: a.Append})
	if err != nil {
		return fileInfo{}, err
	}
	return fileInfoOf(info), nil
}

// fileList is a directory.
type fileList struct {
	Files []fileInfo `json:"files" jsonschema:"what is in the directory, by path"`
	Left  int        `json:"left,omitempty" jsonschema:"how many more there are"`
}

func (v fileList) failed() bool { return false }

func (v fileList) content() []mcp.Content {
	var b strings.Builder
	for _, f := range v.Files {
		fmt.Fprintf(&b, "%-7s %10d  %s\n", f.Type, f.Size, f.Path)
	}
	if v.Left > 0 {
		fmt.Fprintf(&b, "left out: %d more; list a directory below, or use find in session_exec\n", v.Left)
	}
	if b.Len() == 0 {
		b.WriteString("the directory is empty")
	}
	return []mcp.Content{&mcp.TextContent{Text: b.String()}}
}

// maxFiles is how many files of a directory are listed, and maxDepth how deep.
const (
	maxFiles = 200
	maxDepth = 10
)

func (s *Server) fileList(ctx context.Context, _ *mcp.CallToolRequest, a fileListArgs) (fileList, error) {
	if a.Path == "" {
		a.Path = "."
	}
	files, err := s.service.ListFiles(ctx, a.Session, a.Path, min(a.Depth, maxDepth), api.FileOptions{})
	if err != nil {
		return fileList{}, err
	}
	v := fileList{Files: []fileInfo{}, Left: max(0, len(files)-maxFiles)}
	for i := range files[:len(files)-v.Left] {
		v.Files = append(v.Files, fileInfoOf(&files[i]))
	}
	return v, nil
}
