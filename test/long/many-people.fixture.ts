/**
 * Logins by many people at once, each with an address, a client certificate and a key of their own, as a program for a
 * machine outside the lab (outside.ts). It prints what each session saw.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { argv } from "node:process";
import { type ConnectionOptions, connect } from "node:tls";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { fromOutside } from "../support/lab/outside.ts";

export interface Person {
  readonly name: string;
  /** In 192.0.2.0/24. */
  readonly from: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly sshKey: string;
}

/** What all of them do. */
export interface Errand {
  /** The gateway's address, the name on its certificate and the CA of that. */
  readonly gateway: { readonly address: string; readonly serverName: string; readonly caFile: string };
  /** The container's name and port at the gateway. */
  readonly authority: string;
  readonly user: string;
  readonly knownHosts: string;
  readonly command: string;
  readonly people: readonly Person[];
}

/** A port on loopback from which everything goes through the gateway, as this person. */
async function bridge({ gateway, authority }: Errand, person: Person): Promise<number> {
  const [ca, cert, key] = await Promise.all(
    [gateway.caFile, person.certFile, person.keyFile].map((file) => readFile(file)),
  );
  const server = createServer((local) => {
    const options = {
      host: gateway.address,
      port: 443,
      localAddress: person.from,
      servername: gateway.serverName,
    };
    const remote = connect({ ...options, ca, cert, key } as ConnectionOptions, () => {
      remote.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    });
    let head = "";
    remote.on("data", (chunk: Buffer) => {
      if (head.includes("\r\n\r\n")) return void local.write(chunk);
      head += chunk.toString("latin1");
      const [answer = "", rest] = head.split("\r\n\r\n");
      if (rest === undefined) return;
      if (!answer.startsWith("HTTP/1.1 200")) return void local.destroy();
      if (rest !== "") local.write(Buffer.from(rest, "latin1"));
      local.pipe(remote);
    });
    remote.on("close", () => local.destroy()).on("error", () => local.destroy());
    local.on("close", () => remote.destroy()).on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as { port: number }).port;
}

async function login(errand: Errand, person: Person): Promise<[string, string]> {
  const port = await bridge(errand, person);
  const [host = ""] = errand.authority.split(":");
  const options = [
    "IdentitiesOnly=yes",
    "BatchMode=yes",
    "StrictHostKeyChecking=yes",
    `UserKnownHostsFile=${errand.knownHosts}`,
    "GlobalKnownHostsFile=/dev/null",
    `HostKeyAlias=${host}`,
  ].flatMap((option) => ["-o", option]);
  const words = ["-F", "/dev/null", ...options, "-i", person.sshKey, "-p", String(port)];
  const target = `${errand.user}@127.0.0.1`;
  const { stdout } = await promisify(execFile)("ssh", [...words, target, errand.command], {
    timeout: 120_000,
  });
  return [person.name, stdout.trim()];
}

/** What each person's session printed, by name. */
export async function loginFromOutside(errand: Errand): Promise<Record<string, string>> {
  const add = `for one in ${errand.people
    .slice(1)
    .map(({ from }) => from)
    .join(" ")}; do ip address add "$one/24" dev far1; done; exec "$@"`;
  const program = [process.execPath, "test/long/many-people.fixture.ts", JSON.stringify(errand)];
  const first = errand.people[0]?.from ?? "";
  const words = ["sh", "-euc", add, "sh", ...program];
  const outcome = await fromOutside(first, words, 300);
  if (outcome.code !== 0) throw new Error(`the people outside: ${outcome.stderr}`);
  return JSON.parse(outcome.stdout) as Record<string, string>;
}

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const errand = JSON.parse(argv[2] ?? "") as Errand;
  const seen = await Promise.all(errand.people.map((person) => login(errand, person)));
  console.log(JSON.stringify(Object.fromEntries(seen)));
  process.exit(0);
}
