package wire

import "encoding/base64"

// Text is a string of any bytes. JSON strings hold Unicode only, and argv and
// the environment are bytes, so it travels as base64.
type Text string

// MarshalText implements encoding.TextMarshaler.
func (t Text) MarshalText() ([]byte, error) {
	return base64.StdEncoding.AppendEncode(nil, []byte(t)), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Text) UnmarshalText(encoded []byte) error {
	plain, err := base64.StdEncoding.AppendDecode(nil, encoded)
	*t = Text(plain)
	return err
}

// Texts converts strings for the way.
func Texts(plain []string) []Text {
	texts := make([]Text, len(plain))
	for i, s := range plain {
		texts[i] = Text(s)
	}
	return texts
}

// Strings is the way back from Texts.
func Strings(texts []Text) []string {
	plain := make([]string, len(texts))
	for i, t := range texts {
		plain[i] = string(t)
	}
	return plain
}

// Hello is the first thing that a guest says.
type Hello struct {
	Version int `json:"version"`
}

// The kinds of channels of a run. The host opens exec, put and get; the guest dial.
const (
	KindExec = "exec"
	KindPut  = "put"
	KindGet  = "get"
	KindDial = "dial"
)

// Exec asks for a program to be run. Stream 0 of the channel carries its
// standard output, stream 1 its standard error, and the status is an Exit.
// Standard input is the file Stdin, or empty.
//
// With Control the program has two more descriptors: what the host sends on the
// channel can be read from 3, up to the end that the host gives it, and what is
// written to 4 is stream 2 of the channel.
type Exec struct {
	Argv   []Text `json:"argv"`
	Env    []Text `json:"env"`
	Dir    Text   `json:"dir"`
	Stdin  Text   `json:"stdin,omitempty"` // a path in the cell
	UID    int    `json:"uid"`
	GID    int    `json:"gid"`
	Groups []int  `json:"groups,omitempty"` // further ones
	NoFile uint64 `json:"nofile"`           // open files of a process
	NProc  uint64 `json:"nproc"`            // processes and threads of the program together

	Control bool `json:"control,omitempty"`
	// Direct, with Control, makes these two descriptors pipes to the host that
	// lead past the guest. There is one pair of them in a cell. The host ends its
	// direction of the channel when the control stream has ended; the guest
	// answers with the end of stream 2, after everything that the program has
	// written to its other outputs so far.
	Direct bool `json:"direct,omitempty"`
	// Launch, with Control, starts a program that waits for another Exec as its job
	// and becomes the command of that; see guest.Launch. Of this one, Argv, Env,
	// Dir and Stdin are not used.
	Launch bool `json:"launch,omitempty"`
}

// Exit is how a program ended.
type Exit struct {
	Code   int    `json:"code"`   // -1 when a signal ended it
	Signal int    `json:"signal"` // 0 when it exited
	Error  string `json:"error"`  // why it was not started; then Code is 126 or 127
	NoDir  bool   `json:"no_dir"` // it was not started because its directory is none
}

// Put asks for a tar to be extracted below Dir, which is created. The channel
// carries the tar towards the guest; the status is a Done.
type Put struct {
	Dir string `json:"dir"`
}

// Get asks for the entries Names below Dir as a tar. A missing name is left
// out. Only regular files and directories carry content: anything else is a
// header. The status is a Done.
type Get struct {
	Dir   string   `json:"dir"`
	Names []string `json:"names"`
	Bytes int64    `json:"bytes"` // the content of all files together
	Files int      `json:"files"` // files and directories together
}

// Done ends a put or a get.
type Done struct {
	Error string `json:"error,omitempty"`
	Limit string `json:"limit,omitempty"` // "bytes" or "files" if a limit of Get was passed, "path" if a path is too long to be read
	Size  int64  `json:"size,omitempty"`  // what it would have been at least
	Name  string `json:"name,omitempty"`  // which of the names of Get passed the limit
	Code  string `json:"code,omitempty"`  // what kind of error it is: one of the codes
	Field string `json:"field,omitempty"` // of the request, that is the reason
	Errno int    `json:"errno,omitempty"` // what Linux said
}

// The codes of Done are those of package api.
const (
	CodeNotFound       = "not_found"
	CodeConflict       = "conflict"
	CodeRequestInvalid = "request_invalid"
	CodeNoCommand      = "command_not_found"
	CodeLimit          = "limit_exceeded"
)

// Dial asks for a connection out of the cell. The channel is the connection.
type Dial struct{}
