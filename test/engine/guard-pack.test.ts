/**
 * The policy pack in Pulumi's own analyzer: what it refuses in a preview and before `up` makes it, that an accepted line
 * lets it through, and that the guard says the same of what both can judge. A provider that writes files needs no cluster.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DevContainer } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { beforeAll, expect, it } from "vitest";
import { containerBase } from "../../packages/drawbridge/src/host/base.trials.ts";
import { libraryVersion } from "../../packages/drawbridge/src/kit/library-version.ts";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { judge, parseBounds, readWholePreview } from "../../packages/guard/src/index.ts";
import { previewDigest, whole } from "../../scripts/lib/engine/digest.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { starter } from "../support/engine/pulumi-release.ts";

type Options = pulumi.ComponentResourceOptions;
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** A transform that changes a property of the objects of one type. */
const changing = (type: string, property: string, to: (was: unknown) => unknown): Options => ({
  transformations: [
    (one) =>
      one.type === type
        ? { props: { ...one.props, [property]: to(one.props[property]) }, opts: one.opts }
        : undefined,
  ],
});
const container = (name: string, opts: Options, args: object = {}) =>
  new DevContainer(name, { ...containerBase, ...args } as never, opts);

/** A component that only has the name of one of ours. */
class Fake extends pulumi.ComponentResource {
  constructor(opts: Options) {
    super(
      "drawbridge:index:TeamMembers",
      "fake",
      { namespace: "team-a", library: { version: libraryVersion } },
      opts,
    );
    const metadata = { name: "fake", namespace: "team-a" };
    const spec = { podSelector: {}, ingress: [{}] };
    new k8s.networking.v1.NetworkPolicy("fake", { metadata, spec }, { parent: this });
  }
}

interface Made {
  readonly make: (isChanged: boolean, provider: k8s.Provider, later: pulumi.Output<string>) => unknown;
  /** What is found, but for hashes. */
  readonly finding: string;
  /** Whether a preview shows it to the guard, and to the pack. */
  readonly seenBy: "both" | "pack" | "up";
}

const changes: Readonly<Record<string, Made>> = {
  "another host key by a transform": {
    make: (isChanged, provider) =>
      container("key", {
        provider,
        ...(isChanged &&
          changing("kubernetes:core/v1:Secret", "data", () => ({ ssh_host_ed25519_key: base64("mine") }))),
      }),
    finding:
      "foreign-change Secret team-a/key-host-key: data.ssh_host_ed25519_key is not what the arguments of key say",
    seenBy: "pack",
  },
  "a NetworkPolicy that a transform widens": {
    make: (isChanged, provider) =>
      container("wall", {
        provider,
        ...(isChanged &&
          changing("kubernetes:networking.k8s.io/v1:NetworkPolicy", "spec", (spec) => ({
            ...(spec as object),
            egress: [...(spec as { egress: object[] }).egress, {}],
          }))),
      }),
    finding: "foreign-change NetworkPolicy team-a/wall: spec.egress.2 is not what the arguments of wall say",
    seenBy: "both",
  },
  "somebody's ClusterRoleBinding": {
    make: (isChanged, provider) => {
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "admin" };
      const subjects = [{ kind: "User", name: "bob", apiGroup: "rbac.authorization.k8s.io" }];
      if (isChanged)
        new k8s.rbac.v1.ClusterRoleBinding(
          "bob",
          { metadata: { name: "bob" }, roleRef, subjects },
          { provider },
        );
    },
    finding:
      "cluster-rights ClusterRoleBinding bob: no component made this ClusterRoleBinding, and what it opens is not judged",
    seenBy: "both",
  },
  "a component that only has our name": {
    make: (isChanged, provider) => isChanged && new Fake({ provider }),
    finding:
      "network-wall NetworkPolicy team-a/fake: no component made this NetworkPolicy, and what it opens is not judged",
    seenBy: "both",
  },
  "a pod with a home of another stack's": {
    make: (isChanged, provider) => {
      if (!isChanged) return;
      const volumes = [{ name: "home", persistentVolumeClaim: { claimName: "dev1-home" } }];
      const securityContext = { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } };
      const own = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
      const containers = [{ name: "a", image: "a:1", securityContext: own }];
      const spec = { automountServiceAccountToken: false, securityContext, containers, volumes };
      new k8s.core.v1.Pod("taker", { metadata: { name: "taker", namespace: "team-b" }, spec }, { provider });
    },
    finding:
      "pod-privileges Pod team-b/taker: no component made it, and its namespace team-b is none of this stack's",
    seenBy: "both",
  },
  "a variable of a Secret that another stack has": {
    make: (isChanged, provider) =>
      container(
        "reader",
        { provider },
        isChanged ? { namespace: "team-b", envFrom: [{ secretRef: { name: "dev1-env" } }] } : {},
      ),
    finding:
      "pod-privileges DevContainer reader: it refers to core/Secret team-b/dev1-env, which this preview does not show: whose it is, is not known",
    seenBy: "both",
  },
  "a variable that only `up` knows, in the place of another": {
    make: (isChanged, provider, later) =>
      container(
        "later",
        {
          provider,
          ...(isChanged &&
            changing("kubernetes:core/v1:Secret", "data", (data) =>
              pulumi
                .output(data as Record<string, string>)
                .apply((known) => ("TOKEN" in known ? { TOKEN: base64("mine") } : known)),
            )),
        },
        { secretEnv: { TOKEN: pulumi.secret(later) } },
      ),
    finding: "foreign-change Secret team-a/later-env: data.TOKEN is not what the arguments of later say",
    seenBy: "up",
  },
};

/** What the platform knows: where the stack's own objects are. */
const own = { namespaces: ["team-a"] };
const pack = join(process.cwd(), "packages/guard");
const folder = temporaryFolder();
beforeAll(async () => {
  // A release of Pulumi brings it along.
  const run = join(process.cwd(), "node_modules/@pulumi/pulumi/cmd/run-policy-pack");
  const text = starter(process.execPath, "--disable-warning=ExperimentalWarning", run);
  await writeFile(join(folder, "pulumi-analyzer-policy-nodejs"), text, { mode: 0o755 });
});

/** A stack with some of the changes, and what the pack finds in it. */
async function stackWith(changed: readonly string[], accepted: readonly object[] = []) {
  const { stack, removeState } = await testStack(async () => {
    const provider = new k8s.Provider("files", { renderYamlToDirectory: join(folder, "yaml") });
    const first = new k8s.core.v1.ConfigMap(
      "first",
      { metadata: { name: "first", namespace: "team-a" } },
      { provider },
    );
    for (const [name, { make }] of Object.entries(changes))
      make(changed.includes(name), provider, pulumi.interpolate`from ${first.id}`);
  });
  const { workspace } = stack;
  workspace.envVars = {
    ...workspace.envVars,
    PATH: `${folder}:${workspace.envVars.PATH}`,
    NODE_OPTIONS: "--conditions=@drawbridge/source",
  };
  const config = join(folder, `${changed.length}-${accepted.length}.json`);
  await writeFile(config, JSON.stringify({ objects: { accepted, bounds: own } }));
  const found = async (operation: "preview" | "up") => {
    const texts: string[] = [];
    const onEvent = ({ policyEvent }: EngineEvent) => {
      // The policy's description comes first.
      if (policyEvent !== undefined)
        texts.push(withoutHash(policyEvent.message.trim().split("\n").at(-1) ?? ""));
    };
    const options = { onEvent, policyPacks: [pack], policyPackConfigs: [config] };
    const error = await stack[operation](options).then(
      () => undefined,
      (reason: Error) => reason,
    );
    if (error !== undefined && texts.length === 0) throw error;
    return texts.sort();
  };
  return { stack, found, removeState };
}

const withoutHash = (text: string) => text.replaceAll(/ \([0-9a-f]{40}\)/g, "");
const findingsOf = (...seenBy: Made["seenBy"][]) =>
  Object.values(changes)
    .filter((one) => seenBy.includes(one.seenBy))
    .map(({ finding }) => finding)
    .sort();

it("finds nothing in objects that are what their arguments say", async () => {
  const { found, removeState } = await stackWith([]);
  expect(await found("preview")).toEqual([]);
  expect(await found("up")).toEqual([]);
  await removeState();
});

it("refuses in a preview what the guard refuses, and what hides in Secrets", async () => {
  const { stack, found, removeState } = await stackWith(Object.keys(changes));
  expect(await found("preview")).toEqual(findingsOf("both", "pack"));
  const { refused, unjudged } = judge(
    readWholePreview(await previewDigest(stack, whole)),
    [],
    new Date(),
    parseBounds(own, "bounds"),
  );
  const said = [...refused, ...unjudged].map(
    ({ rule, object, text }) => `${rule} ${object}: ${withoutHash(text)}`,
  );
  expect(said.sort()).toEqual(findingsOf("both"));
  await removeState();
});

it.each(Object.keys(changes))("refuses at `up`: %s", async (name) => {
  const { found, removeState } = await stackWith([name]);
  expect(await found("up")).toEqual([changes[name]?.finding]);
  await removeState();
});

it("lets through what is accepted", async () => {
  const until = new Date().toISOString().slice(0, 10);
  const accepted = Object.values(changes).map(({ finding }) => {
    const [, rule, object, what] = /^(\S+) (.*?): (.*)$/.exec(finding) ?? [];
    return { rule, object, what: `${what}*`, until };
  });
  const { found, removeState } = await stackWith(Object.keys(changes), accepted);
  expect(await found("up")).toEqual([]);
  await removeState();
});
