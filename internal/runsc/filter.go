package runsc

import (
	"bytes"
	"embed"
	"encoding/binary"
	"fmt"
	"runtime"

	"gvisor.dev/gvisor/pkg/bpf"
	"gvisor.dev/gvisor/pkg/seccomp"
	"gvisor.dev/gvisor/pkg/seccomp/precompiledseccomp"
	"gvisor.dev/gvisor/pkg/sentry/platform"
	"gvisor.dev/gvisor/pkg/sentry/platform/systrap"
	"gvisor.dev/gvisor/runsc/boot/filter/config"
)

// filters holds the filter of a sandbox's system calls as gVisor compiles it,
// a file for each architecture. Compiling takes 10 ms of processor time, and
// what comes out is the same in every sandbox. The test of this file compares
// it with gVisor's, and with -update writes it.
//
//go:embed filters
var filters embed.FS

// priorityVariable is what gVisor calls the one value that differs between
// sandboxes: the scheduling priority that the threads of programs get, one
// below that of the sandbox. In the saved filter anyPriority stands for it.
const (
	priorityVariable = "systrap_sysmsg_thread_priority"
	anyPriority      = 0x5eed0001_5eed0002
)

// savedFilter returns the filter for this architecture and this process, if
// there is one. Without it gVisor compiles and installs its own.
func savedFilter() ([]bpf.Instruction, bool) {
	data, err := filters.ReadFile("filters/" + runtime.GOARCH + ".bpf")
	if err != nil || len(data) == 0 {
		return nil, false
	}
	filter := make([]bpf.Instruction, len(data)/binary.Size(bpf.Instruction{}))
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, filter); err != nil {
		return nil, false
	}
	return withPriority(filter, systrapInfo().Variables().GetUint64(priorityVariable)), true
}

func systrapInfo() platform.SeccompInfo { return (*systrap.Systrap)(nil).SeccompInfo() }

// withPriority puts a priority in.
func withPriority(filter []bpf.Instruction, priority uint64) []bpf.Instruction {
	for i := range filter {
		switch filter[i].K {
		case anyPriority >> 32:
			filter[i].K = uint32(priority >> 32)
		case anyPriority & 0xffffffff:
			filter[i].K = uint32(priority)
		}
	}
	return filter
}

// compileFilter does what gVisor does when it starts the program of a cell,
// with the settings of newConfig. The filter names the process by the number
// that it has in its own namespace, and gVisor's control server by fdServer.
func compileFilter(info platform.SeccompInfo) ([]bpf.Instruction, error) {
	options := config.Options{Platform: info, ControllerFD: fdServer}
	allow, deny := config.Rules(options)
	program := &seccomp.Program{
		RuleSets: []seccomp.RuleSet{{Rules: deny}, {Rules: allow, Action: seccomp.Allow}},
		Options:  config.SeccompOptions(options),
	}
	instructions, _, err := program.Build()
	if err != nil {
		return nil, fmt.Errorf("compiling the filter of system calls: %w", err)
	}
	return instructions, nil
}

// prioritized is what gVisor knows of its platform, at another priority.
type prioritized struct {
	platform.SeccompInfo
	priority uint64
}

// Variables implements platform.SeccompInfo.
func (p prioritized) Variables() precompiledseccomp.Values {
	values := precompiledseccomp.Values{}
	values.SetUint64(priorityVariable, p.priority)
	return values
}
