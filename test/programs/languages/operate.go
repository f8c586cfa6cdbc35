package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Runs one operation of a program's stack, as the last word says, by Pulumi's Automation API for Go.
func operate(program pulumi.RunFunc, options ...auto.LocalWorkspaceOption) error {
	ctx := context.Background()
	stack, err := auto.UpsertStackInlineSource(ctx, "test", "drawbridge-test", program, options...)
	if err != nil {
		return err
	}
	switch operation := os.Args[len(os.Args)-1]; operation {
	case "preview":
		result, err := stack.Preview(ctx)
		// With PULUMI_OPTION_JSON a digest.
		fmt.Println(result.StdOut)
		return err
	case "up":
		result, err := stack.Up(ctx)
		if err != nil {
			return err
		}
		outputs := map[string]any{}
		for name, output := range result.Outputs {
			outputs[name] = output.Value
		}
		return json.NewEncoder(os.Stdout).Encode(map[string]any{
			"changes": result.Summary.ResourceChanges, "outputs": outputs,
		})
	case "destroy":
		_, err := stack.Destroy(ctx)
		return err
	case "cancel":
		return stack.Cancel(ctx)
	default:
		return fmt.Errorf("there is no operation %q", operation)
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
