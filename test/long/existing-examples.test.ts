/** The examples of what runs already, brought up beside a chart's box and agent-sandbox's real controller. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import existingService from "../../examples/existing-service/index.ts";
import sandbox from "../../examples/sandbox/index.ts";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { type AgentSandbox, startAgentSandbox } from "../../scripts/lib/lab/agent-sandbox.ts";
import { apply, Laptop } from "../../scripts/lib/lab/lab.ts";
import { boxHostKey, boxObjects } from "./foreign-chart.fixture.ts";
import { closeExamples, printed, standing } from "./standing-examples.fixture.ts";

let laptop: Laptop;
let agentSandbox: AgentSandbox;

beforeAll(async () => {
  agentSandbox = await startAgentSandbox();
});
afterAll(() => agentSandbox.stop());
beforeEach(async () => {
  laptop = await Laptop.create();
});
afterEach(async () => {
  await closeExamples();
  await laptop.remove();
});

it("existing-service is logged in to, its host key known beforehand", async () => {
  // The chart comes when there is a namespace for it; until then the route leads to nothing.
  const output = await standing(laptop, async () => existingService(), {
    userName: "jovyan",
    port: "2022",
    "hostPublicKeys[0]": boxHostKey.publicKey,
  });
  await apply(...boxObjects("team-a", laptop.publicKey, 2022));
  await laptop.configure(output("sshConfig"), output("knownHosts"));
  expect(await printed(() => laptop.ssh(["box", "hostname"]))).toBe("box-0");
});

it("sandbox is logged in to, with a home that its controller made", async () => {
  const output = await standing(laptop, async () => sandbox(), {
    image: imageRef("busybox"),
    sshdBundle: imageRef("sshd-bundle"),
  });
  await laptop.configure(output("sshConfig"), output("knownHosts"));
  expect(await printed(() => laptop.ssh(["agent", "echo kept >~/kept; hostname; id -un; pwd"]))).toBe(
    "agent\nagent\n/home/agent",
  );
});
