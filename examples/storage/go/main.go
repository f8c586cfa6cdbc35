// One storage: filled by a Job, browsed by alice, mounted in dev1.
package main

import (
	"github.com/drawbridge-iac/drawbridge/sdk/go/drawbridge"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// Images of your own registry; without them the projects' published ones are used.
type images struct {
	Container string
	Tools     string
	Proxy     *string
	Dufs      *string
}

func program(ctx *pulumi.Context) error {
	cfg := config.New(ctx, "")
	var authorizedKeys []string
	cfg.RequireObject("authorizedKeys", &authorizedKeys)
	var images images
	cfg.RequireObject("images", &images)

	gateway, err := drawbridge.NewSshGateway(ctx, "ssh-ingress", &drawbridge.SshGatewayArgs{
		Domain:       pulumi.String("dev.example.com"),
		Replicas:     pulumi.Int(1),
		LoadBalancer: &drawbridge.LoadBalancerArgs{Preset: drawbridge.LoadBalancerPresetGeneric},
	})
	if err != nil {
		return err
	}
	proxy, err := drawbridge.NewStorageProxy(ctx, "files", &drawbridge.StorageProxyArgs{
		Replicas:     pulumi.Int(1),
		DrainSeconds: pulumi.Int(5),
		Image:        pulumi.StringPtrFromPtr(images.Proxy),
		LoadBalancer: drawbridge.LoadBalancerArgs{Preset: drawbridge.LoadBalancerPresetGeneric},
	})
	if err != nil {
		return err
	}

	team, err := drawbridge.NewTeam(ctx, "team-a", nil)
	if err != nil {
		return err
	}

	models, err := drawbridge.NewStorageAccessor(ctx, "models", &drawbridge.StorageAccessorArgs{
		Namespace: team.Namespace,
		Size:      pulumi.String("1Gi"),
		Prepare: &drawbridge.StoragePrepareArgs{
			Image:   pulumi.String(images.Tools),
			Command: pulumi.ToStringArray([]string{"sh", "-c"}),
			Args:    pulumi.ToStringArray([]string{"mkdir -p model && echo seeded > model/README.txt"}),
		},
		Browse: &drawbridge.StorageBrowseArgs{
			Proxy:   proxy,
			Actions: pulumi.ToStringArray([]string{"search", "archive"}),
			Credentials: []drawbridge.StorageCredentialArgs{
				{User: pulumi.String("alice"), Password: cfg.RequireSecret("alicePassword")},
			},
			Image: pulumi.StringPtrFromPtr(images.Dufs),
		},
	})
	if err != nil {
		return err
	}

	dev1, err := drawbridge.NewDevContainer(ctx, "dev1", &drawbridge.DevContainerArgs{
		Namespace:      team.Namespace,
		Image:          pulumi.String(images.Container),
		AuthorizedKeys: pulumi.ToStringArray(authorizedKeys),
		HostKey:        &drawbridge.HostKeyArgs{Seed: cfg.RequireSecret("hostKeySeed")},
		Resources: &drawbridge.DevContainerResourcesArgs{
			Requests: pulumi.StringMap{"cpu": pulumi.String("100m")},
			Memory:   pulumi.String("512Mi"),
		},
		Home:   &drawbridge.DevContainerVolumeArgs{Size: pulumi.String("1Gi")},
		Access: &drawbridge.DevContainerAccessArgs{Gateway: gateway},
		Mounts: []drawbridge.DevContainerMountArgs{{Storage: models, MountPath: pulumi.String("/models")}},
	})
	if err != nil {
		return err
	}

	ctx.Export("url", models.Url)
	ctx.Export("status", models.Status)
	ctx.Export("sshConfig", dev1.SshConfig)
	ctx.Export("knownHosts", dev1.KnownHosts)
	// For the `drawbridge` command.
	ctx.Export("sshTarget", dev1.SshTarget)
	ctx.Export("storageTarget", models.StorageTarget)
	return nil
}

func main() { pulumi.Run(program) }
