package check

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/withheld"
	"github.com/glovebox-dev/glovebox/value"
)

func checkSecrets(t *api.Task) error {
	variables, files, held := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i, ref := range t.Secrets {
		field := fmt.Sprintf("secrets[%d]", i)
		if err := checkSecret(field, ref); err != nil {
			return err
		}
		if before, named := held[ref.Name]; named && before != ref.Withheld() {
			return api.WrongField(field+".hosts", value.Quote(ref.Name)+" once with hosts and once without", "the secret withheld everywhere in the task, or nowhere")
		}
		held[ref.Name] = ref.Withheld()
		if _, taken := t.Env[ref.Env]; taken || variables[ref.Env] {
			return api.WrongField(field+".env", value.Quote(ref.Env), "a variable that nothing else in the task sets")
		}
		if ref.Env != "" {
			variables[ref.Env] = true
			continue
		}
		if files[SecretFile(ref)] {
			return api.WrongField(field+".file", value.Quote(SecretFile(ref)), "a file that no other secret of the task has")
		}
		files[SecretFile(ref)] = true
	}
	return nil
}

func checkSecret(field string, ref api.SecretRef) error {
	if !api.ValidSecretName(ref.Name) {
		return api.WrongField(field+".name", value.Quote(ref.Name), "1 to 128 letters, digits, '_', '.' and '-'")
	}
	if err := withheld.Check(field, ref); err != nil {
		return err
	}
	if ref.Env != "" && ref.File != "" {
		return api.WrongField(field, "a variable and a file", "one of them; name the secret twice for both")
	}
	if ref.Env != "" {
		return checkSecretVariable(field+".env", ref.Env)
	}
	if err := api.CheckName(SecretFile(ref), false); err != nil {
		return api.WrongField(field+".file", value.Quote(SecretFile(ref)), "a file name")
	}
	return nil
}

// checkHosts refuses hosts of secrets that the network does not allow: a secret opens
// nothing.
func (h Host) checkHosts(t *api.Task) error {
	for i, ref := range t.Secrets {
		for j, host := range withheld.Networks(ref) {
			if err := h.Within(api.Network{Allow: []string{host}}, t.Network); err != nil {
				return api.WrongField(fmt.Sprintf("secrets[%d].hosts[%d]", i, j), value.Quote(ref.Hosts[j]), "a host that the network of the task allows").
					WithHint("add %s to the network, or name another host", host)
			}
		}
	}
	return nil
}

// KeyVariables returns the variables that a secret of a task sets beside its own, where
// the task does not set them.
func KeyVariables(t *api.Task, ref api.SecretRef) []string {
	return slices.DeleteFunc(withheld.Variables(ref), func(name string) bool {
		_, taken := t.Env[name]
		return taken || slices.ContainsFunc(t.Secrets, func(s api.SecretRef) bool { return s.Env == name })
	})
}

// checkSecretVariable is stricter than checkVariable. It refuses names that no
// program can read, and PATH: the author must have meant another name.
func checkSecretVariable(field, name string) error {
	if name == "PATH" {
		return api.WrongField(field, value.Quote(name), "another variable: this one says where programs are")
	}
	if !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(name) {
		return api.WrongField(field, value.Quote(name), "the name of a variable: letters, digits and '_', no digit first")
	}
	return nil
}

// SecretFile returns the name of the file in which a run finds a secret that is
// no variable.
func SecretFile(ref api.SecretRef) string {
	if ref.File != "" {
		return ref.File
	}
	return ref.Name
}
