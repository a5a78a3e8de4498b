package oci

import (
	"context"
	"io"
	"runtime"
	"time"
)

// Image is an image whose layers can be read: one that was opened, or one
// assembled from stored layers to be pushed.
type Image struct {
	Ref      string // as it was asked for; empty for an assembled image
	Digest   Digest // of the manifest of the chosen platform; empty until an assembled image is pushed
	Platform string // such as linux/amd64
	Config   Config
	Created  time.Time
	Layers   []Layer // the lowest first
}

// Config is what an image says about running it.
type Config struct {
	Entrypoint []string          `json:"entrypoint,omitempty"`
	Cmd        []string          `json:"cmd,omitempty"`
	Env        []string          `json:"env,omitempty"` // NAME=value
	WorkingDir string            `json:"working_dir,omitempty"`
	User       string            `json:"user,omitempty"`
	Labels     map[string]string `json:"labels,omitempty"`

	ExposedPorts map[string]struct{} `json:"exposed_ports,omitempty"` // such as 80/tcp
	Volumes      map[string]struct{} `json:"volumes,omitempty"`       // paths
	StopSignal   string              `json:"stop_signal,omitempty"`
	Healthcheck  *Healthcheck        `json:"healthcheck,omitempty"`
	Shell        []string            `json:"shell,omitempty"`    // of RUN, CMD and ENTRYPOINT in builds upon it
	OnBuild      []string            `json:"on_build,omitempty"` // instructions for builds upon it
}

// Healthcheck is how to find out that a container is well. Nothing here asks
// for it; it is kept for those that run the image elsewhere.
type Healthcheck struct {
	Test          []string      `json:"test,omitempty"` // NONE, CMD with words, or CMD-SHELL with a text
	Interval      time.Duration `json:"interval_ns,omitempty"`
	Timeout       time.Duration `json:"timeout_ns,omitempty"`
	StartPeriod   time.Duration `json:"start_period_ns,omitempty"`
	StartInterval time.Duration `json:"start_interval_ns,omitempty"` // not pushed: the registry client has no field for it
	Retries       int           `json:"retries,omitempty"`
}

// Layer is one layer of an image. Its bytes are checked against its digests
// while they are read, so a reader that went to io.EOF has seen the truth.
type Layer struct {
	Digest    Digest `json:"digest"`  // of the bytes as they are stored
	DiffID    Digest `json:"diff_id"` // of the tar in them
	Size      int64  `json:"size"`    // bytes as they are stored
	MediaType string `json:"media_type"`

	open func(ctx context.Context) (io.ReadCloser, error)
}

// HostPlatform is the platform of images that run here.
func HostPlatform() string { return "linux/" + runtime.GOARCH }

// Options says how to reach images. The zero value takes the platform of the
// host and the credentials of the user's docker configuration.
type Options struct {
	Platform string // such as linux/arm64; empty means HostPlatform
	Username string // with Password, goes before the user's docker configuration
	Password string
	// Progress hears how many bytes of the layers have been read or written, and
	// of how many. It may be called from several goroutines.
	Progress func(done, total int64)
}

// Limits bound what an image may hold. A zero field takes its default.
type Limits struct {
	Layers   int   // 256
	Entries  int   // of all layers together; 2 million
	Bytes    int64 // of the tars of all layers, and of the file made from them; 64 GiB
	Metadata int64 // bytes of names and link targets; 256 MiB
}

// WithDefaults returns l with every zero field set to its default.
func (l Limits) WithDefaults() Limits {
	if l.Layers == 0 {
		l.Layers = 256
	}
	if l.Entries == 0 {
		l.Entries = 2_000_000
	}
	if l.Bytes == 0 {
		l.Bytes = 64 << 30
	}
	if l.Metadata == 0 {
		l.Metadata = 256 << 20
	}
	return l
}
