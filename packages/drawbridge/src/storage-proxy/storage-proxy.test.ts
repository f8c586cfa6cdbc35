import { describe, expect, it } from "vitest";
import { parseArgs } from "../kit/args-error.ts";
import { cases, faultsFrom } from "../kit/faults.fixture.ts";
import { type StorageProxyInput, storageProxySchema } from "./args.ts";
import { type KnownStorageProxyPlan, planStorageProxy } from "./plan.ts";
import { proxyOrigin } from "./ref.ts";
import { visitorFilter } from "./visitor-filter.ts";

const loadBalancer = { preset: "generic" } as const;
const parsed = (args: object) =>
  parseArgs("StorageProxy", "files", storageProxySchema, { loadBalancer, ...args });
const plan = (args: Partial<StorageProxyInput> = {}) =>
  planStorageProxy("files", parsed(args)) as KnownStorageProxyPlan;

const faults = (args: object) => faultsFrom(() => parsed(args));

describe("proxy arguments", () => {
  it("take HTTPS", () => {
    const { port, scheme } = plan({ tls: { secretName: "files-tls" } });
    expect([port, scheme]).toEqual([443, "https"]);
  });

  it.each(cases`
    { port: 15020, resources: { memory: 512Mi } }
    { dnsName: "https://files.example.com" } → dnsName: "https://files.example.com" is not a domain name
    { egress: { dns: [192.0.2.1] } } → egress.dns[0]: "192.0.2.1" is not a network
    { hostname: x } → : unknown key "hostname"
    { port: 15021 } → port: 15021 is where the proxy answers whether it is ready
    { resources: { memory: 512m } } → resources.memory: "512m" is less than 1Mi
  `)("of %s", (_, args, said) => {
    expect(faults(args)).toEqual(said);
  });
});

it("what a browser plays outside of the sandbox sends no form", () => {
  expect(JSON.stringify(visitorFilter)).toContain("object-src 'self'; form-action 'none'; frame-ancestors");
});

describe("a proxy's address", () => {
  it.each([
    [{}, "files.example.com", "http://files.example.com"],
    [{ port: 8080 }, "192.0.2.7", "http://192.0.2.7:8080"],
    [{ scheme: "https" as const, port: 443 }, "files.example.com", "https://files.example.com"],
    [{}, "2001:db8::7", "http://[2001:db8::7]"],
  ])("of %j at %s is %s", (args, host, expected) => {
    expect(proxyOrigin({ scheme: "http", port: 80, ...args }, host)).toBe(expected);
  });
});
