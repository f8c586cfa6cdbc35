/** DevContainer under the real engine, previewed with no cluster reachable. */
import { DevContainer, type DevContainerArgs, SshGateway, Team } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { type KeptSecrets, keepSecrets, pretendUp, previewDigest } from "../../scripts/lib/engine/digest.ts";
import { noCluster, testStack } from "../../scripts/lib/engine/engine.ts";
import { previews } from "../support/previewed.ts";

const seed = "engine-test-seed-0123456789abcdef0123456789";
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const bob = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKSJUBAXxKZBSdSAfMuYRLkpUPF6MzhAfOe7TXFnsUIW bob";
const gateway = {
  name: "ssh",
  namespace: "ssh-ingress",
  domain: "dev.example.com",
  plainPort: 80,
  address: "192.0.2.7",
};

const { previewed } = previews();

/** Previews a container; what it would make and what it said. */
const preview = (args: () => DevContainerArgs, options?: pulumi.ComponentResourceOptions) =>
  previewed(async () => {
    const { knownHosts, sshCommand, hostName, url } = new DevContainer("dev1", args(), options);
    return { knownHosts, sshCommand, hostName, url };
  });

const minimal = (): DevContainerArgs => ({
  namespace: "team-a",
  image: "devcontainer:1",
  authorizedKeys: [key],
  hostKey: { seed: pulumi.secret(seed) },
  access: { gateway },
});

/** Which objects there are, by which names, and what is kept of them: test/recorded and upgrade.test.ts. */
it("shows no secret in its preview, every name of it in known_hosts, and its objects below itself", async () => {
  const { output, steps } = await preview(() => ({
    ...minimal(),
    // Plain, as someone may write it: the component marks it.
    hostKey: { seed, next: { seed, generation: 2 } },
  }));
  expect(output).not.toContain(seed);
  expect(output).not.toContain("OPENSSH PRIVATE KEY");
  const names = "dev1.team-a.dev.example.com,dev1.team-a.svc.cluster.local ssh-ed25519";
  expect(output.split(names).length - 1).toBe(2);
  expect(steps.filter(({ parent }) => parent === "dev1").length).toBe(steps.length - 1);
});

describe("bad arguments", () => {
  it("are reported all at once, and nothing is registered", async () => {
    const { names, said, failed } = await preview(() => ({
      namespace: "Team A",
      image: "ubuntu",
      authorizedKeys: ["-----BEGIN OPENSSH PRIVATE KEY-----"],
      hostKey: { seed: "hunter2" },
      persist: { paths: ["/home/jovyan/x"] },
    }));
    expect(failed).toBe(true);
    expect(names).toEqual([]);
    expect(said.join("\n")).toContain(
      'DevContainer "dev1": 6 faults in its arguments, nothing of it was created:',
    );
    expect(said.join("\n")).not.toContain("hunter2");
  });

  it("of all components are reported in one run; what uses those is not made, the others are", async () => {
    class Box extends pulumi.ComponentResource {
      readonly container: DevContainer;
      constructor(args: DevContainerArgs) {
        super("test:index:Box", "box");
        this.container = new DevContainer("boxed", args, { parent: this });
        this.registerOutputs({ sshConfig: this.container.sshConfig });
      }
    }
    const { said, failed, names } = await previewed(async () => {
      const faulty = new SshGateway("ssh", { domain: "Dev" });
      const users = new DevContainer("users", { ...minimal(), access: { gateway: faulty.ref } });
      // A fault of its own beside one that follows from the gateway's.
      new DevContainer("both", { ...minimal(), image: "ubuntu", access: { gateway: faulty.ref } });
      new DevContainer("later", { ...minimal(), name: "later", image: pulumi.output("ubuntu") });
      const { container } = new Box({ ...minimal(), image: "UPPER:1" });
      const inner = { parent: container, dependsOn: [faulty, container.children.workload] };
      new k8s.core.v1.ConfigMap("inner", { metadata: { namespace: "team-a" } }, inner);
      new DevContainer("none", { namespace: "team-a", image: "x:1", ssh: { mode: "none" } });
      const names = [container instanceof DevContainer, faulty instanceof DevContainer];
      expect(names).toEqual([true, false]);
      const { metadata } = users.children.workload;
      const service = faulty.children["load-balancer"]?.metadata.name;
      return {
        users: users.sshConfig,
        name: metadata.name,
        service,
        all: pulumi.all([faulty.address, users.url]),
      };
    });
    expect(failed).toBe(true);
    const unpinned = '- image: "ubuntu" is not a pinned image';
    const none = "in its arguments, nothing of it was created:";
    // Of an inline program Pulumi says again what it ended with.
    expect([...new Set(said)].map((text) => text.split("; ")[0]).sort()).toEqual([
      `DevContainer "both": 1 fault ${none}\n  ${unpinned}`,
      `DevContainer "boxed": 1 fault ${none}\n  - image: "UPPER:1" has capitals in the image's name, which no registry takes`,
      `DevContainer "later": 1 fault in its arguments, what uses them was not made:\n  ${unpinned}`,
      `SshGateway "ssh": 2 faults ${none}\n  - domain: "Dev" is not a domain name`,
    ]);
    const made = ["box", "later", "none", "none-disruption", "none-home", "none-network", "none-service"];
    expect(names).toEqual([...made, "none-workload"]);
  });

  it("that are known only later are reported all at once when they are, and nothing is made of them", async () => {
    const later = (value: string) => pulumi.output(Promise.resolve(value));
    const { said, failed, names } = await preview(() => ({
      ...minimal(),
      namespace: later("Team A"),
      image: later("ubuntu"),
      env: { GREETING: later("two\nlines") },
    }));
    expect(failed).toBe(true);
    expect(said.join("\n")).toContain(
      [
        'DevContainer "dev1": 3 faults in its arguments, what uses them was not made:',
        "  - env.GREETING: has a line break, which cannot be passed into an SSH session; mount it as a file instead",
        '  - image: "ubuntu" is not a pinned image; add a tag other than "latest" or a digest, like "ubuntu:24.04" or "…@sha256:…"',
        '  - namespace: "Team A" is not a DNS label; use at most 63 lower-case letters, digits and inner hyphens',
      ].join("\n"),
    );
    expect(said.join("\n")).not.toContain("    at ");
    expect(names).toEqual(["dev1"]);
  });

  it("that only together are wrong are compared when they are known", async () => {
    const { said, failed, names } = await preview(() => ({
      ...minimal(),
      root: true,
      team: { namespace: "team-b", root: true },
      namespace: pulumi.output(Promise.resolve("team-a")),
    }));
    expect(failed).toBe(true);
    expect(said.join("\n")).toContain(
      "  - team.namespace: is team-b, but the container is in team-a; set its own",
    );
    expect(names).toEqual(["dev1"]);
  });

  it("of which an output has no value name it, beside the faults that follow", async () => {
    const none = new Promise<undefined>((resolve) => resolve(undefined));
    const { said } = await preview(() => ({
      ...minimal(),
      env: { OPTIONAL: "1" },
      access: { gateway: pulumi.output(none) as never, address: pulumi.output(none) as never },
    }));
    expect(said.join("\n")).toMatch(
      /^ {2}- access: has no way in.*\nOutputs without a value: access\.gateway; does the other stack export them\?$/m,
    );
  });

  it("that are secret and known only later are reported without their value", async () => {
    const { said, failed } = await preview(() => ({
      ...minimal(),
      hostKey: { seed: pulumi.secret("hunter2") },
      image: pulumi.secret("hunter3"),
    }));
    expect(failed).toBe(true);
    expect(said.join("\n")).toMatch(/hostKey.seed: is too short; use at least 32 characters/);
    expect(said.join("\n")).toMatch(
      /image: is a secret, and this argument ends in objects that are readable/,
    );
    expect(said.join("\n")).not.toMatch(/hunter[23]/);
  });
});

describe("a secret in env", () => {
  it("is one error that names it, known or not, and no object is made", async () => {
    const { said, failed, names } = await preview(() => {
      const { id } = new k8s.core.v1.ConfigMap("source", { metadata: { namespace: "team-a" } });
      return {
        ...minimal(),
        env: { KNOWN: pulumi.secret("hunter4"), UNKNOWN: pulumi.secret(id), PLAIN: "1" },
        secretEnv: { TOKEN: pulumi.secret(id) },
      };
    });
    expect(failed).toBe(true);
    const told =
      "is a secret, and env is readable in the cluster; move it to secretEnv, or wrap it in pulumi.unsecret() if it is not sensitive";
    expect(said.join("\n")).toContain(
      [
        'DevContainer "dev1": 2 faults in its arguments, what uses them was not made:',
        `  - env.KNOWN: ${told}`,
        `  - env.UNKNOWN: ${told}`,
      ].join("\n"),
    );
    expect(said.join("\n")).not.toContain("hunter4");
    expect(names).toEqual(["dev1", "source"]);
  });
});

it("hands its time-outs on to what it makes", async () => {
  const waits: unknown[] = [];
  const seen: pulumi.ResourceTransform = ({ name, opts }) => {
    if (name === "dev1-workload") waits.push((opts as pulumi.CustomResourceOptions).customTimeouts);
    return undefined;
  };
  const customTimeouts = { create: "3m", update: "4m" };
  await preview(minimal, { customTimeouts, transforms: [seen] });
  expect(waits).toEqual([expect.objectContaining(customTimeouts)]);
});

describe("a namespace of the program's own", () => {
  const warned = async (namespace: () => pulumi.Input<string>) =>
    (await preview(() => ({ ...minimal(), namespace: namespace() }))).warnings;
  const made = (opts?: pulumi.CustomResourceOptions) =>
    new k8s.core.v1.Namespace("team", { metadata: { name: "team-a" } }, opts);

  it("is warned of once, since pulumi destroy takes the homes with it", async () => {
    const warnings = [
      expect.stringMatching(
        /pulumi destroy deletes the Namespace "team" with every home and storage in it, unless it has the option retainOnDelete: true; if it has, set namespace as text, with dependsOn, and this warning ends/,
      ),
    ];
    expect(await warned(() => made().metadata.name)).toEqual(warnings);
    expect(await warned(() => pulumi.interpolate`${made().id}`)).toEqual(warnings);
    expect(
      await warned(() => {
        const { name } = made().metadata;
        return new Team("team-a", { namespace: name, createNamespace: false }).namespace;
      }),
    ).toEqual(warnings);
  });

  it("is not warned of if it is protected, text, a team's or of another kind", async () => {
    expect(await warned(() => made({ protect: true }).metadata.name)).toEqual([]);
    expect(await warned(() => "team-a")).toEqual([]);
    expect(await warned(() => new Team("team-a").namespace)).toEqual([]);
    expect(
      await warned(
        () => new k8s.core.v1.ConfigMap("c", { metadata: { namespace: "team-a" } }).metadata.namespace,
      ),
    ).toEqual([]);
  });
});

describe("values that other resources bring", () => {
  it("may name the namespace: the steps are those of a plain one, known or not", async () => {
    const plain = await preview(minimal);
    const later = await preview(() => {
      const namespace = new k8s.core.v1.Namespace("team", { metadata: { name: "team-a" } });
      return { ...minimal(), namespace: namespace.metadata.name };
    });
    const unknown = await preview(() => {
      const namespace = new k8s.core.v1.Namespace("team");
      return { ...minimal(), namespace: pulumi.interpolate`${namespace.id}` };
    });
    expect([plain, later, unknown].map(({ said, failed }) => [said, failed])).toEqual(
      Array.from({ length: 3 }, () => [[], false]),
    );
    expect(later.names).toEqual([...plain.names, "team"]);
    expect(unknown.names).toEqual(later.names);
  });

  it("stand wherever they do not decide what is made, and nobody waits for them in a preview", async () => {
    const values: string[] = [];
    const { names, failed, said } = await preview(() => {
      const registry = new k8s.core.v1.Secret("registry", { metadata: { namespace: "team-a" } });
      const unknown = registry.id;
      const image = pulumi.interpolate`registry.example.com/dev@sha256:${unknown}`;
      values.push("made");
      return {
        ...minimal(),
        image,
        pod: { imagePullSecrets: [registry.metadata.name] },
        env: { UID: unknown },
        mounts: [
          { claimName: registry.metadata.name, mountPath: "/shared" },
          { secretName: registry.metadata.name, mountPath: "/secrets/registry" },
        ],
        trustedCa: { configMapName: registry.metadata.name },
        serviceAccount: { name: registry.metadata.name },
        home: { size: unknown, storageClassName: unknown },
        persist: { paths: ["/opt/conda"], claimName: unknown },
        resources: {
          requests: { cpu: unknown },
          limits: { cpu: unknown },
          memory: unknown,
          ephemeralStorage: unknown,
        },
        scheduling: { priorityClassName: unknown },
        ssh: { mode: "injected", image },
      };
    });
    expect(said).toEqual([]);
    expect(failed).toBe(false);
    expect(values).toEqual(["made"]);
    expect(names).toEqual([
      "dev1",
      "dev1-authorized-keys",
      "dev1-disruption",
      "dev1-home",
      "dev1-host-key",
      "dev1-network",
      "dev1-route",
      "dev1-service",
      "dev1-sshd",
      "dev1-workload",
      "registry",
    ]);
  });
});

describe("with a program's own default provider", () => {
  /** What becomes of the objects with keys when one and a next host key are added. */
  async function changedWith(config: Readonly<Record<string, string>>) {
    const kept: KeptSecrets = new Map();
    const program = (args: Partial<DevContainerArgs>) => async () => {
      keepSecrets(kept);
      const base = { namespace: "team-a", image: "registry.example.com/dev:1.0.0", access: { gateway } };
      new DevContainer("dev1", { ...base, authorizedKeys: [key], hostKey: { seed }, ...args });
    };
    const { stack, setProgram, removeState } = await testStack(program({}), { env: noCluster });
    try {
      for (const [name, value] of Object.entries(config)) await stack.setConfig(name, { value });
      await pretendUp(stack, kept);
      setProgram(program({ authorizedKeys: [key, bob], hostKey: { seed, next: { seed: `${seed}-next` } } }));
      const { steps } = JSON.parse(await previewDigest(stack)) as { steps: { op: string; urn: string }[] };
      const ofKeys = steps.filter(({ urn }) => /::dev1-(authorized-keys|host-key)$/.test(urn));
      return [...new Set(ofKeys.map(({ op }) => op))].sort();
    } finally {
      await removeState();
    }
  }

  it("keys change in place by two values of the configuration, and else with new objects", async () => {
    const mutable = { "kubernetes:enableConfigMapMutable": "true", "kubernetes:enableSecretMutable": "true" };
    expect(await changedWith(mutable)).toEqual(["update"]);
    expect(await changedWith({})).toEqual(["replace"]);
  });
});
