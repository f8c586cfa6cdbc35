import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, it } from "vitest";
import { gateway, planOf } from "../../manifests/src/container/plan.fixture.ts";
import { clientText } from "./dev-container-client.ts";

const hostKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzn8ZsYK2ta7Ik8kk/fMV0VXJQaTnwc2OmoRjXTVvIJ";

beforeEach(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call: ({ inputs }) => inputs,
  }),
);

/** The texts of a container behind a gateway, as the stack gives them out. */
function textsOf(address?: string): Promise<Record<string, string>> {
  const at = address === undefined ? gateway : { ...gateway, address };
  const text = clientText(planOf({ access: { gateway: at } }), pulumi.output([hostKey]));
  return new Promise((resolve) => pulumi.all(text).apply((all) => resolve(all as Record<string, string>)));
}

it("leads through the gateway where its address is known", async () => {
  const { sshConfig, sshCommand, sshTarget } = await textsOf("192.0.2.7");
  expect(sshConfig).toContain("ProxyCommand proxytunnel -q -p 192.0.2.7:80 -d %h:%p\n");
  expect(sshCommand).toContain("-x 192.0.2.7:80 ");
  expect(JSON.parse(sshTarget ?? "").ways.map(({ way }: { way: string }) => way)).toEqual([
    "gateway",
    "sshpod",
  ]);
});

it("has no gap where an address should stand: without one the gateway is no way in", async () => {
  const texts = await textsOf();
  for (const text of Object.values(texts)) expect(text).not.toMatch(/[<>]/);
  expect(texts.sshConfig).toContain("ProxyCommand drawbridge proxy --via pod--dev1-0");
  expect(JSON.parse(texts.sshTarget ?? "").ways.map(({ way }: { way: string }) => way)).toEqual(["sshpod"]);
});
