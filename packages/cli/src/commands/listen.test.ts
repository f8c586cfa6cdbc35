import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sshTarget } from "../ssh-target.fixture.ts";
import { listen, ports } from "./listen.ts";

let home: string;
let targets: string;
let said = "";
const known = (...names: string[]) => {
  const list = names.map((name) => sshTarget({ name, hostName: `${name}.example.com` }));
  return writeFile(
    targets,
    JSON.stringify({ sources: [{ label: "a", options: {}, targets: list, storages: [] }] }),
  );
};
const tells = (text: string) => vi.waitFor(() => expect(said).toContain(text), { timeout: 10_000 });

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "drawbridge-home-"));
  vi.stubEnv("HOME", home);
  said = "";
  targets = join(home, ".ssh/drawbridge/targets.json");
  await mkdir(join(home, ".ssh/drawbridge"), { recursive: true });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

it("goes on with what it knows while another version's list is there, and ends where none is", async () => {
  await known("look-a");
  const listening = listen((text) => {
    said += text;
  });
  await tells("look-a  jovyan  127.0.0.1");
  await writeFile(targets, JSON.stringify({ sources: [{ targets: [{ later: 1 }], storages: [] }] }));
  await tells(`${targets} cannot be used, perhaps because another version wrote it`);
  await known("look-a", "look-b");
  await tells("look-b  jovyan  127.0.0.1");
  await rm(targets);
  await listening;
}, 40_000);

it("says the ports without serving them", async () => {
  await known("look-a");
  const [, row = ""] = (await ports()).split("\n");
  expect(row).toMatch(/^look-a {2}jovyan {2}127\.0\.0\.1 {2}\d{5}$/);
});
