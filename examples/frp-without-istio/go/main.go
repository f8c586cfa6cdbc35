// One frp server, one namespace for a team, one container in it. Nothing here needs Istio.
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
	var networks []struct{ Cidr string }
	cfg.RequireObject("apiServer", &networks)
	var apiServer []drawbridge.FrpServerApiServerArgs
	for _, one := range networks {
		apiServer = append(apiServer, drawbridge.FrpServerApiServerArgs{Cidr: pulumi.String(one.Cidr)})
	}

	frp, err := drawbridge.NewFrpServer(ctx, "frp", &drawbridge.FrpServerArgs{
		Domain:       pulumi.String("ssh.example.com"),
		Seed:         cfg.RequireSecret("frpSeed"),
		Image:        pulumi.String(cmp.Or(cfg.Get("frpsImage"), "fatedier/frps:v0.70.1")),
		Authorizer:   drawbridge.FrpServerAuthorizerArgs{Image: pulumi.String(cfg.Require("authorizerImage"))},
		Egress:       drawbridge.FrpServerEgressArgs{ApiServer: apiServer},
		LoadBalancer: &drawbridge.LoadBalancerArgs{Preset: drawbridge.LoadBalancerPresetGeneric},
	})
	if err != nil {
		return err
	}

	team, err := drawbridge.NewTeam(ctx, "team-f", nil)
	if err != nil {
		return err
	}

	dev1, err := drawbridge.NewDevContainer(ctx, "dev1", &drawbridge.DevContainerArgs{
		Namespace:      team.Namespace,
		Image:          pulumi.String(cfg.Require("image")),
		AuthorizedKeys: pulumi.ToStringArray(authorizedKeys),
		HostKey:        &drawbridge.HostKeyArgs{Seed: cfg.RequireSecret("hostKeySeed")},
		Resources: &drawbridge.DevContainerResourcesArgs{
			Requests: pulumi.StringMap{"cpu": pulumi.String("20m")},
			Memory:   pulumi.String("128Mi"),
		},
		Home: &drawbridge.DevContainerVolumeArgs{Size: pulumi.String("1Gi")},
		Access: &drawbridge.DevContainerAccessArgs{
			Frp: &drawbridge.HostFrpArgs{
				Server: frp,
				Image:  pulumi.String(cmp.Or(cfg.Get("frpcImage"), "fatedier/frpc:v0.70.1")),
			},
		},
	})
	if err != nil {
		return err
	}

	ctx.Export("frpCommand", dev1.FrpCommand)
	ctx.Export("sshConfig", dev1.SshConfig)
	ctx.Export("knownHosts", dev1.KnownHosts)
	ctx.Export("sshTarget", dev1.SshTarget)
	ctx.Export("address", frp.Address)
	return nil
}

func main() { pulumi.Run(program) }
