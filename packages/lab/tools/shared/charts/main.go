// Prints Istio's objects: the charts that its own module carries, filled with the values (JSON) of the one argument.
package main

import (
	"fmt"
	"log"
	"os"

	"istio.io/istio/operator/pkg/helm"
	"istio.io/istio/operator/pkg/values"
)

func main() {
	given, err := values.MapFromJSON([]byte(os.Args[1]))
	if err != nil {
		log.Fatal(err)
	}
	all := values.MakeMap(given, "spec", "values")
	for _, chart := range []string{"base", "istio-control/istio-discovery"} {
		manifests, _, err := helm.Render("istio", "istio-system", chart, all, nil)
		if err != nil {
			log.Fatal(err)
		}
		for _, manifest := range manifests {
			fmt.Printf("---\n%s\n", manifest.Content)
		}
	}
}
