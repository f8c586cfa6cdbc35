/** Runs one command in a container over the API's exec endpoint. */
import type WebSocket from "ws";
import { CliError } from "../faults.ts";
import { type Kube, readAnswer } from "./kube.ts";
import type { Place } from "./pod.ts";

export interface ExecOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

// v5 can end standard input without ending the connection; Kubernetes has had it since 1.30.
const protocol = "v5.channel.k8s.io";
/** How long one script may take; the longest copies 11 MB over a slow line. */
const answerTimeoutMs = 120_000;
/** Far more than our scripts say, in bytes; a container's own sh may say anything. */
const mostOutput = 1024 * 1024;
const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3, close: 255 } as const;

/**
 * Runs `sh -c script sshpod ...args`; `input` becomes its standard input. The shell is /bin/sh; only
 * in an image without that is `sh` looked up in the container's PATH.
 */
export async function execScript(
  kube: Kube,
  place: Place,
  script: string,
  args: readonly string[],
  input?: Buffer,
): Promise<ExecOutcome> {
  try {
    return await execIn(kube, place, ["/bin/sh", "-c", script, "sshpod", ...args], input);
  } catch (error) {
    if (!(error instanceof ExecFailure) || !isMissing(error)) throw error;
    return execIn(kube, place, ["sh", "-c", script, "sshpod", ...args], input);
  }
}

/** Whether the failure is that the container lacks the shell, and not its working folder or itself. */
export function isMissing(error: ExecFailure): boolean {
  return /\bsh\b.*(no such file|not found)/is.test(error.message);
}

async function execIn(
  kube: Kube,
  place: Place,
  command: readonly string[],
  input: Buffer | undefined,
): Promise<ExecOutcome> {
  const query = new URLSearchParams([["container", place.container]]);
  for (const word of command) query.append("command", word);
  query.append("stdout", "true");
  query.append("stderr", "true");
  if (input !== undefined) query.append("stdin", "true");
  const socket = await kube.open(`/api/v1/namespaces/${place.namespace}/pods/${place.pod}/exec?${query}`, [
    protocol,
  ]);
  // A script that refuses early reads no input, so its outcome must not wait for the sending.
  if (input !== undefined) void sendInput(socket, input);
  return readOutcome(socket, kube.server);
}

async function sendInput(socket: WebSocket, input: Buffer): Promise<void> {
  const frameBytes = 64 * 1024;
  for (let at = 0; at < input.length; at += frameBytes) {
    const frame = Buffer.concat([Buffer.of(channel.stdin), input.subarray(at, at + frameBytes)]);
    // Errors are ignored here: readOutcome reports a closed socket.
    await new Promise<void>((resolve) => socket.send(frame, () => resolve()));
  }
  socket.send(Buffer.of(channel.close, channel.stdin), () => undefined);
}

async function readOutcome(socket: WebSocket, server: string): Promise<ExecOutcome> {
  const output: Record<number, Buffer[]> = {
    [channel.stdout]: [],
    [channel.stderr]: [],
    [channel.status]: [],
  };
  const text = (number: number) => Buffer.concat(output[number] ?? []).toString();
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => {
      reject(new CliError(why));
      socket.terminate();
    };
    let left = mostOutput;
    socket.on("message", (data: Buffer) => {
      left -= data.length;
      if (left < 0)
        return fail(`the container says more than ${mostOutput} bytes; check what its sh runs at start`);
      output[data[0] ?? -1]?.push(data.subarray(1));
      // The status is the last to come; a server that still waits for input would not close by itself.
      if (data[0] === channel.status) setTimeout(() => socket.terminate(), 250).unref();
    });
    const timer = setTimeout(
      () => fail(`the container does not answer within ${answerTimeoutMs / 1000} s; try again`),
      answerTimeoutMs,
    );
    socket.on("error", (error) => reject(new CliError(`exec broke off: ${error.message}; try again`)));
    socket.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.resume();
  });
  const status = text(channel.status);
  if (status === "") {
    throw new CliError("exec ended without a result; the pod may have been stopped, try again");
  }
  const result = exitCodeIn(readAnswer(status, server));
  if (typeof result === "string") throw new ExecFailure(result);
  return { exitCode: result, stdout: text(channel.stdout), stderr: text(channel.stderr) };
}

/** The command could not be started at all, for example because the image has no `sh`. */
export class ExecFailure extends CliError {}

interface Status {
  status?: string;
  message?: string;
  details?: { causes?: { reason?: string; message?: string }[] };
}

/** The exit code, or the message of a command that never ran. */
function exitCodeIn(status: Status): number | string {
  if (status.status === "Success") return 0;
  const code = status.details?.causes?.find((cause) => cause.reason === "ExitCode")?.message;
  return code === undefined ? (status.message ?? "unknown failure") : Number(code);
}
