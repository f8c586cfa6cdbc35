/**
 * Clients with addresses of their own, as a program for a machine outside the lab (outside.ts). It takes its jobs as
 * JSON, does them one after the other, and prints what was answered.
 */
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { fromOutside } from "../lab/outside.ts";

/** A number of requests, one after the other unless they come at once. */
export interface Knocks {
  readonly from: string;
  readonly authority: string;
  readonly times: number;
  readonly atOnce?: boolean;
  /** Header lines, each ended by CRLF; `#` becomes the request's number. */
  readonly headers?: string;
  /** As streams of one connection of HTTP/2 instead of connections of HTTP/1.1. */
  readonly version?: "1.0" | "1.1" | "2";
  /** Whether the tunnel must say something, as sshd does first; the answer is then its first word. */
  readonly greeting?: boolean;
}

/** Tunnels at once, and then new ones for a time, all held as long as the other side lets them. */
export interface Flood {
  readonly from: string;
  readonly authority: string;
  readonly tunnels: number;
  readonly perSecond: number;
  readonly seconds: number;
}

/** A connection that says only this; how long it lives is measured. */
interface Silence {
  readonly from: string;
  readonly says: string;
}

export type Job = Knocks | Flood | Silence;
/** How often each answer came; for a silence its answer and its life in whole seconds. */
export type Answers = Readonly<Record<string, number>>;

interface Target {
  readonly address: string;
  readonly port: number;
}

const held: Socket[] = [];

interface Wish {
  readonly hold?: boolean;
  readonly greeting?: boolean;
}

function open(target: Target, from: string, request: string, { hold, greeting }: Wish): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: target.address, port: target.port, localAddress: from });
    let text = "";
    const end = (answer: string) => {
      clearTimeout(timer);
      if (hold === true && answer.startsWith("200")) held.push(socket);
      else socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end(text === "" ? "silence" : "half an answer"), 15_000);
    socket.on("data", (chunk: Buffer) => {
      text = text.length > 4096 ? text : text + chunk.toString("latin1");
      const [, status] = /^HTTP\/1\.[01] (\d{3} [^\r]*)\r\n/.exec(text) ?? [];
      const [, rest] = text.split("\r\n\r\n");
      if (status === undefined || rest === undefined) return;
      if (greeting !== true || !status.startsWith("200")) end(status);
      else if (rest !== "") end(rest.slice(0, 7));
    });
    socket.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.on("close", () => end(text === "" ? "closed" : "200 OK, then closed"));
    socket.write(request);
  });
}

/** The results of a number of attempts, made in their order or all at once. */
async function each<T>(times: number, atOnce: boolean, attempt: (turn: number) => Promise<T>): Promise<T[]> {
  if (atOnce) return Promise.all(Array.from({ length: times }, (_, turn) => attempt(turn)));
  const results: T[] = [];
  for (let turn = 0; turn < times; turn++) results.push(await attempt(turn));
  return results;
}

async function openStreams(
  target: Target,
  { from, authority, times, atOnce = false }: Knocks,
): Promise<string[]> {
  const socket = connect({ host: target.address, port: target.port, localAddress: from });
  const session = connectHttp2(`http://${target.address}:${target.port}`, { createConnection: () => socket });
  const answers = await each(times, atOnce, () => {
    const stream = session.request({ ":method": "CONNECT", ":authority": authority }, { endStream: false });
    return new Promise<string>((resolve) => {
      stream.once("response", (headers) => resolve(`${headers[":status"]} over HTTP/2`));
      for (const source of [stream, session]) source.once("error", (error: Error) => resolve(error.message));
    });
  });
  session.destroy();
  return answers;
}

function count(answers: readonly string[]): Answers {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

const ask = (authority: string, version: string, headers: string) =>
  `CONNECT ${authority} HTTP/${version}\r\nHost: ${authority}\r\n${headers}\r\n`;

async function knock(target: Target, job: Knocks): Promise<Answers> {
  const { from, authority, times, atOnce = false, headers = "", version = "1.1", greeting = false } = job;
  if (version === "2") return count(await openStreams(target, job));
  const answers = each(times, atOnce, (turn) => {
    const request = ask(authority, version, headers.replaceAll("#", String(turn)));
    return open(target, from, request, { greeting });
  });
  return count(await answers);
}

async function flood(
  target: Target,
  { from, authority, tunnels, perSecond, seconds }: Flood,
): Promise<Answers> {
  const one = () => open(target, from, ask(authority, "1.1", ""), { hold: true });
  const answers = Array.from({ length: tunnels }, one);
  const began = performance.now();
  for (let made = 0; made < perSecond * seconds; ) {
    // As many as are due by now: timers of a busy machine come late.
    const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - began) / 1000) * perSecond));
    for (; made < due; made++) answers.push(one());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return count(await Promise.all(answers));
}

function keepSilent(target: Target, { from, says }: Silence): Promise<Answers> {
  return new Promise((resolve) => {
    const socket = connect({ host: target.address, port: target.port, localAddress: from });
    const began = performance.now();
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      const [, status = "no answer"] = /^HTTP\/1\.[01] (\d{3} [^\r]*)\r\n/.exec(text) ?? [];
      resolve({ [status]: Math.round((performance.now() - began) / 1000) });
    });
    socket.write(says);
  });
}

/** What each job was answered, from machines outside with those addresses (in 192.0.2.0/24). */
export async function askFromOutside(target: Target, jobs: readonly Job[]): Promise<Answers[]> {
  const addresses = [...new Set(jobs.map(({ from }) => from))];
  const program = [
    process.execPath,
    "test/support/clients/many-clients.ts",
    JSON.stringify({ target, jobs }),
  ];
  const add = `for one in ${addresses.slice(1).join(" ")}; do ip address add "$one/24" dev far1; done; exec "$@"`;
  const [first = ""] = addresses;
  const outcome = await fromOutside(first, ["sh", "-euc", add, "sh", ...program], 300);
  if (outcome.code !== 0) throw new Error(`the clients outside: ${outcome.stderr}`);
  return JSON.parse(outcome.stdout) as Answers[];
}

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const { target, jobs } = JSON.parse(argv[2] ?? "") as { target: Target; jobs: Job[] };
  const all: Answers[] = [];
  for (const job of jobs) {
    if ("says" in job) all.push(await keepSilent(target, job));
    else if ("seconds" in job) all.push(await flood(target, job));
    else all.push(await knock(target, job));
  }
  console.log(JSON.stringify(all));
  process.exit(0);
}
