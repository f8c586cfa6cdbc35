package main

import (
	"context"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
)

// Before the program's own main: previews it as it stands by Pulumi's Automation API for Go, in the project of the first
// argument.
func init() {
	ctx := context.Background()
	stack, err := auto.UpsertStackInlineSource(ctx, "test", "drawbridge-test", program, auto.WorkDir(os.Args[1]))
	if err == nil {
		var result auto.PreviewResult
		result, err = stack.Preview(ctx)
		// With PULUMI_OPTION_JSON a digest.
		fmt.Println(result.StdOut)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
