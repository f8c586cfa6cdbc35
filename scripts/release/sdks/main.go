// Command sdks writes the SDKs of other languages from a Pulumi schema, with Pulumi's own generators.
//
//	sdks generate SCHEMA FOLDER    the folders `python` and `go` in FOLDER
//	sdks pack FOLDER MODULE ZIP    a folder of Go as the archive that Go's module proxies keep; MODULE is path@version
//
// A fault of the schema ends it with 1 and every message.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	gocode "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const tool = "drawbridge's release"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "generate":
		return generate(args[1], args[2])
	case len(args) == 4 && args[0] == "pack":
		return pack(args[1], args[2], args[3])
	}
	return fmt.Errorf("usage: sdks generate SCHEMA FOLDER | sdks pack FOLDER MODULE ZIP")
}

func pack(folder, name, file string) error {
	path, version, _ := strings.Cut(name, "@")
	archive, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(archive, module.Version{Path: path, Version: version}, folder); err != nil {
		return err
	}
	return archive.Close()
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
