/** The containers as drawbridge writes them. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { type Job, namesOf, team } from "./job.ts";

/** One container with what everybody sets and a home, whose pod no node ever takes. */
export function container(name: string, provider?: k8s.Provider): DevContainer {
  return new DevContainer(
    name,
    {
      namespace: team,
      image: "registry.example.com/team/devcontainer:1.4.0",
      authorizedKeys: [
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice",
      ],
      hostKey: { seed: pulumi.secret("only-for-the-bench-0123456789abcdef0123456789") },
      access: {
        gateway: { name: "ssh", namespace: "ssh-ingress", domain: "bench.example.com", address: "192.0.2.7" },
      },
      resources: { requests: { cpu: "500m" }, memory: "1Gi" },
      scheduling: { nodeSelector: { "drawbridge.dev/bench": "nowhere" } },
      wait: false,
    },
    provider === undefined ? {} : { provider },
  );
}

export function program(job: Job, provider?: k8s.Provider) {
  const containers = namesOf(job).map((name) => container(name, provider));
  return {
    sshConfig: containers.map(({ sshConfig }) => sshConfig),
    knownHosts: containers.map(({ knownHosts }) => knownHosts),
  };
}
