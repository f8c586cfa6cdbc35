// What a program meets in its life: `life PROJECT PROGRAM OPERATION`.
package main

import (
	"context"
	"os"

	drawbridge "DRAWBRIDGE_MODULE"
	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const image = "registry.example.com/team/image:1.0.0"

// What the compiler does not see: arguments that are not there, and values that are not right.
func wrong(ctx *pulumi.Context) error {
	_, err := drawbridge.NewDevContainer(ctx, "dev1", &drawbridge.DevContainerArgs{
		Namespace:      pulumi.String(""),
		Image:          pulumi.String(image),
		Ssh:            &drawbridge.DevContainerSshArgs{Port: pulumi.Int(0)},
		AuthorizedKeys: pulumi.StringArray{nil, pulumi.String("nonsense")},
		Access: &drawbridge.DevContainerAccessArgs{
			Gateway: &drawbridge.SshGatewayRefArgs{Name: pulumi.String("gw"), Namespace: pulumi.String("gw")},
		},
	})
	return err
}

func missing(ctx *pulumi.Context) error {
	_, err := drawbridge.NewDevContainer(ctx, "dev1", &drawbridge.DevContainerArgs{Namespace: pulumi.String("team-a")})
	return err
}

func secrets(ctx *pulumi.Context) error {
	seed := pulumi.ToSecret(pulumi.String("only-for-tests-frp-0123456789abcdef0123456789")).(pulumi.StringOutput)
	frp, err := drawbridge.NewFrpServer(ctx, "frp", &drawbridge.FrpServerArgs{
		Domain:     pulumi.String("ssh.example.com"),
		Seed:       seed,
		Authorizer: drawbridge.FrpServerAuthorizerArgs{Image: pulumi.String(image)},
		Egress: drawbridge.FrpServerEgressArgs{
			ApiServer: []drawbridge.FrpServerApiServerArgs{{Cidr: pulumi.String("192.0.2.10/32")}},
		},
		LoadBalancer: &drawbridge.LoadBalancerArgs{Preset: drawbridge.LoadBalancerPresetGeneric},
	})
	if err != nil {
		return err
	}
	mode := drawbridge.SshModeNone
	_, err = drawbridge.NewDevContainer(ctx, "dev1", &drawbridge.DevContainerArgs{
		Namespace: pulumi.String("team-a"),
		Image:     frp.Address.ApplyT(func(*string) string { return image }).(pulumi.StringOutput),
		Ssh:       &drawbridge.DevContainerSshArgs{Mode: &mode},
		SecretEnv: map[string]pulumi.StringInput{"PASSWORD": frp.MetricsPassword},
	})
	ctx.Export("password", frp.MetricsPassword)
	return err
}

func claimWith(ctx *pulumi.Context, opts ...pulumi.ResourceOption) error {
	_, err := drawbridge.NewStorageAccessor(ctx, "models", &drawbridge.StorageAccessorArgs{
		Namespace: pulumi.String("team-a"),
		Size:      pulumi.String("64Mi"),
	}, opts...)
	return err
}

func claim(ctx *pulumi.Context) error { return claimWith(ctx) }

func takenBack(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
	if args.Name != "models-claim" {
		return nil
	}
	args.Opts.Import = pulumi.ID("team-a/models-storage")
	return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
}

func imported(ctx *pulumi.Context) error {
	return claimWith(ctx, pulumi.Transforms([]pulumi.ResourceTransform{takenBack}))
}

// Nothing here runs a Job, so `up` waits for it.
func waiting(ctx *pulumi.Context) error {
	_, err := drawbridge.NewStorageAccessor(ctx, "waited", &drawbridge.StorageAccessorArgs{
		Namespace: pulumi.String("team-a"),
		Size:      pulumi.String("64Mi"),
		Prepare:   &drawbridge.StoragePrepareArgs{Image: pulumi.String(image), Command: pulumi.ToStringArray([]string{"true"})},
	})
	return err
}

func main() {
	programs := map[string]pulumi.RunFunc{
		"wrong": wrong, "missing": missing, "secrets": secrets, "claim": claim, "imported": imported, "waiting": waiting,
	}
	fail(operate(programs[os.Args[2]], auto.WorkDir(os.Args[1])))
}
