// Pulumi's Kubernetes provider, of the pinned module. The module carries its schema as files without a version, of which
// the release makes embedded ones; here they lie beside the program.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version"
)

func main() {
	program, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	read := func(name string) string {
		content, err := os.ReadFile(filepath.Join(filepath.Dir(program), name))
		if err != nil {
			log.Fatal(err)
		}
		return string(content)
	}
	versioned := strings.Replace(read("schema.json"), "{", fmt.Sprintf("{%q: %q,", "version", version.Version), 1)
	provider.Serve("kubernetes", version.Version, []byte(versioned), []byte(read("terraform-mapping.json")))
}
