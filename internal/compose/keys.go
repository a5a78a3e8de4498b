package compose

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/yamlfile"
)

// keys are those of a mapping that have no place in a cell.
type keys struct {
	ignored string            // that change nothing of what a program finds
	refused map[string]string // hints, by several keys
}

var topLevel = keys{
	ignored: "name version",
	refused: map[string]string{
		"volumes":         mounts,
		"networks":        network,
		"secrets configs": secrets,
		"include models":  oneFile,
	},
}

var ofService = keys{
	ignored: "annotations container_name init labels logging restart stdin_open tty",
	refused: map[string]string{
		"volumes volumes_from tmpfs": mounts,
		"ports expose":               "reach a port of a session with glovebox session port, or Session.Dial in Go",
		"networks dns dns_opt dns_search domainname external_links extra_hosts hostname links mac_address": network,
		"secrets configs credential_spec":                   secrets,
		"depends_on extends profiles scale provider models": oneFile,
		"platform": "leave it out: images are those of the machine of the engine",
		"healthcheck develop post_start pre_start pre_stop use_api_socket label_file attach pull_policy pull_refresh_after stop_grace_period stop_signal":                                                                                                          "leave it out: nothing here does it",
		"blkio_config cpu_count cpu_percent cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpus cpuset deploy mem_limit mem_reservation mem_swappiness memswap_limit oom_kill_disable oom_score_adj pids_limit shm_size storage_opt sysctls ulimits": "leave it out, and give limits with --cpu and --memory, or as Resources",
		"cap_add cap_drop cgroup cgroup_parent device_cgroup_rules devices gpus group_add ipc isolation pid privileged read_only runtime security_opt userns_mode uts":                                                                                             "leave it out: the isolation of a cell is the same for all, and no file changes it",
	},
}

const (
	mounts  = "nothing of a host is mounted in a cell: COPY files in a Dockerfile, or give them to a run as inputs"
	network = "leave it out, and say with --network, or as Network, what the program reaches; by default nothing"
	secrets = "store secrets with glovebox secret set, and give them with --secret, or as Secrets"
	oneFile = "write out the one service that is to run here"
)

// supported reads a mapping without the keys that mean nothing here, and fails at
// one that has no place.
func (r *reader) supported(n yamlfile.Node, what string, no keys) []yamlfile.Pair {
	var out []yamlfile.Pair
	for _, p := range r.Pairs(n, what) {
		if strings.HasPrefix(p.Key, "x-") || hasWord(no.ignored, p.Key) {
			continue
		}
		for refused, hint := range no.refused {
			if hasWord(refused, p.Key) {
				r.Fail(p.At, "%s of %s has no place here", p.Key, what).WithHint("%s", hint)
				return nil
			}
		}
		out = append(out, p)
	}
	return out
}

func hasWord(list, word string) bool { return slices.Contains(strings.Fields(list), word) }
