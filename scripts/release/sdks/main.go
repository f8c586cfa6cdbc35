// Command sdks writes the SDKs of other languages from a Pulumi schema, with Pulumi's own generators.
//
//	sdks SCHEMA FOLDER
//
// FOLDER gets the folders `python` and `go`. A fault of the schema ends it with 1 and every message.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gocode "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "drawbridge's release"

func main() {
	if len(os.Args) != 3 {
		fail("usage: sdks SCHEMA FOLDER")
	}
	if err := generate(os.Args[1], os.Args[2]); err != nil {
		fail(err.Error())
	}
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}

func generate(file, folder string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	generators := map[string]func(*schema.Package) (map[string][]byte, error){
		"python": func(pkg *schema.Package) (map[string][]byte, error) {
			return python.GeneratePackage(tool, pkg, nil, nil)
		},
		"go": func(pkg *schema.Package) (map[string][]byte, error) {
			return gocode.GeneratePackage(tool, pkg, nil)
		},
	}
	for language, generator := range generators {
		// Each generator writes its own things into the package, so each gets a fresh one.
		pkg, err := bind(text)
		if err != nil {
			return err
		}
		files, err := generator(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		if err := write(filepath.Join(folder, language), files); err != nil {
			return err
		}
	}
	return nil
}

func bind(text []byte) (*schema.Package, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	// The schema refers to no other package, so nothing is loaded.
	pkg, diagnostics, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	return pkg, nil
}

func write(folder string, files map[string][]byte) error {
	for name, content := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
