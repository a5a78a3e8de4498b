package api

// WaitReason is why a run waits.
type WaitReason string

// The reasons.
const (
	WaitNode         WaitReason = "node"          // no node is there that takes runs
	WaitNodeSelector WaitReason = "node_selector" // no node that takes runs has the labels
	WaitMemory       WaitReason = "memory"        // none of these has so much memory
	WaitCPU          WaitReason = "cpu"           // none of these has so many cores
	WaitFreeMemory   WaitReason = "free_memory"   // none of these has so much memory free
	WaitLimit        WaitReason = "limit"         // as many of its task, or with its label, work as may
	WaitSlot         WaitReason = "slot"          // all slots are taken
	WaitImage        WaitReason = "image"         // its image is built or pulled
)

// Waiting says why nothing of a run is executed yet.
type Waiting struct {
	Reason  WaitReason `json:"reason" enum:"node,node_selector,memory,cpu,free_memory,limit,slot,image" doc:"what it waits for: a node, one with its labels, with its memory, with its cores, with so much memory free, others of its task or label to end, a slot, or its image"`
	Message string     `json:"message" doc:"the same, for people"`
	// Never says that no node that is there can ever hold the run. It waits all the
	// same, since others may come.
	Never bool `json:"never,omitempty" doc:"no node that is there can ever hold it; it waits all the same, since others may come"`
}
