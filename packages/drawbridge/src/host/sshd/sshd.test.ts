import { describe, expect, it } from "vitest";
import type { DevContainerInput } from "../../dev-container/args.ts";
import { bobKey, planOf, required, seed, templateOf } from "../../dev-container/plan.fixture.ts";
import { parseArgs } from "../../kit/args-error.ts";
import { hashOf } from "../../kit/crypto.ts";
import type { Settled } from "../../kit/input.ts";
import { sshGatewaySchema } from "../../ssh-gateway/args-checks.ts";
import { planSshGateway } from "../../ssh-gateway/plan.ts";
import { frpClientLimitsSchema } from "../ways/client-limits.ts";
import { sshdFiles } from "./files.ts";
import { sshdConfig } from "./sshd-config.ts";

const bundle = { mode: "injected", image: "sshd-bundle:1" } as const;
const sidecar = { mode: "sidecar", image: "devcontainer:2" } as const;

/** The pod of a container with these arguments. */
function podOf(args?: Partial<DevContainerInput>) {
  const { metadata, spec } = templateOf(args);
  return {
    annotations: metadata.annotations,
    init: spec.initContainers,
    main: spec.containers[0],
    volumes: spec.volumes.map(({ name }) => name),
  };
}

const paths = (container: ReturnType<typeof podOf>["main"] | undefined) =>
  container?.volumeMounts.map(({ mountPath, readOnly }) => `${mountPath}${readOnly ? " (read-only)" : ""}`);

const sshdMounts = [
  "/etc/drawbridge/sshd (read-only)",
  "/etc/drawbridge/authorized-keys (read-only)",
  "/etc/drawbridge/host-keys (read-only)",
  "/run/drawbridge",
];

describe("sshd from the image", () => {
  it("leaves the entry point to the image and probes by its own program", () => {
    const { init, main, volumes } = podOf({ args: ["jupyter", "lab"] });
    expect(init.map(({ name }) => name)).toEqual(["home-folder"]);
    expect([main.command, main.args]).toEqual([undefined, ["jupyter", "lab"]]);
    expect(main.startupProbe).toEqual({
      exec: { command: ["/usr/local/lib/drawbridge/sshd-listens", "22"] },
      periodSeconds: 1,
      failureThreshold: 120,
    });
    expect(main.readinessProbe).toEqual({
      exec: { command: ["/usr/local/lib/drawbridge/sshd-listens", "22"] },
      periodSeconds: 10,
      failureThreshold: 3,
    });
    expect(paths(main)).toEqual(["/home/jovyan", "/dev/shm", ...sshdMounts]);
    expect(volumes).toEqual(["home", "shm", "sshd-config", "authorized-keys", "host-key", "sshd-run"]);
  });

  it("never mounts the keys by subPath, which would keep changes out", () => {
    const keys = podOf().main.volumeMounts.filter(({ name }) => name === "authorized-keys");
    expect(keys).toEqual([
      { name: "authorized-keys", mountPath: "/etc/drawbridge/authorized-keys", readOnly: true },
    ]);
  });
});

describe("sshd injected", () => {
  it("brings bundle and accounts first, then starts the bundle's sshd in the user's image", () => {
    const { init, main } = podOf({ ssh: bundle, command: ["httpd", "-f"], args: ["-p", "8080"] });
    expect(init.map(({ name, image }) => `${name} ${image}`)).toEqual([
      "sshd-bundle sshd-bundle:1",
      `accounts ${required.image}`,
      `home-folder ${required.image}`,
    ]);
    expect(paths(init[0])).toEqual(["/drawbridge-volume"]);
    expect(paths(init[1])).toEqual(["/drawbridge"]);
    expect(init[1]?.env).toEqual([
      { name: "NAME", value: "jovyan" },
      { name: "ID", value: "1000" },
      { name: "GROUP_ID", value: "1000" },
      { name: "USER_HOME", value: "/home/jovyan" },
      { name: "WANTED_SHELL" },
    ]);
    expect(main.command).toEqual([
      "/drawbridge/bin/busybox",
      "sh",
      "/drawbridge/bin/drawbridge-sshd",
      "httpd",
      "-f",
      "-p",
      "8080",
    ]);
    expect(main.args).toBeUndefined();
    expect(paths(main)).toEqual([
      "/home/jovyan",
      "/dev/shm",
      "/drawbridge (read-only)",
      "/etc/passwd (read-only)",
      "/etc/group (read-only)",
      ...sshdMounts,
      "/etc/profile.d/00-drawbridge.sh (read-only)",
    ]);
    expect(main.startupProbe?.exec.command).toEqual([
      "/drawbridge/bin/busybox",
      "sh",
      "/drawbridge/bin/sshd-listens",
      "22",
    ]);
  });

  it("leaves the image's own command alone when asked, and starts sshd by a hook that ends", () => {
    const { main } = podOf({ ssh: bundle, runImageCommand: true });
    expect([main.command, main.args]).toEqual([undefined, undefined]);
    expect(main.lifecycle?.postStart).toEqual({
      exec: {
        command: [
          "/drawbridge/bin/busybox",
          "sh",
          "-c",
          "/drawbridge/bin/busybox setsid /drawbridge/bin/busybox sh /drawbridge/bin/drawbridge-sshd </dev/null >/proc/1/fd/1 2>/proc/1/fd/2 &",
        ],
      },
    });
    expect(main.lifecycle?.preStop?.exec.command.slice(0, 3)).toEqual([
      "/drawbridge/bin/busybox",
      "sh",
      "-c",
    ]);
  });
});

describe("sshd as a sidecar", () => {
  it("runs beside the application, sharing home, volumes and files but not the file system", () => {
    const { init, main } = podOf({
      ssh: { ...sidecar, resources: { requests: { cpu: "250m" }, memory: "1Gi" } },
      command: ["serve"],
      mounts: [{ claimName: "data", mountPath: "/data", readOnly: true }],
      secretFiles: [{ secretName: "wandb", mountPath: "/var/secrets/wandb" }],
    });
    // The application's image may have no shell.
    expect(init.map(({ name, image }) => `${name} ${image}`)).toEqual([
      "home-folder devcontainer:2",
      "sshd devcontainer:2",
    ]);
    expect([init[1]?.image, init[1]?.restartPolicy]).toEqual(["devcontainer:2", "Always"]);
    expect(init[1]?.resources).toEqual({
      requests: { cpu: "250m", memory: "1Gi" },
      limits: { memory: "1Gi" },
    });
    const shared = ["/home/jovyan", "/data (read-only)", "/var/secrets/wandb (read-only)"];
    expect(paths(init[1])).toEqual([...shared, ...sshdMounts]);
    expect(paths(main)).toEqual([...shared, "/dev/shm"]);
    expect([main.command, main.startupProbe, main.lifecycle]).toEqual([["serve"], undefined, undefined]);
  });
});

describe("no sshd", () => {
  it("runs the image's command with nothing of sshd in the pod", () => {
    const { init, main, volumes, annotations } = podOf({
      ssh: { mode: "none" },
      hostKey: undefined,
      authorizedKeys: [],
    });
    expect(init.map(({ name }) => name)).toEqual(["home-folder"]);
    expect([main.command, main.startupProbe]).toEqual([undefined, undefined]);
    expect(volumes).toEqual(["home", "shm"]);
    expect(Object.keys(annotations)).toEqual([
      "kubectl.kubernetes.io/default-container",
      "cluster-autoscaler.kubernetes.io/safe-to-evict",
      "karpenter.sh/do-not-disrupt",
    ]);
  });
});

describe("sshd_config", () => {
  const configOf = (args: Partial<DevContainerInput> = {}) => sshdConfig(planOf(args)) as string;
  const lines = (args: Partial<DevContainerInput> = {}) => configOf(args).trimEnd().split("\n");

  it("adds the CA and the next host key where they are asked for", () => {
    const plain = new Set(lines());
    const added = lines({
      userCa: { keys: required.authorizedKeys },
      authorizedKeys: [],
      hostKey: { seed, next: { seed, generation: 2 } },
    }).filter((line) => !plain.has(line));
    expect(added).toEqual([
      "HostKey /run/drawbridge/ssh_host_ed25519_key_next",
      "TrustedUserCAKeys /etc/drawbridge/authorized-keys/user_ca_keys",
      "AuthorizedPrincipalsFile /etc/drawbridge/authorized-keys/principals",
    ]);
  });

  it.each(["image", "injected", "sidecar"] as const)("limits connections before login, mode %s", (mode) => {
    const image = mode === "image" ? {} : { image: "x:1" };
    const limits = lines({ ssh: { mode, ...image, loginGraceSeconds: 20, maxStartups: 75 } }).filter((line) =>
      /^(MaxStartups|LoginGraceTime) /.test(line),
    );
    expect(limits).toEqual(["MaxStartups 38:30:75", "LoginGraceTime 20"]);
  });

  it("keeps one address, by default, below the number of connections from which sshd refuses some", () => {
    const args = { domain: "dev.example.com", loadBalancer: { preset: "generic" } };
    const gateway = planSshGateway("ssh", parseArgs("SshGateway", "ssh", sshGatewaySchema, args));
    const { connectionLimits: limits, listeners } = gateway as Settled<typeof gateway>;
    const replicas = gateway.replicas as number;
    const config = configOf();
    const numberIn = (pattern: RegExp) => Number(pattern.exec(config)?.[1]);
    const graceSeconds = numberIn(/^LoginGraceTime (\d+)$/m);
    const waiting = ({ burst = 0, connectionsPerMinute = 0 } = {}) =>
      burst + (connectionsPerMinute * graceSeconds) / 60;
    const byGateway = replicas * listeners.length * waiting(limits?.perClientAndContainer);
    expect(
      byGateway +
        waiting(
          frpClientLimitsSchema.parse({}).perClientAndContainer as Required<Parameters<typeof waiting>[0]>,
        ),
    ).toBe(99);
    expect(numberIn(/^MaxStartups (\d+):30:200$/m)).toBe(100);
  });

  it("shows the current host key before the next one, since clients see the first", () => {
    const keys = lines({ hostKey: { seed, next: { seed, generation: 2 } } }).filter((line) =>
      line.startsWith("HostKey"),
    );
    expect(keys[0]).toBe("HostKey /run/drawbridge/ssh_host_ed25519_key");
    expect(sshdConfig({ ...planOf(), hostKey: undefined })).toBe(sshdConfig(planOf()));
  });
});

describe("what rolls the pod", () => {
  const annotations = (args: Partial<DevContainerInput>, keys: string) =>
    JSON.stringify(templateOf(args, keys));

  it("is everything that sshd reads at start, and never the authorized keys", () => {
    const before = annotations({}, "key-1");
    expect(annotations({ authorizedKeys: [bobKey] }, "key-1")).toBe(before);
    expect(annotations({ startupScript: "#!/bin/sh\n" }, "key-1")).not.toBe(before);
    expect(annotations({}, "key-2")).not.toBe(before);
    expect(annotations({ sessionsValidFrom: "2026-11-24T09:30:00Z" }, "key-1")).not.toBe(before);
  });

  it("is known by a hash of the files", () => {
    const plan = planOf();
    const { annotations: own } = podOf();
    expect(own["drawbridge.dev/sshd-config"]).toBe(hashOf(sshdFiles(plan)));
    expect([own["drawbridge.dev/ssh-port"], own["drawbridge.dev/ssh-user"]]).toEqual(["22", "jovyan"]);
  });
});
