import { InjectedSshd, SshGateway, SshNetworkPolicy, Team } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

/** A Sandbox, whose controller makes the pod: the pod's template goes through an InjectedSshd, and nothing else changes. */
export default function program() {
  const config = new pulumi.Config();

  const gateway = new SshGateway("ssh-ingress", {
    domain: "dev.example.com",
    image: config.get("proxyImage") ?? "auto",
    replicas: 1,
    loadBalancer: { preset: "generic" },
  });

  const team = new Team("team-a");

  const ssh = new InjectedSshd("agent", {
    namespace: team.namespace,
    podTemplate: podTemplate(config.require("image")),
    ssh: { image: config.require("sshdBundle") },
    user: { name: "agent" },
    authorizedKeys: config.requireObject<string[]>("authorizedKeys"),
    hostKey: { seed: config.requireSecret("hostKeySeed") },
    podName: "agent",
    networkPolicy: SshNetworkPolicy.allowGateway,
    access: { gateway },
  });

  new k8s.apiextensions.CustomResource("agent", {
    apiVersion: "agents.x-k8s.io/v1alpha1",
    kind: "Sandbox",
    metadata: { name: "agent", namespace: team.namespace },
    spec: {
      podTemplate: ssh.podTemplate,
      volumeClaimTemplates: [
        {
          metadata: { name: "home" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
    },
  });

  return { sshConfig: ssh.sshConfig, knownHosts: ssh.knownHosts, sshTarget: ssh.sshTarget };
}

/** The template as the program had it before. */
const podTemplate = (image: string) => ({
  metadata: { labels: { app: "agent" } },
  spec: {
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      fsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: "agent",
        image,
        command: ["sh", "-c", "exec sleep 1000000"],
        resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "512Mi" } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        volumeMounts: [{ name: "home", mountPath: "/home/agent" }],
      },
    ],
  },
});
