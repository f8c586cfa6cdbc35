import { describe, expect, it } from "vitest";
import { judge } from "../guard.ts";
import { change, whole } from "../sample.ts";
import { parseBounds } from "./bounds.ts";

const today = new Date("2026-06-15T12:00:00Z");
const alice = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice\n";
const bob = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB bob\n";
const refusing = parseBounds({ openSessions: "refused" }, "bounds.yaml");

const dev1 = "DevContainer dev1";
const metadata = { name: "dev1", namespace: "team-a" };
const keys = (before: object, after: object, owner = dev1) =>
  change("ConfigMap", "dev1-authorized-keys", {
    of: owner,
    before: { metadata, data: before },
    after: { metadata, data: after },
  });
const withoutAlice = (owner?: string) =>
  keys({ authorized_keys: alice + bob }, { authorized_keys: bob }, owner);

type Spec = Record<string, unknown>;
const template = (since?: string, labels?: object) => ({
  metadata: { labels, annotations: { "drawbridge.dev/sessions-valid-from": since } },
});
const workload = (before: Spec, after: Spec, owner: string | undefined = dev1) =>
  change("StatefulSet", "dev1", {
    ...(owner === undefined ? {} : { of: owner }),
    before: { metadata, spec: before },
    after: { metadata, spec: after },
  });
const [old, renewed] = [{ template: template() }, { template: template("2026-06-15T12:00:00Z") }];

const judged = (...changes: ReturnType<typeof change>[]) => {
  const all = judge(whole(changes), [], today, refusing);
  return all.refused.filter(({ rule }) => rule === "session-left-open").map(({ text }) => text);
};

const aliceStays =
  'the key SHA256:hWiiFCdFrWMlecdWRDRKs1WCY90fN1/6wqemuALhdmA ("alice") loses access to dev1; ' +
  "open sessions go on until a new sessionsValidFrom replaces the pod";

describe("sessions of a removed key", () => {
  it("are reported by default, and refused where the bounds say so", () => {
    const { code, access } = judge(whole([withoutAlice()]), [], today);
    expect({ code, texts: access.map(({ text }) => text) }).toEqual({ code: 0, texts: [aliceStays] });
    expect(judged(withoutAlice())).toEqual([aliceStays]);
    expect(judged(keys({ authorized_keys: bob }, { authorized_keys: alice + bob }))).toEqual([]);
  });

  it.each([
    [
      "an authority",
      { user_ca_keys: alice + bob },
      { user_ca_keys: bob },
      /^certificates of .* no longer open dev1; /,
    ],
    [
      "a principal",
      { principals: "a\nb\n" },
      { principals: "a\n" },
      /^certificates for "b" no longer open dev1; /,
    ],
  ])("counts %s as well", (_, before, after, text) => {
    expect(judged(keys(before, after))).toEqual([expect.stringMatching(text)]);
    expect(judged(keys(before, after), workload(old, renewed))).toEqual([]);
  });

  it.each<[string, Spec, Spec, boolean]>([
    ["another time in its template", old, renewed, true],
    ["another size of the set alone", { ...old, replicas: 1 }, { ...old, replicas: 2 }, false],
    ["a container that is switched off", { ...old, replicas: 1 }, { ...old, replicas: 0 }, true],
    ["pods that only a person replaces", old, { ...renewed, updateStrategy: { type: "OnDelete" } }, false],
  ])("%s", (_, before, after, ends) => {
    expect(judged(withoutAlice(), workload(before, after))).toEqual(ends ? [] : [aliceStays]);
  });

  it("are not ended by another container's pod", () => {
    expect(judged(withoutAlice(), workload(old, renewed, "DevContainer dev2"))).toEqual([aliceStays]);
  });

  it("of an InjectedSshd end with the workload that has its template", () => {
    const own = "InjectedSshd dev1";
    const injected = (label: string, since?: string) => ({
      template: template(since, { "drawbridge.dev/sshd": label }),
    });
    const rolls = (label: string) =>
      workload(injected(label), injected(label, "2026-06-15T12:00:00Z"), undefined);
    expect(judged(withoutAlice(own), rolls("dev1"))).toEqual([]);
    expect(judged(withoutAlice(own), rolls("dev2"))).toEqual([aliceStays]);
  });
});
