package cli

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

func (c *cli) e2bCommand() *cobra.Command {
	return group("e2b", "Use E2B's SDKs with a server", c.e2bEnvCommand())
}

// e2bEnvCommand prints what makes E2B's SDKs speak to the server that the
// environment names.
func (c *cli) e2bEnvCommand() *cobra.Command {
	return &cobra.Command{
		Use: "env", Short: "Print the variables with which E2B's SDKs use a server", Args: cobra.NoArgs,
		Long: "Print the variables with which E2B's SDKs use the server that " + serverVariable + "\n" +
			"names, with " + tokenVariable + " as their API key. docs/E2B.md says what there is.",
		Example: "  eval \"$(glovebox e2b env)\"",
		RunE: func(*cobra.Command, []string) error {
			address, key := strings.TrimSuffix(os.Getenv(serverVariable), "/"), os.Getenv(tokenVariable)
			if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" {
				return usage("%s is %q, expected http://127.0.0.1:PORT or https://HOST:PORT", serverVariable, address).
					hint("E2B's SDKs reach no Unix socket: start glovebox serve --listen 127.0.0.1:8700 --token-file FILE, and name it")
			}
			if key == "" {
				return usage("%s is not set", tokenVariable).hint("set it to the token of the server: it is the API key of the SDKs")
			}
			for _, v := range [][2]string{
				{"E2B_API_URL", address}, {"E2B_SANDBOX_URL", address}, {"E2B_API_KEY", key},
				{"E2B_VALIDATE_API_KEY", "false"}, // some releases take keys of E2B's own form alone
			} {
				if _, err := fmt.Fprintf(c.Out, "export %s=%s\n", v[0], shellQuoted(v[1])); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// shellQuoted writes a text as one word of a shell.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
