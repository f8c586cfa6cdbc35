// A team in Go: a gateway, a storage, and a container that mounts it.
package main

import (
	"encoding/json"
	"os"

	drawbridge "DRAWBRIDGE_MODULE"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type team struct {
	Gateway   string            `json:"gateway"`
	Namespace string            `json:"namespace"`
	Images    map[string]string `json:"images"`
	Keys      []string          `json:"keys"`
	Seed      string            `json:"seed"`
	Greeting  string            `json:"greeting"`
}

func (given team) program(ctx *pulumi.Context) error {
	gateway, err := drawbridge.NewSshGateway(ctx, given.Gateway, &drawbridge.SshGatewayArgs{
		Domain:       pulumi.String("dev.example.com"),
		Image:        pulumi.StringPtr(given.Images["proxy"]),
		Replicas:     pulumi.Int(1),
		DrainSeconds: pulumi.Int(8),
		LoadBalancer: &drawbridge.LoadBalancerArgs{Preset: drawbridge.LoadBalancerPresetGeneric},
	})
	if err != nil {
		return err
	}
	place, err := drawbridge.NewTeam(ctx, given.Namespace, &drawbridge.TeamArgs{
		CreateNamespace: pulumi.BoolRef(false),
		Quota:           map[string]pulumi.StringInput{"pods": pulumi.String("20")},
		Deployers:       &drawbridge.TeamDeployersArgs{Users: keys([]string{"alice"})},
	})
	if err != nil {
		return err
	}
	_, err = drawbridge.NewTeamMembers(ctx, given.Namespace, &drawbridge.TeamMembersArgs{
		Namespace: place.Namespace,
		Viewers:   &drawbridge.SubjectsArgs{Groups: keys([]string{"team"})},
		Sshpod:    &drawbridge.SubjectsArgs{Users: keys([]string{"bob"})},
	})
	if err != nil {
		return err
	}
	storage, err := drawbridge.NewStorageAccessor(ctx, "models", &drawbridge.StorageAccessorArgs{
		Namespace: place.Namespace,
		Size:      pulumi.StringPtr("64Mi"),
	})
	if err != nil {
		return err
	}
	mode := drawbridge.SshModeImage
	container, err := drawbridge.NewDevContainer(ctx, "dev1", &drawbridge.DevContainerArgs{
		Namespace:      place.Namespace,
		Image:          pulumi.String(given.Images["container"]),
		AuthorizedKeys: keys(given.Keys),
		HostKey:        &drawbridge.HostKeyArgs{Seed: secret(given.Seed)},
		Ssh:            &drawbridge.DevContainerSshArgs{Mode: &mode},
		Resources: &drawbridge.DevContainerResourcesArgs{
			Memory:   pulumi.StringPtr("256Mi"),
			Requests: map[string]pulumi.StringInput{"cpu": pulumi.String("50m")},
		},
		Home:    &drawbridge.DevContainerVolumeArgs{Size: pulumi.StringPtr("64Mi")},
		Env:     map[string]pulumi.StringInput{"GREETING": pulumi.String(given.Greeting)},
		Access:  &drawbridge.DevContainerAccessArgs{Gateway: gateway},
		Storage: []interface{}{drawbridge.DevContainerStorageArgs{From: storage, MountPath: pulumi.String("/models")}},
	})
	if err != nil {
		return err
	}
	ctx.Export("sshConfig", container.SshConfig)
	ctx.Export("knownHosts", container.KnownHosts)
	ctx.Export("sshTarget", container.SshTarget)
	ctx.Export("phase", container.Status.Phase())
	ctx.Export("claimName", storage.ClaimName)
	return nil
}

func keys(lines []string) pulumi.StringArray {
	inputs := make(pulumi.StringArray, len(lines))
	for index, line := range lines {
		inputs[index] = pulumi.String(line)
	}
	return inputs
}

func secret(text string) pulumi.StringPtrInput {
	return pulumi.ToSecret(pulumi.String(text)).(pulumi.StringOutput).ToStringPtrOutput()
}

func main() {
	var given team
	fail(json.Unmarshal([]byte(os.Getenv("DRAWBRIDGE_TEAM")), &given))
	fail(operate(given.program))
}
