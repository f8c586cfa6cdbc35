/** A git server of this machine, with folders of the repository under a tag, and its certificate's authority. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { must } from "../../../scripts/lib/lab/lab.ts";
import { TestCa } from "../lab/certificates.ts";

/** Listens on a free port of loopback, for which nobody needs a right, unless it is told otherwise. */
export async function gitServer(
  parent: string,
  tag: string,
  folders: readonly string[],
  { host, port } = { host: "127.0.0.1", port: 0 },
) {
  const ca = await TestCa.create("git", parent);
  const { cert, key } = await ca.issue("server", { subject: "/CN=git", names: `IP.1=${host}` });
  const cwd = join(parent, "clone");
  await mkdir(cwd);
  const git = (...words: string[]) =>
    must("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd });
  await git("init", "--quiet");
  await must("cp", ["-r", ...folders.map((name) => resolve(name)), cwd]);
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "first");
  await git("tag", tag);
  await git("clone", "--quiet", "--bare", ".", join(parent, "drawbridge-iac/drawbridge.git"));
  const server = createServer({ cert, key }, async (request, response) => {
    const [path, query = ""] = `${request.url}`.split("?");
    const backend = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: parent,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: path,
        QUERY_STRING: query,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers["content-type"] ?? "",
      },
    });
    request.pipe(backend.stdin);
    const answer = await buffer(backend.stdout);
    const end = answer.indexOf("\r\n\r\n");
    const type = /^Content-Type: (.*)$/m.exec(`${answer.subarray(0, end)}`)?.[1]?.trim() ?? "";
    response.writeHead(200, { "content-type": type }).end(answer.subarray(end + 4));
  }).listen(port, host);
  await once(server, "listening");
  const at = server.address() as AddressInfo;
  return {
    ca,
    host,
    address: new URL("/drawbridge-iac/drawbridge.git", `https://${host}:${at.port}`).href,
    stop: () => server.close(),
  };
}
