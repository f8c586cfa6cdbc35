// One egress gateway, a team that may name some hosts, and a container that reaches two of them.
package main

import (
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
	var apiServer []drawbridge.EgressGatewayApiServerArgs
	for _, one := range networks {
		apiServer = append(apiServer, drawbridge.EgressGatewayApiServerArgs{Cidr: pulumi.String(one.Cidr)})
	}

	egress, err := drawbridge.NewEgressGateway(ctx, "egress", &drawbridge.EgressGatewayArgs{
		Authorizer:  drawbridge.EgressGatewayAuthorizerArgs{Image: pulumi.String(cfg.Require("authorizerImage"))},
		Egress:      drawbridge.EgressGatewayEgressArgs{ApiServer: apiServer},
		Autoscaling: &drawbridge.EgressGatewayAutoscalingArgs{MaxReplicas: pulumi.Int(5)},
	})
	if err != nil {
		return err
	}

	// What no container of the team gets past; an SshGateway brings these policies too.
	if _, err = drawbridge.NewTeamPolicies(ctx, "teams", nil); err != nil {
		return err
	}
	team, err := drawbridge.NewTeam(ctx, "team-e", &drawbridge.TeamArgs{
		AllowedHosts: pulumi.ToStringArray([]string{"pypi.org", "*.pythonhosted.org", "git.example.com:22"}),
	})
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
		Home: &drawbridge.DevContainerVolumeArgs{Size: pulumi.String("1Gi")},
		Access: &drawbridge.DevContainerAccessArgs{
			Sshpod: &drawbridge.SubjectsArgs{Groups: pulumi.ToStringArray([]string{"team-e"})},
		},
		Egress: &drawbridge.DevContainerEgressArgs{
			Gateway: egress,
			Hosts:   pulumi.ToStringArray([]string{"pypi.org", "*.pythonhosted.org"}),
		},
	})
	if err != nil {
		return err
	}

	ctx.Export("sshConfig", dev1.SshConfig)
	ctx.Export("knownHosts", dev1.KnownHosts)
	ctx.Export("sshTarget", dev1.SshTarget)
	return nil
}

func main() { pulumi.Run(program) }
