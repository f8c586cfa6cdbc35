// Writes the SDKs of other languages from a Pulumi schema, with Pulumi's own generators.
//
//	sdk-generator generate SCHEMA FOLDER    the folders `python` and `go` in FOLDER
//	sdk-generator pack FOLDER MODULE ZIP    a folder of Go as module proxies keep it; MODULE is path@version
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	gocode "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const tool = "drawbridge's release"

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "generate":
		return generate(args[1], args[2])
	case len(args) == 4 && args[0] == "pack":
		return pack(args[1], args[2], args[3])
	}
	return fmt.Errorf("usage: sdk-generator generate SCHEMA FOLDER | pack FOLDER MODULE ZIP")
}

func generate(file, folder string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	// Each generator writes its own things into the package, so each gets a fresh one.
	pkg, err := bind(text)
	if err != nil {
		return err
	}
	files, err := python.GeneratePackage(tool, pkg, nil, nil)
	if err != nil {
		return fmt.Errorf("python: %w", err)
	}
	if err := write(filepath.Join(folder, "python"), files); err != nil {
		return err
	}
	if pkg, err = bind(text); err != nil {
		return err
	}
	if files, err = gocode.GeneratePackage(tool, pkg, nil); err != nil {
		return fmt.Errorf("go: %w", err)
	}
	info := pkg.Language["go"].(gocode.GoPackageInfo)
	if files["go.mod"], err = moduleFile(info.ModulePath); err != nil {
		return err
	}
	return write(filepath.Join(folder, "go"), files)
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

// What the generator leaves to the one who publishes: the module's file, with the versions that this program is made of.
func moduleFile(path string) ([]byte, error) {
	text := fmt.Sprintf("module %s\n\ngo 1.25\n", path)
	built, _ := debug.ReadBuildInfo()
	for _, name := range []string{"github.com/blang/semver", "github.com/pulumi/pulumi/sdk/v3"} {
		version := ""
		for _, dependency := range built.Deps {
			if dependency.Path == name {
				version = dependency.Version
			}
		}
		if version == "" {
			return nil, fmt.Errorf("this program was built without %s", name)
		}
		text += fmt.Sprintf("\nrequire %s %s\n", name, version)
	}
	return []byte(text), nil
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
