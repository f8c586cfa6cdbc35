package main

import (
	"context"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Previews a program's stack by Pulumi's Automation API for Go.
func operate(program pulumi.RunFunc) error {
	ctx := context.Background()
	stack, err := auto.UpsertStackInlineSource(ctx, "test", "drawbridge-test", program)
	if err != nil {
		return err
	}
	result, err := stack.Preview(ctx)
	if err != nil {
		return err
	}
	// With PULUMI_OPTION_JSON a digest.
	fmt.Println(result.StdOut)
	return nil
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
