package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// versions are what version prints as JSON.
type versions struct {
	Version  string `json:"version"`
	GVisor   string `json:"gvisor"` // empty: no engine, only servers
	Go       string `json:"go"`
	Platform string `json:"platform"` // such as linux/amd64
}

func (c *cli) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: "Print the versions of the program, of gVisor and of Go", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := versions{c.version, c.engine.Isolation(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			if asJSON {
				return printJSON(c.Out, v)
			}
			_, err := fmt.Fprintf(c.Out, "glovebox %s\n%s\n%s %s\n", v.Version, isolation(v.GVisor), v.Go, v.Platform)
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// isolation says which gVisor a program has.
func isolation(version string) string {
	if version == "" {
		return "no gVisor: runs need a server, named by " + serverVariable
	}
	return "gVisor " + version
}
