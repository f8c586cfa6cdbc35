/** Objects of no namespace are named after their component's namespace and name: those of two components never meet. */
import { expect, it } from "vitest";
import { parseArgs } from "./kit/args-error.ts";
import type { Descriptor } from "./kubernetes/descriptor.ts";
import { registry } from "./registry.ts";

const balancer = {
  domain: "dev.example.com",
  loadBalancer: { preset: "generic" },
  idle: { image: "registry.example.com/programs:1" },
  egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
};
const root = { root: { containersInside: true } };
const places = ["a", "a-b", "a-b-c", "platform", "team", "root"];
const names = ["a", "c", "b-c", "root", "teams", "team-a"];

/** What the component has in no namespace, by kind and name. */
function namesOf({ title, args, plan, objects }: Descriptor, name: string, given: object): string[] {
  const made = objects(plan(name, parseArgs(title, name, args, given)) as never, {} as never);
  return Object.values(made).flatMap((one) => {
    if (!one) return [];
    const { kind, metadata } = one.manifest;
    return kind === "Namespace" || metadata.namespace !== undefined ? [] : [`${kind} ${metadata.name}`];
  });
}
const component = (title: string) => registry.find((one) => one.title === title) as Descriptor;

it("no two have the same", () => {
  const all = [
    ...places.flatMap((namespace) =>
      names.flatMap((name) => namesOf(component("SshGateway"), name, { ...balancer, namespace })),
    ),
    ...places.flatMap((namespace) => namesOf(component("Team"), namespace, root)),
    ...names.flatMap((name) => namesOf(component("TeamPolicies"), name, {})),
  ];
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});
