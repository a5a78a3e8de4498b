package api

import "time"

// LiveCell is a cell in which a run or a session is now. Cells that are ready and wait
// are in WarmPool.
type LiveCell struct {
	Run       string        `json:"run,omitempty"`        // that is in it
	Session   string        `json:"session,omitempty"`    // that is in it, instead
	Task      string        `json:"task,omitempty"`       // the name of the task of the run
	Image     string        `json:"image"`                // the digest of its lock, "sha256:..."
	ImageName string        `json:"image_name,omitempty"` // for people
	Warm      bool          `json:"warm,omitempty"`       // it was started ahead
	Began     time.Time     `json:"began"`                // when the run or the session got it
	CPU       time.Duration `json:"cpu_ns"`               // of processors, that it has used
	Memory    int64         `json:"memory"`               // bytes that it holds now, with what isolates it
	Resources Resources     `json:"resources"`            // its limits
}
