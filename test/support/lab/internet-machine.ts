/** The machines of `internet.ts`, and their DNS, as a program: `internet-machine.ts FOLDER`. */
import { createSocket } from "node:dgram";
import { appendFileSync, readFileSync } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, isIPv4 } from "node:net";

import type { Known } from "./internet.ts";

const folder = process.argv[2] ?? "";
const file = (name: string) => readFileSync(`${folder}/${name}`);
const { resolver, machines, records } = JSON.parse(file("records.json").toString()) as {
  resolver: string;
  machines: readonly string[];
  records: Readonly<Record<string, Known>>;
};

const arrived = (what: string) => appendFileSync(`${folder}/arrivals`, `${what}\n`);

/** The file of this path, if there is one. */
function serve(url: string, response: ServerResponse): void {
  const { pathname } = new URL(url, "http://machine");
  const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
  try {
    const found = file(path);
    response
      .setHeader("content-type", path.endsWith(".html") ? "text/html" : "application/octet-stream")
      .end(found);
  } catch {
    response.writeHead(404).end();
  }
}

/**
 * What was asked for, as it arrived; at `/count` a number every tenth of a second, without end; below `/files` those of the
 * folder.
 */
const answer =
  (address: string): RequestListener =>
  ({ url = "", headers }, response) => {
    if (url.startsWith("/files/")) return serve(url, response);
    if (url !== "/count") {
      response.end(JSON.stringify({ address, url, headers }));
      return;
    }
    let count = 0;
    const timer = setInterval(() => response.write(`${++count}\n`), 100);
    response.on("close", () => clearInterval(timer));
  };

for (const address of machines) {
  const servers = {
    80: createServer(answer(address)),
    443: createTlsServer({ key: file("key.pem"), cert: file("cert.pem") }, answer(address)),
    22: createTcpServer((socket) => socket.on("error", () => undefined).end("SSH-2.0-machine\r\n")),
  };
  for (const [port, server] of Object.entries(servers)) {
    server.on("connection", () => arrived(`opened ${address}:${port}`));
    server.listen(Number(port), address);
  }
}

const encoded = (name: string) =>
  Buffer.from([...name.split(".").flatMap((label) => [label.length, ...Buffer.from(label)]), 0]);

function groupsOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const host = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail = ""] = host.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const zeros = Array(8 - groups(head).length - groups(tail).length).fill("0");
  const all = host.includes("::") ? [...groups(head), ...zeros, ...groups(tail)] : groups(head);
  return Buffer.from(
    all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
  );
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(1, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([encoded(name), fields, data]);
}

const [typeA, typeCname, typeAaaa] = [1, 5, 28];

const turns = new Map<string, number>();

/** One after the other, and then from the beginning. */
function turn(name: string, type: number, all: readonly string[]): string {
  const question = `${name} ${type}`;
  const index = turns.get(question) ?? 0;
  turns.set(question, index + 1);
  return all[index % all.length] ?? "";
}

/** Every answer to a question for addresses, aliases first. */
function answers(name: string, type: number): Buffer[] | undefined {
  const known = records[name];
  if (known === undefined) return undefined;
  if (typeof known === "string") {
    return [record(name, typeCname, encoded(known)), ...(answers(known, type) ?? [])];
  }
  const addresses = known.map((one) => (typeof one === "string" ? one : turn(name, type, one)));
  return addresses
    .filter((address) => (type === typeA ? isIPv4(address) : type === typeAaaa && !isIPv4(address)))
    .map((address) => record(name, type, groupsOf(address)));
}

const dns = createSocket("udp4");
dns.on("message", (question, { port, address }) => {
  let end = 12;
  const labels: string[] = [];
  for (let length = question[end] ?? 0; length > 0; length = question[end] ?? 0) {
    labels.push(question.toString("latin1", end + 1, end + 1 + length).toLowerCase());
    end += length + 1;
  }
  const name = labels.join(".");
  arrived(`asked ${name}`);
  if (name.endsWith(".silent.test")) return;
  const found = answers(name, question.readUInt16BE(end + 1));
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(found === undefined ? 0x8583 : 0x8580, 2);
  head.writeUInt16BE(found?.length ?? 0, 6);
  head.fill(0, 8);
  dns.send(Buffer.concat([head, question.subarray(12, end + 5), ...(found ?? [])]), port, address);
});
dns.bind(53, resolver);
