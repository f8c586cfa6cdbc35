import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, it } from "vitest";
import { gateway, planOf } from "../dev-container/plan.fixture.ts";
import type { SshTarget } from "../generated/shared.ts";
import { clientOutputs } from "./component.ts";

const hostKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzn8ZsYK2ta7Ik8kk/fMV0VXJQaTnwc2OmoRjXTVvIJ";

beforeEach(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call: ({ inputs }) => inputs,
  }),
);

/** What clients of a container behind a gateway are told, as the stack gives it out. */
function told(address?: string) {
  const at = address === undefined ? gateway : { ...gateway, address };
  const { sshConfig, sshCommand, sshTarget } = clientOutputs(
    planOf({ access: { gateway: at } }),
    pulumi.output([hostKey]),
  );
  return new Promise<readonly [string | undefined, string | undefined, SshTarget | undefined]>((resolve) =>
    pulumi.all([sshConfig, sshCommand, sshTarget]).apply(resolve),
  );
}

it("leads through the gateway where its address is known", async () => {
  const [sshConfig, sshCommand, sshTarget] = await told("192.0.2.7");
  expect(sshConfig).toContain("ProxyCommand proxytunnel -q -p 192.0.2.7:80 -d %h:%p\n");
  expect(sshCommand).toContain("-x 192.0.2.7:80 ");
  expect(sshTarget?.ways.map(({ way }) => way)).toEqual(["gateway", "sshpod"]);
});

it("has no text for another way than the gateway's while that has no address", async () => {
  const [sshConfig, sshCommand, sshTarget] = await told();
  expect([sshConfig, sshCommand]).toEqual([undefined, undefined]);
  expect(sshTarget?.ways.map(({ way }) => way)).toEqual(["sshpod"]);
});
