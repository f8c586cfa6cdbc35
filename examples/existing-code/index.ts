import { DevContainer, SshGateway, Team } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { tenant } from "./tenant.ts";

/** Two clusters of a program that existed before, each with containers; one also gets a gateway of its own. */
export default function program() {
  const config = new pulumi.Config();
  const image = config.require("image");
  const authorizedKeys = config.requireObject<string[]>("authorizedKeys");
  const hostKey = { seed: config.requireSecret("hostKeySeed") };

  // What the program has already: a provider for each cluster, and a namespace with rules of its own.
  const east = new k8s.Provider("east", { kubeconfig: config.requireSecret("eastKubeconfig") });
  const west = new k8s.Provider("west", { kubeconfig: config.requireSecret("westKubeconfig") });
  const research = tenant("research", east);

  // The namespace becomes a team's: who may deploy there, how much in all, and nothing reached without a policy.
  const team = new Team(
    "research",
    {
      namespace: research.namespace,
      createNamespace: false,
      deployers: { groups: ["research-deployers"] },
      quota: { "requests.storage": "500Gi" },
    },
    { provider: east },
  );

  // In the east a gateway is there: Istio's own ingress. Only routes and their filter are added to it.
  const ingress = new SshGateway(
    "ssh",
    {
      domain: "east.example.com",
      existing: {
        namespace: "istio-ingress",
        selector: { istio: "ingressgateway" },
        address: "ssh.east.example.com",
      },
      listeners: { plain: { port: 8022 } },
    },
    { provider: east },
  );

  // A home and a Secret that exist are used as they are; nothing here changes or deletes them.
  const alice = new DevContainer(
    "alice",
    {
      // Its objects keep the name under which they were made.
      name: "workbench",
      namespace: team.namespace,
      image,
      authorizedKeys,
      hostKey,
      access: { gateway: ingress },
      home: { claimName: "alice-data" },
      mounts: [{ secretName: "alice-git", mountPath: "/secrets/git" }],
    },
    {
      provider: east,
      parent: research,
      // It was called "workbench" in an earlier version of the program, at the top of the stack; with the alias, and the
      // name above, nothing is replaced.
      aliases: [{ name: "workbench", parent: pulumi.rootStackResource }],
      transforms: [withTeamLabel],
    },
  );

  // The west gets a gateway of its own, whose removal must be asked for twice.
  const westGateway = new SshGateway(
    "ssh-west",
    { name: "ssh-ingress", domain: "west.example.com", loadBalancer: { preset: "generic" } },
    { provider: west, protect: true },
  );
  // What a component makes can be reached by what ends its name: here for an alarm on the gateway's proxies.
  const proxies = westGateway.children.proxy?.metadata.name;
  new k8s.apiextensions.CustomResource(
    "ssh-west-alarm",
    {
      apiVersion: "monitoring.coreos.com/v1",
      kind: "PrometheusRule",
      metadata: { name: "ssh-west", namespace: westGateway.namespace },
      spec: {
        groups: [
          {
            name: "ssh",
            rules: [
              {
                alert: "SshGatewayDown",
                expr: pulumi.interpolate`kube_deployment_status_replicas_available{deployment="${proxies}"} < 1`,
                for: "5m",
              },
            ],
          },
        ],
      },
    },
    { provider: west },
  );
  const bob = new DevContainer(
    "bob",
    {
      namespace: "research",
      image,
      authorizedKeys,
      hostKey,
      access: { gateway: westGateway },
    },
    { provider: west },
  );

  return { sshConfig: pulumi.interpolate`${alice.sshConfig}\n${bob.sshConfig}` };
}

/** Adds a label to every object of a component, as a company's rules may ask for. */
const withTeamLabel: pulumi.ResourceTransform = ({ type, props, opts }) => {
  if (!type.startsWith("kubernetes:")) return undefined;
  const labels = { ...props.metadata?.labels, "example.com/team": "research" };
  return { props: { ...props, metadata: { ...props.metadata, labels } }, opts };
};
