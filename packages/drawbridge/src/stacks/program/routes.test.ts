/** What a team's file says of hosts that run already, as its stack gives it out and the command finds it. */

import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { findTargets } from "../../../../cli/src/targets.ts";
import { containerBase, gateway } from "../../host/base.trials.ts";
import { Secret } from "../../kit/secret.ts";
import { readStack } from "../read.ts";
import type { TeamStack } from "../read-team.ts";
import { withOutputs } from "./configuration.ts";
import { team } from "./team.ts";

const [hostKey = ""] = containerBase.authorizedKeys;

const file = {
  namespace: "team-a",
  createNamespace: false,
  gateway,
  containerDefaults: { image: containerBase.image, authorizedKeys: [hostKey] },
  containers: { dev1: {} },
  routeDefaults: { userName: "ubuntu", hostPublicKeys: [hostKey] },
  routes: { "legacy-box": { serviceName: "legacy" }, vm1: { serviceName: "vm1", port: 2022 } },
};

/** The routes that a team's file makes, and what its stack gives out. */
async function made() {
  const routes: Record<string, unknown> = {};
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      const { kind, spec } = inputs as { kind?: string; spec: { http: [{ route: [object] }] } };
      if (kind === "VirtualService") routes[name] = spec.http[0].route[0];
      return { id: name, state: inputs };
    },
    call: ({ inputs }) => inputs,
  });
  const values = {
    platform: undefined,
    team: file,
    frpSeed: undefined,
    hostKeySeed: new Secret("only-for-tests-0123456789abcdef0123456789abcdef"),
    platformOutputs: async () => ({}),
  };
  const { stack, faults } = await readStack(values, undefined);
  expect(faults).toEqual([]);
  const given = pulumi.output(team(withOutputs(stack as TeamStack)) as Record<string, pulumi.Input<unknown>>);
  const outputs = await new Promise<Record<string, unknown>>((resolve) => given.apply(resolve as never));
  await pulumi.runtime.disconnect();
  return { routes, outputs };
}

it("routes lead to Services of the team's namespace, and are given out as containers are", async () => {
  const { routes, outputs } = await made();
  const to = (name: string, number: number) => ({
    destination: { host: `${name}.team-a.svc.cluster.local`, port: { number } },
  });
  expect(routes).toEqual({
    "dev1-route": to("dev1", 22),
    "legacy-box-route": to("legacy", 22),
    "vm1-route": to("vm1", 2022),
  });
  const targets = findTargets(outputs).map(({ name, user, hostName, port }) => [name, user, hostName, port]);
  expect(targets).toEqual([
    ["dev1", "jovyan", "dev1.team-a.dev.example.com", 22],
    ["legacy-box", "ubuntu", "legacy-box.team-a.dev.example.com", 22],
    ["vm1", "ubuntu", "vm1.team-a.dev.example.com", 2022],
  ]);
  expect(Object.keys(outputs.routes as object)).toEqual(["legacy-box", "vm1"]);
  expect(String(outputs.sshConfig).match(/^Host .*$/gm)).toEqual([
    expect.stringContaining("dev1"),
    expect.stringContaining("legacy-box"),
    expect.stringContaining("vm1"),
  ]);
  const known = "[vm1.team-a.dev.example.com]:2022,[vm1.team-a.svc.cluster.local]:2022";
  expect(outputs.knownHosts).toContain(`${known} ${hostKey.replace(/ \w+$/, "")}\n`);
});
