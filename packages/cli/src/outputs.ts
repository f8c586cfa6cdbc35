/** The outputs of a stack, from Pulumi itself, a file, an address or standard input. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import type http from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { CliError, ExitCode } from "./faults.ts";
import { agentFor } from "./proxy/outward-agent.ts";

/** Where outputs are read: a stack of a program, or a file or address. */
export interface Origin {
  readonly stack?: string | undefined;
  readonly cwd?: string | undefined;
  readonly from?: string | undefined;
}

export async function readOutputs({ stack, cwd, from }: Origin): Promise<unknown> {
  const text = from === undefined ? await stackOutputs(stack, cwd) : await readSource(from);
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(
      `${from ?? "what pulumi says"} is not JSON; make it with: pulumi stack output --json > outputs.json`,
    );
  }
}

async function readSource(from: string): Promise<string> {
  if (/^https?:/i.test(from)) return download(from);
  if (from !== "-") {
    return readFile(from, "utf8").catch((error: NodeJS.ErrnoException) => {
      throw new CliError(
        error.code === "ENOENT"
          ? `there is no file ${from}; pass --from the file that your team sent you, or an https address`
          : `${from} cannot be read: ${error.message}; mend its permissions, or copy it to your home`,
      );
    });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The outputs hold host keys, so they are fetched by https alone, which proves whose answer it is. */
async function download(url: string): Promise<string> {
  if (!/^https:/i.test(url)) {
    throw new CliError(
      `${url} is not fetched: over http anybody on the way could change it; use https`,
      ExitCode.usage,
    );
  }
  if (URL.parse(url)?.username) {
    throw new CliError(
      "an address with a user and a password is not fetched, since it would be kept; download the file, and pass --from its path",
      ExitCode.usage,
    );
  }
  try {
    const answer = await answerOf(url, url, AbortSignal.timeout(30_000));
    if (answer.statusCode === 200) return await text(answer);
    throw new Error(`the server answers ${answer.statusCode}`);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `${url} cannot be read: ${(error as Error).message}; check the address and the network`,
    );
  }
}

/** The answer at the end of all redirects. Each is looked at before it is followed, since one may lead to http. */
async function answerOf(
  given: string,
  url: string,
  signal: AbortSignal,
  left = 10,
): Promise<http.IncomingMessage> {
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    https
      .get(url, { agent: agentFor(url), signal, headers: { accept: "application/json, */*" } }, resolve)
      .on("error", reject);
  });
  const { statusCode = 0, headers } = answer;
  if (statusCode < 300 || statusCode > 399 || headers.location === undefined) return answer;
  answer.destroy();
  const next = new URL(headers.location, url);
  if (next.protocol !== "https:") {
    throw new CliError(
      `${given} leads to ${next.href}, which is not fetched: over http anybody on the way could change it; use an address that stays with https`,
    );
  }
  if (left === 0) throw new Error("it leads on more than 10 times");
  return answerOf(given, next.href, signal, left - 1);
}

async function stackOutputs(stack: string | undefined, cwd: string | undefined): Promise<string> {
  const args = ["stack", "output", "--json", ...(stack === undefined ? [] : ["--stack", stack])];
  const options = { ...(cwd === undefined ? {} : { cwd }), maxBuffer: 64 * 1024 * 1024 };
  return promisify(execFile)("pulumi", args, options).then(
    ({ stdout }) => stdout,
    (error: NodeJS.ErrnoException & { stderr?: string }) => {
      if (error.code === "ENOENT") {
        throw new CliError(
          "pulumi is not installed here; pass its outputs as a file or an address, with --from outputs.json",
        );
      }
      throw new CliError(`pulumi stack output failed: ${error.stderr?.trim() || error.message}`);
    },
  );
}
