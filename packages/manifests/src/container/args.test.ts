import { describe, expect, it } from "vitest";
import { aliceKey, bobKey, faultsOf, gateway, manyPorts, seed } from "./plan.fixture.ts";

const bundle = { mode: "injected", image: "sshd-bundle:1" };
const sidecar = { mode: "sidecar", image: "devcontainer:1" };
const http = { name: "http", port: 8080 };

describe("valid arguments", () => {
  it.each<[string, Record<string, unknown>]>([
    ["the required ones", {}],
    ["a name", { name: "a" }],
    ["a digest", { image: `x@sha256:${"0".repeat(64)}` }],
    ["pull policy and secrets", { imagePullPolicy: "Always", imagePullSecrets: ["regcred"] }],
    ["arguments beside the image's sshd", { args: ["jupyter", "lab"] }],
    ["an injected sshd", { ssh: bundle }],
    ["an injected sshd beside a command", { ssh: bundle, command: ["httpd"], args: ["-f"] }],
    ["an injected sshd beside the image's command", { ssh: bundle, runImageCommand: true }],
    [
      "a sidecar",
      {
        ssh: { ...sidecar, resources: { requests: { cpu: "1" }, memory: "1Gi" } },
        command: ["x"],
        args: ["y"],
      },
    ],
    ["no sshd and no keys", { ssh: { mode: "none" }, authorizedKeys: [], hostKey: undefined }],
    ["a high port", { ssh: { port: 2222 } }],
    ["another user", { user: { name: "dev", uid: 2000, gid: 100, shell: "/usr/bin/zsh" } }],
    ["two keys", { authorizedKeys: [aliceKey, bobKey] }],
    ["a CA instead of keys", { authorizedKeys: [], userCa: { keys: [bobKey], principals: ["dev@team-a"] } }],
    ["a key that is known later", { authorizedKeys: [Promise.resolve("x")] }],
    ["a host key of one's own", { hostKey: { privateKey: "-----BEGIN…" } }],
    ["a rotation", { hostKey: { seed, next: { seed, generation: 2 } } }],
    ["an identity", { hostKey: { seed, identity: "old-team/dev1" } }],
    ["a home", { home: { size: "1Ti", storageClassName: "fast.ssd", accessMode: "ReadWriteMany" } }],
    ["an adopted home", { home: { claimName: "dev1-home" } }],
    ["persisted paths", { persist: ["/opt/conda", "/usr/local"], persistVolume: { size: "5Gi" } }],
    [
      "resources",
      {
        resources: { requests: { cpu: "500m" }, limits: { cpu: "2" }, memory: "8Gi" },
        ephemeralStorage: "20Gi",
        sharedMemory: "2Gi",
      },
    ],
    [
      "a GPU",
      { gpu: { count: 1, product: "NVIDIA-A100-SXM4-80GB" }, scheduling: { runtimeClassName: "nvidia" } },
    ],
    ["a MIG slice", { gpu: { count: 2, resource: "nvidia.com/mig-1g.10gb" } }],
    [
      "a place",
      {
        scheduling: {
          nodeSelector: { "a.b/c": "d" },
          tolerations: [{ key: "gpu" }, { key: "x", value: "y", effect: "NoSchedule" }],
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "kubernetes.io/hostname" }],
            },
          },
          topologySpreadConstraints: [{ topologyKey: "topology.kubernetes.io/zone" }],
          runtimeClassName: "nvidia",
          priorityClassName: "high",
        },
      },
    ],
    ["an environment", { env: { A: "1", _B: "$(x) \"'\\ #%" } }],
    ["secret files", { secretFiles: [{ secretName: "wandb", mountPath: "/var/secrets/wandb" }] }],
    ["a start-up script", { startupScript: "#!/bin/sh\necho hi\n" }],
    ["a service account", { serviceAccount: { name: "data", token: true } }],
    [
      "proxy and authorities",
      {
        proxy: { http: "http://p:1", https: "http://p:2", except: ["x"] },
        trustedCa: { configMapName: "ca" },
      },
    ],
    ["a gateway", { access: { gateway } }],
    ["as many ports as a Service of a team has", { ports: manyPorts(31) }],
    [
      "as many ports through the gateway as a route has rules",
      { ports: manyPorts(7, { throughGateway: true }), access: { gateway } },
    ],
    [
      "ports",
      {
        access: { gateway },
        ports: [
          { ...http, scheme: "https", primary: true },
          { name: "db", port: 5432, throughGateway: true },
        ],
      },
    ],
    [
      "peers",
      {
        ingress: [
          { namespace: "ci", ports: [8080] },
          { podLabels: { app: "x" }, ports: [1] },
        ],
      },
    ],
    [
      "walls",
      {
        egress: {
          internet: false,
          deny: ["192.0.2.0/24"],
          allow: [{ cidr: "10.1.0.0/16", ports: [443] }],
          dns: ["10.0.0.2/32"],
        },
      },
    ],
    ["switched off", { running: false }],
    [
      "eviction and stop",
      { eviction: "allowed", stopWarningSeconds: 0, terminationGracePeriodSeconds: 5, wait: false },
    ],
    [
      "mounts",
      {
        mounts: [
          { claimName: "data", mountPath: "/data" },
          { claimName: "more", mountPath: "/home/jovyan/more", readOnly: true },
        ],
      },
    ],
  ])("%s", (_, args) => {
    expect(faultsOf(args)).toEqual([]);
  });
});
