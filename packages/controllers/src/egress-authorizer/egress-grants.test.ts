import { expect, it } from "vitest";
import { parseEgressGrant, podAddresses } from "./egress-grants.ts";

const tokenSha256 = "0".repeat(64);
const grant = { tokenSha256, hosts: "pypi.org\n*.example.com\n\n", podName: "nb-0" };

it("is a hash, a list and a pod", () => {
  expect(parseEgressGrant({ data: grant })).toEqual({
    tokenSha256,
    hosts: new Set(["pypi.org", "*.example.com", ""]),
    podName: "nb-0",
  });
  expect(parseEgressGrant({ data: { ...grant, hosts: undefined } })?.hosts).toEqual(new Set([""]));
  for (const missing of ["tokenSha256", "podName"])
    expect(parseEgressGrant({ data: { ...grant, [missing]: undefined } })).toBe(undefined);
  expect(parseEgressGrant({})).toBe(undefined);
});

it.each([
  { ...grant, podName: "../secrets" },
  { ...grant, podName: "nb-0?watch=1" },
  { ...grant, podName: "nb-0/log" },
  { ...grant, podName: ".." },
  { ...grant, podName: "" },
  { ...grant, podName: "a".repeat(254) },
  { ...grant, tokenSha256: "00ff" },
])("%j is none", (data) => {
  expect(() => parseEgressGrant({ data })).toThrow();
});

it("asks for the one pod by its name", async () => {
  const asked: string[] = [];
  const api = {
    get: async <T>(path: string) => {
      asked.push(path);
      return { status: { podIPs: [{ ip: "10.244.0.7" }, { ip: "fd00::7" }] } } as T;
    },
  };
  const problems = { tell: () => undefined, solved: () => undefined };
  expect(await podAddresses(api, problems)({ namespace: "team-a", name: "nb-0" })).toEqual([
    "10.244.0.7",
    "fd00::7",
  ]);
  expect(asked).toEqual(["/api/v1/namespaces/team-a/pods/nb-0"]);
});
