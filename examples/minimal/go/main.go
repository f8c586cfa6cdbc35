// One gateway, one namespace for a team, one container in it.
package main

import (
	"cmp"

	"github.com/drawbridge-iac/drawbridge/sdk/go/drawbridge"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func program(ctx *pulumi.Context) error {
	cfg := config.New(ctx, "")
	var authorizedKeys []string
	cfg.RequireObject("authorizedKeys", &authorizedKeys)

	gateway, err := drawbridge.NewSshGateway(ctx, "ssh-ingress", &drawbridge.SshGatewayArgs{
		Domain:       pulumi.String("dev.example.com"),
		Image:        pulumi.String(cmp.Or(cfg.Get("proxyImage"), "auto")),
		Replicas:     pulumi.Int(1),
		LoadBalancer: &drawbridge.LoadBalancerArgs{Preset: drawbridge.LoadBalancerPresetGeneric},
	})
	if err != nil {
		return err
	}

	team, err := drawbridge.NewTeam(ctx, "team-a", nil)
	if err != nil {
		return err
	}

	dev1, err := drawbridge.NewDevContainer(ctx, "dev1", &drawbridge.DevContainerArgs{
		Namespace:      team.Namespace,
		Image:          pulumi.String(cfg.Require("image")),
		AuthorizedKeys: pulumi.ToStringArray(authorizedKeys),
		HostKey:        &drawbridge.HostKeyArgs{Seed: cfg.RequireSecret("hostKeySeed")},
		Resources: &drawbridge.DevContainerResourcesArgs{
			Requests: pulumi.StringMap{"cpu": pulumi.String("100m")},
			Memory:   pulumi.String("512Mi"),
		},
		Home:   &drawbridge.DevContainerVolumeArgs{Size: pulumi.String("1Gi")},
		Access: &drawbridge.DevContainerAccessArgs{Gateway: gateway},
	})
	if err != nil {
		return err
	}

	ctx.Export("sshConfig", dev1.SshConfig)
	ctx.Export("knownHosts", dev1.KnownHosts)
	ctx.Export("sshCommand", dev1.SshCommand)
	ctx.Export("sshTarget", dev1.SshTarget)
	return nil
}

func main() { pulumi.Run(program) }
