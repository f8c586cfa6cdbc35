/** Ways to widen access that a stack file can take, as real previews: each is stopped, its daily twin is reported. */
import { DevContainer, SshGateway, StorageAccessor } from "@drawbridge-iac/drawbridge";
import { describe, expect, it } from "vitest";
import { bob, containerBase, gateway } from "../support/field-edits/container-base.ts";
import type { FieldEdits } from "../support/field-edits/edit.ts";
import { gatewayBase } from "../support/field-edits/gateways.ts";
import { storageBase } from "../support/field-edits/storages.ts";
import { type Make, untouched, verdicts } from "./edits-preview.fixture.ts";

const mutual = { access: { gateway: { ...gateway, plainPort: undefined, tlsPort: 443, mutualTls: true } } };
const alice = "spiffe://example.com/user/alice";
const demanded = { access: { ...mutual.access, allowIdentities: [alice] } };
const proxy = { name: "files", namespace: "files", address: "192.0.2.9" };
const reader = { user: "alice", password: "only-for-tests-alice" };
const storage = { browse: { proxy, credentials: [reader], actions: ["upload"] } };

const containers: FieldEdits = {
  "allowIdentities removed": {
    from: demanded,
    to: { access: { allowIdentities: undefined } },
    verdict: "certificate-dropped harmless",
  },
  "allowIdentities of one more person": {
    from: demanded,
    to: { access: { allowIdentities: [alice, "spiffe://example.com/user/bob"] } },
    verdict: "harmless gains",
  },
  "egress to metadata and 10/8": {
    to: { egress: { allow: [{ cidr: "169.254.169.254/32" }, { cidr: "10.0.0.0/8" }] } },
    verdict: "network-wall harmless",
  },
  "egress to the internet": {
    from: { egress: { internet: false } },
    to: { egress: { internet: true } },
    verdict: "harmless gains",
  },
  "a foreign user CA": { to: { userCa: { keys: [bob] } }, verdict: "foreign-ca restarts" },
  "one more key": {
    to: { authorizedKeys: [...containerBase.authorizedKeys, bob] },
    verdict: "harmless gains",
  },
  "a token of the Kubernetes API": {
    to: { serviceAccount: { token: true } },
    verdict: "pod-privileges restarts",
  },
  "another account without a token": { to: { serviceAccount: { name: "data" } }, verdict: "restarts gains" },
};
const gateways: FieldEdits = {
  "no admission policy": { to: { admissionPolicy: false }, verdict: "wall-removed harmless" },
  "an admission policy": {
    from: { admissionPolicy: false },
    to: { admissionPolicy: true },
    verdict: "harmless loses",
  },
};
const storages: FieldEdits = {
  "one more writer": {
    from: storage,
    to: { browse: { ...storage.browse, credentials: [{ ...reader, write: true }] } },
    verdict: "write-credential restarts",
  },
  "one more reader": {
    from: storage,
    to: { browse: { ...storage.browse, credentials: [reader, { ...reader, user: "bob" }] } },
    verdict: "restarts gains",
  },
};

const kinds: Readonly<Record<string, readonly [FieldEdits, Make, (name: string) => object]>> = {
  container: [
    containers,
    (name, args, opts) => new DevContainer(name, args as never, opts),
    () => containerBase,
  ],
  gateway: [gateways, (name, args, opts) => new SshGateway(name, args as never, opts), gatewayBase],
  storage: [
    storages,
    (name, args, opts) => new StorageAccessor(name, args as never, opts),
    () => storageBase,
  ],
};

describe.each(Object.entries(kinds))("an opening of a %s", (_, [edits, make, base]) => {
  it("is stopped, and its daily twin is not", { timeout: 1_800_000 }, async () => {
    expect(await verdicts(edits, make, base as never)).toEqual({
      [untouched]: "unchanged",
      ...Object.fromEntries(Object.entries(edits).map(([name, { verdict }]) => [name, verdict])),
    });
  });
});
