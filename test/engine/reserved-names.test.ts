/** Names that two components of one program want: refused before anything is registered. */
import { DevContainer, SshGateway, StorageAccessor, Team } from "@drawbridge-iac/drawbridge";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { stateResources, unreachableKubeconfig } from "../../scripts/lib/engine/engine.ts";
import { previews } from "../support/previewed.ts";

const { opened, previewed } = previews();

/** Previews a program; the error lines of its outcome, or "" if it went well. */
const outcome = async (program: () => void) =>
  // The engine indents its errors.
  (await previewed(async () => void program())).said.join("\n").replace(/^ +/gm, "");

const domain = "dev.example.com";
const gateway = { name: "ssh", namespace: "ssh", domain, plainPort: 80, address: "192.0.2.7" };
const container = (logicalName: string, args = {}, opts = {}) =>
  new DevContainer(
    logicalName,
    {
      name: "dev1",
      namespace: "team-a",
      image: "devcontainer:1",
      authorizedKeys: [
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice",
      ],
      hostKey: { seed: "engine-test-seed-0123456789abcdef0123456789" },
      access: { gateway },
      ...args,
    },
    opts,
  );

it("refuses a second gateway with the same domain, and takes one with another", async () => {
  const two = (other: string) =>
    outcome(() => {
      new SshGateway("first", { domain, loadBalancer: { preset: "generic" } });
      new SshGateway("second", { domain: other, loadBalancer: { preset: "generic" } });
    });
  expect(await two("dev.example.org")).toBe("");
  expect(await two(domain)).toContain(
    [
      'SshGateway "second": 1 fault in its arguments, nothing of it was created:',
      '- domain: "dev.example.com" already belongs to SshGateway "first"; set a different domain for each gateway of a cluster',
    ].join("\n"),
  );
});

it("refuses a second team of one namespace, and takes one of another or of another cluster", async () => {
  const two = (namespace: string, opts = () => ({})) =>
    outcome(() => {
      new Team("first", { namespace: "team-a" });
      new Team("second", { namespace, createNamespace: false }, opts());
    });
  const elsewhere = () => ({ provider: new k8s.Provider("west", { kubeconfig: unreachableKubeconfig }) });
  expect(await two("team-b")).toBe("");
  expect(await two("team-a", elsewhere)).toBe("");
  expect(await two("team-a")).toContain(
    [
      'Team "second": 1 fault in its arguments, nothing of it was created:',
      '- namespace: "team-a" is the namespace of Team "first" already; set a different namespace for each team',
    ].join("\n"),
  );
});

it("refuses a second container with the same host, and takes one in another namespace", async () => {
  const two = (namespace: string) =>
    outcome(() => {
      container("one");
      container("two", { namespace });
    });
  expect(await two("team-b")).toBe("");
  expect(await two("team-a")).toContain(
    [
      'DevContainer "two": 2 faults in its arguments, nothing of it was created:',
      '- name: "dev1.team-a.dev.example.com" already belongs to DevContainer "one"; set another name or namespace for one of the two',
      '- name: "dev1.team-a.svc.cluster.local" already belongs to DevContainer "one"; set another name or namespace for one of the two',
    ].join("\n"),
  );
});

it("refuses a host key that is derived for another container, before it or after it, in any cluster", async () => {
  const seed = "engine-test-seed-0123456789abcdef0123456789";
  const taken = { name: "dev3", hostKey: { seed, identity: "team-a/dev1" } };
  const said = (owner: string) =>
    `- hostKey.identity: "team-a/dev1" is what the host key of DevContainer "${owner}" is derived for`;
  expect(await outcome(() => [container("one"), container("three", taken)])).toContain(said("one"));
  expect(await outcome(() => [container("three", taken), container("one")])).toContain(said("three"));
  const elsewhere = () => ({ provider: new k8s.Provider("other", { kubeconfig: unreachableKubeconfig }) });
  expect(await outcome(() => [container("one"), container("three", taken, elsewhere())])).toContain(
    said("one"),
  );
  const own = { name: "dev3", hostKey: { seed, identity: "team-a/dev3/east" } };
  expect(await outcome(() => [container("one"), container("three", own, elsewhere())])).toBe("");
});

it("takes the same names in two clusters, and knows a provider that a parent hands down", async () => {
  const inCluster = (handDown: boolean) =>
    outcome(() => {
      const other = new k8s.Provider("other", { kubeconfig: unreachableKubeconfig });
      const gatewayThere = new SshGateway(
        "there",
        { domain, loadBalancer: { preset: "generic" } },
        { provider: other },
      );
      const opts = handDown ? { parent: gatewayThere } : {};
      new SshGateway("here", { domain, loadBalancer: { preset: "generic" } }, opts);
    });
  expect(await inCluster(false)).toBe("");
  expect(await inCluster(true)).toContain(
    '"dev.example.com" already belongs to SshGateway "there"; set a different domain for each gateway of a cluster',
  );
});

it("refuses a name that is known later, when it is known", async () => {
  const later = (namespace: string) => pulumi.output(Promise.resolve(namespace));
  const two = (namespace: string) =>
    outcome(() => {
      container("one", { namespace: later("team-a") });
      container("two", { namespace: later(namespace) });
    });
  expect(await two("team-b")).toBe("");
  expect(await two("team-a")).toMatch(
    /"(one|two)": 2 faults in its arguments, what uses them was not made:\n- name: "dev1\.team-a\.dev\.example\.com" already belongs to DevContainer "(one|two)"/,
  );
});

it("takes two storages of one name in two clusters, and refuses them in one", async () => {
  const two = (isOther: boolean) =>
    outcome(() => {
      const provider = new k8s.Provider("other", { kubeconfig: unreachableKubeconfig });
      new StorageAccessor("here", { name: "models", namespace: "team-a" });
      new StorageAccessor("there", { name: "models", namespace: "team-a" }, isOther ? { provider } : {});
    });
  expect(await two(true)).toBe("");
  expect(await two(false)).toContain(
    '- name: "/storage/team-a/models" already belongs to StorageAccessor "here"; set another name or namespace for one of the two',
  );
});

it("forgets everything with the run of the program", async () => {
  const one = () => outcome(() => container("one"));
  expect([await one(), await one()]).toEqual(["", ""]);
  expect(await stateResources(opened.stack)).toEqual([]);
});
