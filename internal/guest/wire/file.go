package wire

// The kinds of channels about the files of a session, which the host opens. The
// rights of a user count, who also owns what is new.
const (
	KindStat     = "stat"
	KindListDir  = "listdir"
	KindMakeDir  = "mkdir"
	KindMove     = "move"
	KindRemove   = "remove"
	KindRead     = "read"
	KindWrite    = "write"
	KindDownload = "download"
	KindUpload   = "upload"
	KindUser     = "user"
)

// Path is a path as a user sees it: one that is not absolute starts at the home of
// the owner of what is made.
type Path struct {
	Path Text `json:"path"`
	As
}

// As is whose rights count.
type As struct {
	User  Text `json:"user"`            // a name or a number
	Home  Text `json:"home"`            // of a user that the cell has no entry of
	Owner Text `json:"owner,omitempty"` // who owns what is made or written; empty means the user
}

// ListDir asks for what is in a directory. The channel carries the JSON of one
// FileInfo after another; the status is a Done.
type ListDir struct {
	Path
	Depth int `json:"depth"`
	Max   int `json:"max"` // entries
}

// Move asks for a file or a tree to be renamed. The status is a FileDone.
type Move struct {
	Path
	To Text `json:"to"`
}

// Read asks for the bytes of a regular file: a RecordInfo, and then they
// themselves. The status is a Done.
type Read struct {
	Path
	Offset int64 `json:"offset,omitempty"`
	Limit  int64 `json:"limit,omitempty"` // 0 means none
}

// Write asks for what the channel carries to be written to a file. The status is
// a FileDone.
type Write struct {
	Path
	Mode       uint32          `json:"mode"`
	Append     bool            `json:"append,omitempty"`
	Replace    bool            `json:"replace,omitempty"` // the attributes, by these
	Attributes map[string]Text `json:"attributes,omitempty"`
}

// FileDone ends a request for one file.
type FileDone struct {
	Done
	Info *FileInfo `json:"info,omitempty"`
}

// FileInfo describes a file.
type FileInfo struct {
	Path       Text            `json:"path"`
	Type       string          `json:"type"`
	Size       int64           `json:"size"`
	Mode       uint32          `json:"mode"`
	UID        int             `json:"uid"`
	GID        int             `json:"gid"`
	Owner      Text            `json:"owner"`
	Group      Text            `json:"group"`
	Modified   int64           `json:"modified"` // nanoseconds since 1970
	Link       Text            `json:"link,omitempty"`
	Attributes map[string]Text `json:"attributes,omitempty"`
}

// The types of files.
const (
	TypeFile    = "file"
	TypeDir     = "dir"
	TypeSymlink = "symlink"
	TypeOther   = "other"
)

// UserDone ends a request for a user.
type UserDone struct {
	Done
	Name Text `json:"name"`
	UID  int  `json:"uid"`
	GID  int  `json:"gid"`
	Home Text `json:"home"`
}

// KindConnect is the kind of a channel that is a connection to a server in the
// cell. Its first data is a byte of stream 1, once it is connected; the status is
// a Done.
const KindConnect = "connect"

// Connect asks for a connection to a port of the loopback device of the cell.
type Connect struct {
	Port int `json:"port"`
}

// KindMetrics is the kind of a channel that asks for what a cell uses.
const KindMetrics = "metrics"

// Metrics asks what the cell uses. The status is a MetricsDone.
type Metrics struct{}

// MetricsDone is what a cell uses, as it sees it itself.
type MetricsDone struct {
	Done
	Disk      int64 `json:"disk"`   // bytes of its root file system
	Memory    int64 `json:"memory"` // bytes
	Processes int   `json:"processes"`
}

// KindWatch is the kind of a channel that watches a directory. It carries
// Records of the kind RecordEvent; the status is a Done.
const KindWatch = "watch"

// Watch asks for the changes in a directory.
type Watch struct {
	Path
	Recursive bool `json:"recursive,omitempty"`
}

// Event is a change in a watched directory, with the types of api.FileEvent.
type Event struct {
	Type string    `json:"type"`
	Path Text      `json:"path,omitempty"` // relative to the directory
	Info *FileInfo `json:"info,omitempty"`
}

// The types of events.
const (
	EventWatched  = "watched"
	EventCreate   = "create"
	EventWrite    = "write"
	EventRemove   = "remove"
	EventRename   = "rename"
	EventChmod    = "chmod"
	EventOverflow = "overflow"
)
