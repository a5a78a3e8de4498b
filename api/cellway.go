package api

// How a program in a cell finds the engine, if its task starts runs: it asks
// the proxy of its cell, with CONNECT, for EngineHost at port 80, and speaks the
// HTTP API there.
const (
	EngineHost     = "engine.glovebox"
	EngineVariable = "GLOVEBOX_URL"   // http://engine.glovebox
	ProxyVariable  = "GLOVEBOX_PROXY" // the address of the proxy, such as http://127.0.0.1:3128
	RunVariable    = "GLOVEBOX_RUN"   // the id of the run that the program belongs to
)
