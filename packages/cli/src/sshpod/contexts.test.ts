/** A host name may be anybody's: it leads into no cluster that the user did not allow. */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSshpodHost } from "@drawbridge-iac/drawbridge/src/host/ways/sshpod-host";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startApi } from "./api.fixture.ts";
import { connectOwnSshd, connectSshpod } from "./connect.ts";
import { allowContexts } from "./contexts.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drawbridge-contexts-"));
  vi.stubEnv("DRAWBRIDGE_HOME", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A kubeconfig whose contexts `dev`, the current one, and `prod` lead to an API that has no pod. */
async function clusters(): Promise<void> {
  const { kubeconfig } = await startApi({});
  const config = JSON.parse(await readFile(kubeconfig, "utf8"));
  const [{ context }] = config.contexts;
  const contexts = ["dev", "prod"].map((name) => ({ name, context }));
  await writeFile(kubeconfig, JSON.stringify({ ...config, contexts, "current-context": "dev" }));
  vi.stubEnv("KUBECONFIG", kubeconfig);
}

/** How a login by a host name ends: with no pod, once it may ask for one. */
const login = (name: string, isByName = true) => {
  const target = parseSshpodHost(`pod--x.namespace--team-a${name}.sshpod`);
  const more = { isByName, port: 22, tell: () => undefined };
  const both = [
    connectSshpod({ target, host: "x", user: "root", ...more }),
    connectOwnSshd({ target, ...more }),
  ];
  return Promise.all(
    both.map((one) =>
      one.then(
        () => "open",
        ({ message }: Error) => message,
      ),
    ),
  );
};
const asked = Array(2).fill(expect.stringMatching(/^there is no pod x in namespace team-a of context /));
const refused = (context: string, allowed: string, command: string) =>
  Array(2).fill(
    `host names may not lead to the context "${context}"; allowed: ${allowed}; if you mean it, allow it: drawbridge ssh-config --sshpod ${command}`,
  );

describe("a host name", () => {
  it("chooses no context before the user allowed one, not even the current one", async () => {
    await clusters();
    expect(await login("")).toEqual(asked);
    const unnamed = "the current one, unnamed";
    expect(await login(".context--prod")).toEqual(refused("prod", unnamed, '--context "prod"'));
    expect(await login(".context--PROD")).toEqual(refused("prod", unnamed, '--context "prod"'));
  });

  it("leads to those that were allowed and to no other, be it the current one", async () => {
    await clusters();
    expect(await allowContexts(["prod"], async () => "dev")).toEqual(["prod"]);
    expect(await login(".context--prod")).toEqual(asked);
    const both = '--context "prod" --context "dev"';
    expect(await login("")).toEqual(refused("dev", "prod", both));
    expect(await login(".context--dev")).toEqual(refused("dev", "prod", both));
  });

  it("has the current one for all that was said first, and keeps it when another one becomes current", async () => {
    await clusters();
    expect(await allowContexts([], async () => "dev")).toEqual(["dev"]);
    expect(await allowContexts([], async () => "prod")).toEqual(["dev"]);
    expect(await login("")).toEqual(asked);
    expect(await login(".context--prod")).toEqual(refused("prod", "dev", '--context "dev" --context "prod"'));
  });

  it("is nobody's where the user's own config says the way", async () => {
    await clusters();
    expect(await login(".context--prod", false)).toEqual(asked);
  });
});

it("allows nothing where there is no context", async () => {
  expect(await allowContexts([], async () => undefined)).toEqual([]);
  expect(await allowContexts([], async () => "dev")).toEqual(["dev"]);
});
