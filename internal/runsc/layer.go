package runsc

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
	"google.golang.org/protobuf/proto"
	"gvisor.dev/gvisor/pkg/bpf"
	"gvisor.dev/gvisor/pkg/hostarch"
	"gvisor.dev/gvisor/pkg/seccomp"
	"gvisor.dev/gvisor/pkg/sentry/fscheckpoint/fscheckpoint_proto_go_proto"
	"gvisor.dev/gvisor/pkg/sentry/pgalloc/pgalloc_metadata_go_proto"
	"gvisor.dev/gvisor/pkg/sentry/usage"
	"gvisor.dev/gvisor/runsc/boot"
	"gvisor.dev/gvisor/runsc/version"
)

// A Layer is the changed files that a cell begins with. GVisor calls it a checkpoint
// of file systems, and would read the content of files from Pages into the file
// behind the writable layer. Here the content is written to where it belongs by the
// host, which is much faster; so the index says that nothing is in Pages.
//
// All but Pages are streams, for which a sandbox waits while it starts. The content of
// a file must be in its place before anybody reads the file.
type Layer struct {
	Manifest *os.File
	Tree     *os.File // as the request Upper writes it
	Index    *os.File
	Pages    *os.File // the null device
}

func (l *Layer) list() []*os.File { return []*os.File{l.Manifest, l.Tree, l.Index, l.Pages} }

// PageSize is the unit of the file behind a writable layer, in bytes: pieces of files
// begin at a multiple of it, and take whole pages.
const PageSize = hostarch.PageSize

// chunkSize is in which steps gVisor makes the file behind a writable layer larger.
const chunkSize = 1 << 30

// chunks is how many of these steps so many bytes of content take.
func chunks(content uint64) uint64 { return (content + chunkSize - 1) / chunkSize }

// DescribeLayer returns what a sandbox reads from the streams Manifest and Index.
// The content, in bytes and whole pages, is at the beginning of the file behind the
// layer; the tree has so many bytes, and names each page of the content once.
func DescribeLayer(content, tree int64) (manifest, index []byte, err error) {
	if index, err = layerIndex(uint64(content)); err != nil {
		return nil, nil, fmt.Errorf("describing the pages of a layer: %w", err)
	}
	root := &fscheckpoint_proto_go_proto.ResourceID{ContainerName: onlyContainer, Path: "/"}
	manifest, err = proto.Marshal(&fscheckpoint_proto_go_proto.Manifest{
		Version: 1, RunscVersion: version.Version(), PageSize: PageSize, Endian: hostarch.EndianString(),
		MemoryFiles: []*fscheckpoint_proto_go_proto.MemoryFile{{ResourceId: root, PagesMetadataEnd: uint64(len(index))}},
		Tmpfs:       []*fscheckpoint_proto_go_proto.Tmpfs{{ResourceId: root, TarEnd: uint64(tree)}},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("describing a layer: %w", err)
	}
	return manifest, index, nil
}

// onlyContainer is what gVisor calls the first container that has no name.
const onlyContainer = "__no_name_0"

// layerIndex describes a file of pages whose first ones are in use, once each. None
// counts as written, so that none is read from elsewhere.
func layerIndex(content uint64) ([]byte, error) {
	size := chunks(content) * chunkSize
	all := []*pgalloc_metadata_go_proto.FileRangeProto{{End: math.MaxUint64}}
	index := &pgalloc_metadata_go_proto.MemoryFileMetadataProto{
		Version:      1,
		UnfreeSmall:  []*pgalloc_metadata_go_proto.UnfreeRangeProto{{Start: size, End: math.MaxUint64}},
		UnfreeHuge:   []*pgalloc_metadata_go_proto.UnfreeRangeProto{{End: math.MaxUint64}},
		UnwasteSmall: all, UnwasteHuge: all,
	}
	for range chunks(content) {
		index.Chunks = append(index.Chunks, &pgalloc_metadata_go_proto.ChunkInfoProto{})
	}
	if content > 0 {
		index.UnfreeSmall = append(index.UnfreeSmall, &pgalloc_metadata_go_proto.UnfreeRangeProto{End: content, Refs: 1})
		index.MemAcct = []*pgalloc_metadata_go_proto.MemAcctRangeProto{{End: content, Kind: uint32(usage.Tmpfs)}}
	}
	data, err := proto.Marshal(index)
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(data))), data...), err
}

// contentFilter makes the file behind the layer keep what the host writes to it while
// the sandbox starts: gVisor empties each file of pages before it uses it. Each is new,
// so that a system call which does nothing and returns no error is as good.
func contentFilter() []bpf.Instruction {
	filter, _, err := (&seccomp.Program{
		RuleSets: []seccomp.RuleSet{{
			Rules: seccomp.MakeSyscallRules(map[uintptr]seccomp.SyscallRule{
				unix.SYS_FTRUNCATE: seccomp.PerArg{seccomp.AnyValue{}, seccomp.EqualTo(0)},
			}),
			Action: seccomp.ReturnError.Code(0),
		}},
		Options: seccomp.ProgramOptions{DefaultAction: seccomp.Allow, BadArchAction: seccomp.Allow},
	}).Build()
	if err != nil {
		panic(fmt.Sprintf("compiling the filter of a layer: %v", err))
	}
	return filter
}

// hasLayer fails unless the cell has begun with the layer that it was given.
func (s *sandboxed) hasLayer() error {
	if err := s.client.Call(boot.ContMgrWaitFSRestore, &boot.WaitFSRestoreArgs{CID: s.id}, nil); err != nil {
		return fmt.Errorf("the changed files to begin with: %w", err)
	}
	return nil
}
