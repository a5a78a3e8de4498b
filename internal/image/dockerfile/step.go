package dockerfile

// Step is something to be done to the files of a stage. One of Run, Copy and
// Mkdir is set.
type Step struct {
	Line  int
	Text  string // as it is written
	Run   *Run
	Copy  *Copy
	Mkdir *Mkdir
}

// Run runs a program.
type Run struct {
	Argv   []string
	Env    []string // all variables that the Dockerfile gives it
	Dir    string
	User   string
	Script *File // a program that comes with it, which Argv[0] names
	// NoNetwork is --network=none.
	NoNetwork bool
	Mounts    []Mount
}

// File is a file whose text is in the Dockerfile.
type File struct {
	Name string
	Data string
}

// ScriptDir is where the program of a heredoc is while it runs.
const ScriptDir = "/run/glovebox/pipes"

// MountKind says what a mount shows.
type MountKind string

// The kinds of mounts.
const (
	MountBind   MountKind = "bind"
	MountCache  MountKind = "cache"
	MountTmpfs  MountKind = "tmpfs"
	MountSecret MountKind = "secret"
)

// Mount is what a program of a build sees beside the files of its stage.
type Mount struct {
	Kind     MountKind
	From     Source // of a bind; the zero Source is the context
	Source   string // the path in From
	Target   string // absolute and clean; empty for a secret that is a variable only
	ID       string // of a cache or a secret
	Required bool   // of a secret
	Env      string // the variable of a secret
	UID, GID int
	Mode     int64 // of a secret, or of the directory of a cache
}

// Copy puts files into a stage.
type Copy struct {
	From    Source   // the zero Source is the context
	Sources []string // paths in From, with wildcards
	Files   []File   // whose text is in the Dockerfile
	URLs    []string // of files that are fetched
	Dest    string   // absolute; a slash at the end means a directory
	Chown   string
	Chmod   string
	Unpack  bool // archives among the sources
	// Checksum is "sha256:..." of the file of the one URL, or empty.
	Checksum string
}

// Mkdir makes a directory, with its parents, for a user.
type Mkdir struct {
	Path string
	User string
}
