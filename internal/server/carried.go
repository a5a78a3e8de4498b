package server

import (
	"context"
	"sync"
)

// portKey is a port of a session.
type portKey struct {
	session string
	port    int
}

// carried are the requests to open ports that are under way.
type carried struct {
	mu      sync.Mutex
	last    int
	cancels map[portKey]map[int]context.CancelFunc
}

// add notes a request until the function that it returns is called.
func (c *carried) add(key portKey, cancel context.CancelFunc) (remove func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	id := c.last
	if c.cancels == nil {
		c.cancels = map[portKey]map[int]context.CancelFunc{}
	}
	if c.cancels[key] == nil {
		c.cancels[key] = map[int]context.CancelFunc{}
	}
	c.cancels[key][id] = cancel
	return func() {
		cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		if delete(c.cancels[key], id); len(c.cancels[key]) == 0 {
			delete(c.cancels, key)
		}
	}
}

// end ends the requests to a port.
func (c *carried) end(key portKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cancel := range c.cancels[key] {
		cancel()
	}
}
