// Two clusters of a program that existed before, each with containers; one also gets a gateway of its own.
package main

import (
	"context"
	"strings"

	"github.com/drawbridge-iac/drawbridge/sdk/go/drawbridge"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// Tenant stands for the code that a company has already: a component that makes namespaces by its own rules.
type Tenant struct {
	pulumi.ResourceState
	// Name of the namespace, there when it stands.
	Namespace pulumi.StringOutput
}

func newTenant(ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption) (*Tenant, error) {
	tenant := &Tenant{}
	if err := ctx.RegisterComponentResource("example:index:Tenant", name, tenant, opts...); err != nil {
		return nil, err
	}
	made, err := corev1.NewNamespace(ctx, name, &corev1.NamespaceArgs{
		Metadata: &metav1.ObjectMetaArgs{
			Name: pulumi.String(name),
			// The mark without which the gateway takes no routes from here.
			Labels: pulumi.StringMap{"drawbridge.dev/team": pulumi.String(name)},
		},
		// A destroyed namespace takes its homes with it; this one stays.
	}, pulumi.Parent(tenant), pulumi.RetainOnDelete(true))
	if err != nil {
		return nil, err
	}
	tenant.Namespace = made.Metadata.Name().Elem()
	return tenant, ctx.RegisterResourceOutputs(tenant, pulumi.Map{"namespace": tenant.Namespace})
}

// Adds a label to every object of a component, as a company's rules may ask for.
func withTeamLabel(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
	if !strings.HasPrefix(args.Type, "kubernetes:") {
		return nil
	}
	metadata, _ := args.Props["metadata"].(pulumi.Map)
	labels, _ := metadata["labels"].(pulumi.Map)
	if labels == nil {
		labels = pulumi.Map{}
	}
	labels["example.com/team"] = pulumi.String("research")
	metadata["labels"] = labels
	return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
}

func program(ctx *pulumi.Context) error {
	cfg := config.New(ctx, "")
	var authorizedKeys []string
	cfg.RequireObject("authorizedKeys", &authorizedKeys)
	image := pulumi.String(cfg.Require("image"))
	hostKey := &drawbridge.HostKeyArgs{Seed: cfg.RequireSecret("hostKeySeed")}

	// What the program has already: a provider for each cluster, and a namespace with rules of its own.
	east, err := kubernetes.NewProvider(ctx, "east", &kubernetes.ProviderArgs{
		Kubeconfig: cfg.RequireSecret("eastKubeconfig"),
	})
	if err != nil {
		return err
	}
	west, err := kubernetes.NewProvider(ctx, "west", &kubernetes.ProviderArgs{
		Kubeconfig: cfg.RequireSecret("westKubeconfig"),
	})
	if err != nil {
		return err
	}
	research, err := newTenant(ctx, "research", pulumi.Providers(east))
	if err != nil {
		return err
	}

	// The namespace becomes a team's: who may deploy there, how much in all, and nothing reached without a policy.
	team, err := drawbridge.NewTeam(ctx, "research", &drawbridge.TeamArgs{
		Namespace:       research.Namespace,
		CreateNamespace: pulumi.BoolRef(false),
		Deployers:       &drawbridge.TeamDeployersArgs{Groups: pulumi.ToStringArray([]string{"research-deployers"})},
		Quota:           pulumi.StringMap{"requests.storage": pulumi.String("500Gi")},
	}, pulumi.Providers(east))
	if err != nil {
		return err
	}

	// In the east a gateway is there: Istio's own ingress. Only routes and their filter are added to it.
	ingress, err := drawbridge.NewSshGateway(ctx, "ssh", &drawbridge.SshGatewayArgs{
		Domain: pulumi.String("east.example.com"),
		Existing: &drawbridge.SshGatewayExistingArgs{
			Namespace: pulumi.String("istio-ingress"),
			Selector:  pulumi.StringMap{"istio": pulumi.String("ingressgateway")},
			Address:   pulumi.String("ssh.east.example.com"),
		},
		Listeners: &drawbridge.SshGatewayListenersArgs{
			Plain: &drawbridge.SshGatewayPlainListenerArgs{Port: pulumi.Int(8022)},
		},
	}, pulumi.Providers(east))
	if err != nil {
		return err
	}

	// A home and a Secret that exist are used as they are; nothing here changes or deletes them.
	alice, err := drawbridge.NewDevContainer(ctx, "alice", &drawbridge.DevContainerArgs{
		// Its objects keep the name under which they were made.
		Name:           pulumi.StringRef("workbench"),
		Namespace:      team.Namespace,
		Image:          image,
		AuthorizedKeys: pulumi.ToStringArray(authorizedKeys),
		HostKey:        hostKey,
		Access:         &drawbridge.DevContainerAccessArgs{Gateway: ingress},
		Home:           &drawbridge.DevContainerVolumeArgs{ClaimName: pulumi.String("alice-data")},
		Mounts: []drawbridge.DevContainerMountArgs{
			{SecretName: pulumi.String("alice-git"), MountPath: pulumi.String("/secrets/git")},
		},
	},
		pulumi.Providers(east),
		pulumi.Parent(research),
		// It was called "workbench" in an earlier version of the program, at the top of the stack; with the alias, and the
		// name above, nothing is replaced.
		pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String("workbench"), NoParent: pulumi.Bool(true)}}),
		pulumi.Transforms([]pulumi.ResourceTransform{withTeamLabel}))
	if err != nil {
		return err
	}

	// The west gets a gateway of its own, whose removal must be asked for twice.
	westGateway, err := drawbridge.NewSshGateway(ctx, "ssh-west", &drawbridge.SshGatewayArgs{
		Name:         pulumi.StringRef("ssh-ingress"),
		Domain:       pulumi.String("west.example.com"),
		LoadBalancer: &drawbridge.LoadBalancerArgs{Preset: drawbridge.LoadBalancerPresetGeneric},
	}, pulumi.Providers(west), pulumi.Protect(true))
	if err != nil {
		return err
	}
	bob, err := drawbridge.NewDevContainer(ctx, "bob", &drawbridge.DevContainerArgs{
		Namespace:      pulumi.String("research"),
		Image:          image,
		AuthorizedKeys: pulumi.ToStringArray(authorizedKeys),
		HostKey:        hostKey,
		Access:         &drawbridge.DevContainerAccessArgs{Gateway: westGateway},
	}, pulumi.Providers(west))
	if err != nil {
		return err
	}

	ctx.Export("sshConfig", pulumi.Sprintf("%s\n%s", alice.SshConfig, bob.SshConfig))
	return nil
}

func main() { pulumi.Run(program) }
