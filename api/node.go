package api

import (
	"context"
	"time"
)

// NodeState is what a node does.
type NodeState string

// The states of a node.
const (
	NodeActive   NodeState = "active"   // it takes runs
	NodeDraining NodeState = "draining" // it takes nothing new, and ends when what it holds has ended
	NodeLost     NodeState = "lost"     // its lease is over, and others take over what it held
)

// Node is one server process among several on the same journal.
type Node struct {
	ID      string    `json:"id" doc:"by which it holds runs; each lease has a new one"`
	Host    string    `json:"host,omitempty" doc:"name of its machine"`
	PID     int       `json:"pid,omitempty" doc:"of its process"`
	Version string    `json:"version,omitempty" doc:"of its program"`
	Address string    `json:"address,omitempty" doc:"where other nodes reach it: https://HOST:PORT, or what only its own machine reaches"`
	State   NodeState `json:"state" doc:"active, draining or lost"`
	Self    bool      `json:"self,omitempty" doc:"it is the one that answers"`
	Since   time.Time `json:"since" doc:"when it took its lease"`
	Seen    time.Time `json:"seen" doc:"when it last renewed its lease, by the clock of the database"`
	Runs    int       `json:"runs" doc:"how many runs it holds"`
	Room    int       `json:"room" doc:"how many more sandboxes it could execute when it was seen"`
	// Labels are what runs select it by.
	Labels     map[string]string `json:"labels,omitempty" doc:"what runs select it by"`
	CPU        float64           `json:"cpu,omitempty" doc:"cores of its machine"`
	Memory     int64             `json:"memory,omitempty" doc:"bytes that the sandboxes of its runs may ask for together"`
	FreeMemory int64             `json:"free_memory,omitempty" doc:"how many of them were not asked for when it was seen"`
	// Sessions counts those with a cell on the node.
	Sessions int `json:"sessions" doc:"how many sessions it holds"`
}

// Nodes are the servers that work on one journal.
type Nodes interface {
	// Nodes returns the nodes of the journal; one that is a file has one server at most.
	Nodes(ctx context.Context) ([]Node, error)
	// DrainNode asks a node to take nothing new, to hand over what it can, and to stop
	// when the rest has ended.
	DrainNode(ctx context.Context, id string) error
}
