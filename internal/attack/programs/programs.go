// Package programs holds the programs in Python that attack the cell in which they
// run. The conformance suite of drivers executes them, and so do the attacks of
// glovebox doctor: there is one text of each.
package programs

import "embed"

//go:embed *.py
var files embed.FS

// Program attacks the cell that it runs in.
type Program struct {
	Code string
	Want string // what it prints where nothing gives way; empty too where that is a number
}

// The programs. Each file begins with what it tries.
var (
	RunnerBinary      = read("runner_binary", "") // takes the ids of processes
	KernelSettings    = read("kernel_settings", "")
	Mounts            = readCalls("mounts", "")
	Namespaces        = readCalls("namespaces", "")
	MountsOfRoot      = readCalls("mounts_of_root", "")
	SystemCalls       = readCalls("system_calls", "")
	Devices           = readCalls("devices", "")
	Clock             = readCalls("clock", "")
	Descriptors       = read("descriptors", "[]\n")
	HostFiles         = read("host_files", "[]\n")                  // takes further paths
	OtherEnvironments = read("other_environments", "False False\n") // finds the text of EnvironmentCanary
	Capabilities      = read("capabilities", "[] 0 1\n")
	NothingLeaves     = read("nothing_leaves", "fast\n")
	NoNames           = read("no_names", "")
	Loopback          = read("loopback", "")        // takes a port and addresses
	HostSockets       = read("host_sockets", "")    // takes the name of an abstract socket
	CountProcesses    = read("count_processes", "") // takes how many at most, and how many seconds they stay
	OpenFiles         = read("open_files", "")      // takes how many at most
	Fill              = read("fill", "")            // takes a directory, and MiB
	Heap              = read("heap", "")            // takes MiB
)

// EnvironmentCanary is what OtherEnvironments looks for: the value of a variable of
// the host.
const EnvironmentCanary = "host-environment-canary"

// Preamble gives a program raw system calls: call makes one, and denied prints what was
// not refused.
var Preamble = text("preamble.py")

func read(name, want string) Program { return Program{text(name + ".py"), want} }

func readCalls(name, want string) Program { return Program{Preamble + text(name+".py"), want} }

func text(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err) // embed has each of them, or the package does not build
	}
	return string(data)
}
