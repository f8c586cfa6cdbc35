/** The examples on the real cluster, each as its README has it: up, no change by another preview or a refresh, and a login. */
import { afterEach, describe, expect, it } from "vitest";
import anyImage from "../../examples/dev-container-any-image/index.ts";
import minimal from "../../examples/minimal/index.ts";
import storage from "../../examples/storage/index.ts";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { byGateway, testDomain, testGateway } from "../support/lab/cluster.ts";
import { closeExamples, printed, standing } from "./standing-examples.fixture.ts";

let laptop: Laptop;

afterEach(async () => {
  await closeExamples();
  await laptop.remove();
});

describe("the example", () => {
  it("minimal is logged in to", async () => {
    laptop = await Laptop.create();
    const output = await standing(laptop, async () => minimal(), { image: imageRef("devcontainer") });
    await laptop.configure(output("sshConfig"), output("knownHosts"));
    expect(await printed(() => laptop.ssh(["dev1", "hostname"]))).toBe("dev1-0");
  });

  it("dev-container-any-image is logged in to through a gateway that stands", async () => {
    laptop = await Laptop.create();
    const program = async () => byGateway(testGateway("ssh-ingress"));
    const platform = await standing(laptop, program, {}, { project: "platform", stack: "dev" });
    const config = {
      platformStack: "organization/platform/dev",
      image: imageRef("busybox"),
      sshdBundle: imageRef("sshd-bundle"),
    };
    const output = await standing(laptop, async () => anyImage(), config, { backend: platform.backend });
    const proxy = `ProxyCommand=nc -X connect -x ${platform("gatewayAddress")}:80 %h %p`;
    expect(output("hostName")).toBe(`app.team-a.${testDomain}`);
    await laptop.configure("", output("knownHosts"));
    const login = () => laptop.ssh(["-o", proxy, `dev@${output("hostName")}`, "cat started; id -u"]);
    expect(await printed(login)).toBe("started\n1001");
  });

  it("storage shows the same file in the container and in a browser", async () => {
    laptop = await Laptop.create();
    const output = await standing(laptop, async () => storage(), {
      "images.container": imageRef("devcontainer"),
      "images.tools": imageRef("busybox"),
      "images.proxy": imageRef("proxyv2"),
      "images.dufs": imageRef("dufs"),
    });
    await laptop.configure(output("sshConfig"), output("knownHosts"));
    expect(await printed(() => laptop.ssh(["dev1", "cat /models/model/README.txt"]))).toBe("seeded");
    const file = `${output("url")}model/README.txt`;
    const browse = () => run("curl", ["-s", "--fail", "-u", "alice:only-for-tests-alice", file]);
    expect(await printed(browse)).toBe("seeded");
  });
});
