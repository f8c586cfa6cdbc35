// Values that are known later, from wherever they come.
package main

import (
	"github.com/drawbridge-iac/drawbridge/sdk/go/drawbridge"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func program(ctx *pulumi.Context) error {
	platform, err := pulumi.NewStackReference(ctx, "platform", &pulumi.StackReferenceArgs{
		Name: pulumi.String("organization/platform/dev"),
	})
	if err != nil {
		return err
	}
	// Pulumi chooses its name; its id, which is the same, is known to no preview.
	team, err := corev1.NewNamespace(ctx, "team", &corev1.NamespaceArgs{
		Metadata: &metav1.ObjectMetaArgs{Labels: pulumi.StringMap{"drawbridge.dev/team": pulumi.String("team-a")}},
	})
	if err != nil {
		return err
	}
	gateway, err := drawbridge.NewSshGateway(ctx, "gw", &drawbridge.SshGatewayArgs{
		Domain:       pulumi.String("dev.example.com"),
		LoadBalancer: &drawbridge.LoadBalancerArgs{Preset: drawbridge.LoadBalancerPresetGeneric},
	})
	if err != nil {
		return err
	}
	keys := platform.GetOutput(pulumi.String("keys")).ApplyT(func(output any) (lines []string) {
		for _, line := range output.([]any) {
			lines = append(lines, line.(string))
		}
		return lines
	}).(pulumi.StringArrayOutput)
	container, err := drawbridge.NewDevContainer(ctx, "dev1", &drawbridge.DevContainerArgs{
		Namespace:      team.ID().ToStringOutput(),
		Image:          platform.GetStringOutput(pulumi.String("image")),
		AuthorizedKeys: keys,
		Access:         &drawbridge.DevContainerAccessArgs{Gateway: gateway},
		HostKey: &drawbridge.HostKeyArgs{
			Seed: platform.GetStringOutput(pulumi.String("seed")).ToStringPtrOutput(),
		},
	})
	if err != nil {
		return err
	}
	ctx.Export("knownHosts", container.KnownHosts)
	ctx.Export("sshConfig", container.SshConfig)
	return nil
}

func main() { pulumi.Run(program) }
