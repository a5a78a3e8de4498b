package api

import "context"

// MCPTool is what a task of kind mcp has: a tool of a server of the Model Context
// Protocol. Its inputs are the arguments; one whose default is null is not sent if
// it is null. ListMCPTools makes such tasks.
type MCPTool struct {
	Server MCPServer `json:"server"`
	Tool   string    `json:"tool" required:"true"` // as the server names it
	// Arguments are what the server calls the inputs whose names it spells in
	// another way, since those of inputs are identifiers.
	Arguments map[string]string `json:"arguments,omitempty"`
	Answer    MCPAnswer         `json:"answer,omitempty" enum:"text,object,result"` // empty means text
}

// MCPAnswer says which part of an answer is the output of the task.
type MCPAnswer string

// The parts of answers.
const (
	MCPText   MCPAnswer = "text"   // its texts, with a line in place of everything else
	MCPObject MCPAnswer = "object" // its structured content
	MCPResult MCPAnswer = "result" // the field result of that, in which servers wrap what is no object
)

// MCPServer is a server of the Model Context Protocol, and how it is reached: at a
// URL, or as a program that speaks over its standard streams. The program runs in a
// session of its own.
type MCPServer struct {
	Name string `json:"name,omitempty"` // for people
	URL  string `json:"url,omitempty"`  // of streamable HTTP
	// Token is a stored secret that is sent to the URL as a bearer token. A redirect
	// never takes it along, since none is followed.
	Token   string            `json:"token,omitempty"`
	Command []string          `json:"command,omitempty"` // in place of a URL
	Env     map[string]string `json:"env,omitempty"`     // of the program
	Secrets []SecretRef       `json:"secrets,omitempty"` // of the program, as variables
	Image   ImageSpec         `json:"image,omitzero"`    // of the session
	Network Network           `json:"network,omitzero"`  // of the session
	// Host lets the URL lead to this machine and into private networks, or has the
	// Command run on it instead of in a session, without Image and Network. Only the user
	// of the machine may say so, and of a Command only to a process that was started with
	// GLOVEBOX_MCP_PROGRAMS=host.
	Host bool `json:"host,omitempty"`
}

// MCP knows the tools of servers of the Model Context Protocol.
type MCP interface {
	// ListMCPTools connects to a server and returns its tools as tasks of kind mcp,
	// whose names are identifiers.
	ListMCPTools(ctx context.Context, server MCPServer) ([]Task, error)
}
