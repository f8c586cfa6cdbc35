/** Containers inside: they reach the hosts that the container names, at build too, and nothing past the proxy. */
import type { EgressGateway } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kubectl } from "../../scripts/lib/lab/lab.ts";
import { Internet, machines } from "../support/lab/internet.ts";
import { testEgressGateway } from "../support/stacks/egress-stack.ts";
import { type EngineStack, engineStack, withEngine } from "./engine-stack.fixture.ts";

const team = "team-egress-inside";
const gateway = "egress-inside";

let internet: Internet;
let engine: EngineStack;

beforeAll(async () => {
  internet = await Internet.start({ "ok.test": [machines[0]], "other.test": [machines[1]] });
  engine = await engineStack(team, {
    dev: () => {
      const egress: EgressGateway = testEgressGateway(gateway);
      return { ...withEngine(team), egress: { gateway: egress, hosts: ["ok.test"] } };
    },
  });
  const { stack } = engine;
  await stack.output("dev", "true");
  await stack.laptop.scp(["-q", engine.baseArchive, "dev:base.tar"], 300);
  const load =
    "podman load -qi base.tar | sed 's/^Loaded image: //' | xargs -I{} podman tag {} localhost/base";
  expect(await stack.output("dev", load)).toBe("");
});

afterAll(async () => {
  await engine?.close();
  await kubectl(["delete", "namespace", gateway, "--ignore-not-found", "--wait=false"]);
  await internet?.remove();
});

const inside = (script: string) => engine.stack.output("dev", `${script} 2>&1`);

describe("by podman", () => {
  const container = (options: string, url: string) =>
    inside(`podman run --rm ${options} localhost/base wget -T 8 -qO- ${url}`);
  const building = (url: string) =>
    `printf 'FROM localhost/base\\nRUN wget -T 8 -qO- ${url}\\n' | podman build --no-cache -t built -`;

  it("a host that is named is reached, and at build", async () => {
    expect(await container("", "http://ok.test/x")).toContain('"url":"/x"');
    expect(await inside(building("http://ok.test/build"))).toContain('"url":"/build"');
  });

  it("another is refused, and past the proxy is nothing", async () => {
    const before = await internet.arrivals();
    expect(await container("", "http://other.test/")).toContain("403 Forbidden");
    expect(await inside(building("http://other.test/"))).toContain("403 Forbidden");
    for (const options of ["", "--network host", "--privileged --network host"])
      expect(await container(`${options} -e http_proxy=`, `http://${machines[1]}/`)).toMatch(/^code 1: /);
    expect(await internet.arrivals()).toEqual(before);
  });
});
