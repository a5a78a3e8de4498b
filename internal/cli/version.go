package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/internal/app"
)

func (c *cli) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the versions of the program, of gVisor and of Go", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(c.Out, "glovebox %s\ngVisor %s\n%s %s/%s\n",
				c.version, app.IsolationVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
