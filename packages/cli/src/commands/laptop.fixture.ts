/** A laptop that knows these targets, and whose kubeconfig leads to a fake API server. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { sshTarget } from "../ssh-target.fixture.ts";

/**
 * @param answers objects by request path; every other path answers 404
 * @returns what takes the laptop away again
 */
export async function laptop(answers: Readonly<Record<string, object>>, targets: readonly object[]) {
  const home = await mkdtemp(join(tmpdir(), "drawbridge-laptop-"));
  const server = createServer(({ url = "" }, response) => {
    const path = decodeURIComponent(url).replaceAll("+", " ");
    response.statusCode = answers[path] === undefined ? 404 : 200;
    response.end(JSON.stringify(answers[path] ?? { message: "not found" }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const cluster = { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true };
  const kubeconfig = {
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user: {} }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
  const sources = [
    { label: "a", options: {}, targets: targets.map((one) => ({ ...sshTarget(), ...one })), storages: [] },
  ];
  await mkdir(join(home, ".ssh/drawbridge"), { recursive: true });
  await writeFile(join(home, ".ssh/drawbridge/targets.json"), JSON.stringify({ sources }));
  await writeFile(join(home, "kubeconfig"), JSON.stringify(kubeconfig));
  vi.stubEnv("HOME", home);
  vi.stubEnv("KUBECONFIG", join(home, "kubeconfig"));
  return async () => {
    vi.unstubAllEnvs();
    server.close();
    await rm(home, { recursive: true });
  };
}
