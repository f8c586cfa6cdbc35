/** Teams have their policies whatever way in the platform offers: from the SSH gateway, or from the platform itself. */

import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import type { PlatformStack } from "../read-platform.ts";
import { platform } from "./platform.ts";

const frp = {
  domain: "ssh.example.com",
  authorizer: { image: "programs:1" },
  egress: { apiServer: [] },
  loadBalancer: { preset: "generic" },
  seed: "only-for-tests-0123456789abcdef0123456789abcdef",
};
const gateway = { domain: "dev.example.com", loadBalancer: { preset: "generic" } };

/** The outputs of the last platform. */
let made: Record<string, unknown>;

/** The names of the policies that a platform's file makes, each of which needs its binding. */
async function policies(file: object, ...teams: string[]): Promise<string[]> {
  const names: Record<string, string[]> = {};
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      const { kind, metadata } = inputs as { kind?: string; metadata?: { name: string } };
      if (kind?.startsWith("ValidatingAdmissionPolicy")) {
        names[kind] = [...(names[kind] ?? []), metadata?.name ?? ""];
      }
      return { id: name, state: { ...inputs, status: { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } } } };
    },
    call: ({ inputs }) => inputs,
  });
  const entries = teams.map((team) => [team, {}]);
  made = platform({ ...file, people: {}, teams: Object.fromEntries(entries) } as PlatformStack);
  await pulumi.runtime.disconnect();
  const { ValidatingAdmissionPolicy = [], ValidatingAdmissionPolicyBinding = [] } = names;
  expect(ValidatingAdmissionPolicyBinding.sort()).toEqual(ValidatingAdmissionPolicy.sort());
  return ValidatingAdmissionPolicy;
}

const ofTeams = [
  "service-entries",
  "team-addresses",
  "team-destination-rules",
  "team-egress",
  "team-egress-hosts",
  "team-etcd",
  "team-namespace",
  "team-platform",
  "team-pods",
  "team-quotas",
  "team-replicas",
  "team-routes",
  "team-service-entries",
  "team-services",
  "team-tokens",
];

it("with frp alone the platform makes the teams' policies", async () => {
  expect(await policies({ frp }, "team-a")).toEqual(
    ofTeams.map((name) => `drawbridge.team-policies.teams.${name}`),
  );
});

it("the egress gateway is made, and its ref is what teams read", async () => {
  await policies({ egressGateway: { authorizer: frp.authorizer, egress: { apiServer: [] } } });
  const { egressGateway } = made as { egressGateway: pulumi.Output<object> };
  await expect(new Promise((resolve) => egressGateway.apply(resolve))).resolves.toMatchObject({
    name: "egress",
    namespace: "egress",
  });
});

it("with a gateway they are the gateway's, and without teams there are none", async () => {
  const prefix = "drawbridge.ssh-gateway.ssh-ingress.ssh-ingress";
  expect(await policies({ gateway, frp }, "team-a")).toEqual(
    [prefix, ...["gateway-api", "gateways", ...ofTeams].map((name) => `${prefix}.${name}`)].sort(),
  );
  expect(await policies({ frp })).toEqual([]);
});
