// An application's own image, unmodified, to log in to; the gateway is another stack's.
package main

import (
	"encoding/json"

	"github.com/drawbridge-iac/drawbridge/sdk/go/drawbridge"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// The output of another stack has no type of ours until it is given one.
func gatewayOf(output any) (gateway drawbridge.SshGatewayRef, err error) {
	text, err := json.Marshal(output)
	if err == nil {
		err = json.Unmarshal(text, &gateway)
	}
	return gateway, err
}

func program(ctx *pulumi.Context) error {
	cfg := config.New(ctx, "")
	var authorizedKeys []string
	cfg.RequireObject("authorizedKeys", &authorizedKeys)

	platform, err := pulumi.NewStackReference(ctx, "platform", &pulumi.StackReferenceArgs{
		Name: pulumi.String(cfg.Require("platformStack")),
	})
	if err != nil {
		return err
	}

	team, err := drawbridge.NewTeam(ctx, "team-a", nil)
	if err != nil {
		return err
	}

	mode := drawbridge.SshModeInjected
	app, err := drawbridge.NewDevContainer(ctx, "app", &drawbridge.DevContainerArgs{
		Namespace:      team.Namespace,
		Image:          pulumi.String(cfg.Require("image")),
		Ssh:            &drawbridge.DevContainerSshArgs{Mode: &mode, Image: pulumi.String(cfg.Require("sshdBundle"))},
		Command:        pulumi.ToStringArray([]string{"sh", "-c", "exec sleep infinity"}),
		User:           &drawbridge.DevContainerUserArgs{Name: pulumi.String("dev"), Uid: pulumi.Int(1001)},
		AuthorizedKeys: pulumi.ToStringArray(authorizedKeys),
		HostKey:        &drawbridge.HostKeyArgs{Seed: cfg.RequireSecret("hostKeySeed")},
		Access: &drawbridge.DevContainerAccessArgs{
			Gateway: platform.GetOutput(pulumi.String("gateway")).ApplyT(gatewayOf).(drawbridge.SshGatewayRefOutput),
		},
		Resources: &drawbridge.DevContainerResourcesArgs{
			Requests: pulumi.StringMap{"cpu": pulumi.String("100m")},
			Memory:   pulumi.String("256Mi"),
		},
		Env:           pulumi.StringMap{"STAGE": pulumi.String("development")},
		StartupScript: pulumi.String("#!/bin/sh\necho started >~/started\n"),
		Home:          &drawbridge.DevContainerVolumeArgs{Size: pulumi.String("1Gi")},
		Persist: &drawbridge.DevContainerPersistArgs{
			Paths: []pulumi.StringInput{pulumi.String("/srv/data")},
			Size:  pulumi.String("1Gi"),
		},
		Ports:         []drawbridge.DevContainerPortArgs{{Name: pulumi.String("web"), Port: pulumi.Int(8080), Primary: pulumi.BoolRef(true)}},
	})
	if err != nil {
		return err
	}

	ctx.Export("knownHosts", app.KnownHosts)
	ctx.Export("hostName", app.HostName)
	ctx.Export("podName", app.PodName)
	ctx.Export("url", app.Url)
	return nil
}

func main() { pulumi.Run(program) }
