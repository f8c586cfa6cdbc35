/** The sshpod way from a host name to a stream that speaks SSH. */
import { randomInt } from "node:crypto";
import type { Duplex } from "node:stream";
import type { SshpodHost } from "@drawbridge-iac/drawbridge/src/host/ways/sshpod-host";
import { CliError } from "../faults.ts";
import { stateFolder } from "../files.ts";
import { bundleFolder } from "../self.ts";
import { type Bundle, fileInTar, findBundle, sumsOf } from "./bundle.ts";
import { checkContext } from "./contexts.ts";
import { ExecFailure, type ExecOutcome, execScript, isMissing } from "./exec.ts";
import { type Identity, loadIdentity, pinHostKey } from "./identity.ts";
import { isForbidden, type Kube, loadKube } from "./kube.ts";
import { findOwnSshd, findPlace, type Place } from "./pod.ts";
import { forwardPort } from "./port-forward.ts";
import {
  placeBusyboxScript,
  probeScript,
  readAnswers,
  startScript,
  unpackScript,
  unpackWithBusyboxScript,
} from "./scripts.ts";

interface SshpodRequest {
  readonly target: SshpodHost;
  /** Whether the host name itself is the target, which may be anybody's. */
  readonly isByName: boolean;
  /** The name and port that ssh looks up in known_hosts. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Tells what is being done, for `--verbose`. */
  readonly tell: (step: string) => void;
}

/** Starts an sshd of ours in the container, unless one runs there, and connects to it. */
export async function connectSshpod(request: SshpodRequest): Promise<Duplex> {
  const { tell, target } = request;
  const [identity, kube] = await Promise.all([loadIdentity(stateFolder()), loadKube(target.context)]);
  if (request.isByName) await checkContext(kube.context, target.context !== undefined);
  tell(`context ${kube.context}, server ${kube.server}`);
  const place = await findPlace(kube, target);
  tell(`pod ${place.namespace}/${place.pod}, container ${place.container}`);
  const container = new Container(kube, place, identity, request);
  const answers = await container.probe();
  checkUser(place, request.user, answers);
  const running = answers.get("port");
  const port = running === undefined ? await container.start(answers) : Number(running);
  tell(
    running === undefined ? `sshd started on loopback port ${port}` : `sshd already on loopback port ${port}`,
  );
  await pinHostKey(stateFolder(), request.host, request.port, identity.hostKey(place));
  return forwardPort(kube, place, port);
}

/** Connects to the pod's own sshd: nothing is run in the pod, so no right to exec is needed. */
export async function connectOwnSshd(
  request: Pick<SshpodRequest, "target" | "port" | "tell" | "isByName">,
): Promise<Duplex> {
  const { context } = request.target;
  const kube = await loadKube(context);
  if (request.isByName) await checkContext(kube.context, context !== undefined);
  const place = await findOwnSshd(kube, request.target);
  request.tell(`pod ${place.namespace}/${place.pod}, its own sshd on port ${request.port}`);
  return forwardPort(kube, place, request.port);
}

/** One container with the scripts that run in it. */
class Container {
  readonly #kube: Kube;
  readonly #place: Place;
  readonly #identity: Identity;
  readonly #request: SshpodRequest;

  constructor(kube: Kube, place: Place, identity: Identity, request: SshpodRequest) {
    this.#kube = kube;
    this.#place = place;
    this.#identity = identity;
    this.#request = request;
  }

  /** Asks what the container has, and whether an sshd of ours already listens. */
  probe(): Promise<Map<string, string>> {
    return this.#ask(probeScript, [...this.#whereToLook(), this.#session, this.#request.user]);
  }

  get #session(): string {
    return this.#identity.session(this.#place, this.#request.user);
  }

  /** The first two arguments of each script that includes `find-place.sh`. */
  #whereToLook(): string[] {
    return [this.#identity.secretSuffix(this.#place), this.#place.ownTmp ? "alone" : "shared"];
  }

  /** Runs a script and returns its answers; throws if there is an `error` among them. */
  async #ask(script: string, args: readonly string[], input?: Buffer): Promise<Map<string, string>> {
    const outcome = await this.#exec(script, args, input);
    const answers = readAnswers(outcome.stdout);
    const error = answers.get("error");
    if (error !== undefined) throw this.#refusal(error);
    if (outcome.exitCode !== 0) {
      throw this.#refusal(`a command failed with exit code ${outcome.exitCode}: ${outcome.stderr.trim()}`);
    }
    return answers;
  }

  /** Copies the bundle if it is not there yet, and starts sshd; returns its port. */
  async start(probed: ReadonlyMap<string, string>): Promise<number> {
    const bundle = await findBundle(bundleFolder(), probed.get("machine") ?? "unknown");
    const canUnpack = probed.has("unpack");
    const isThere = (probed.get("bundle") ?? "").split(" ").includes(bundle.hash);
    let base = isThere ? (probed.get("base") ?? "") : await this.#copy(bundle, canUnpack);
    const { user } = this.#request;
    const hostKey = Buffer.from(this.#identity.hostKey(this.#place).privateKey);
    const sums = await sumsOf(await bundle.read(), "bin");
    for (let attempt = 0; attempt < 5; attempt++) {
      // Below the range from which Linux takes ports for outgoing connections (32768 on).
      const port = String(randomInt(20_000, 32_768));
      const args = [bundle.hash, base, this.#session, port, user, this.#identity.clientPublicKey, sums];
      const answers = await this.#ask(startScript, args, hostKey);
      if (answers.get("port") === port) return Number(port);
      if (!answers.has("changed")) continue;
      this.#request.tell("the copy of sshd was changed; it is put aside, and sshd is copied again");
      base = await this.#copy(bundle, canUnpack);
    }
    throw this.#refusal(
      "five tries failed: the random loopback ports were taken, sshd did not start within 5 s, or another program with the container's uid changed sshd's files",
    );
  }

  /** Copies the bundle into the container; returns the folder that holds it. */
  async #copy(bundle: Bundle, canUnpack: boolean): Promise<string> {
    const begun = performance.now();
    const archive = await bundle.read();
    const args = [...this.#whereToLook(), bundle.hash];
    const made = canUnpack
      ? await this.#ask(unpackScript, args, archive)
      : await this.#ask(placeBusyboxScript, args, await fileInTar(archive, "bin/busybox"));
    const base = made.get("base") ?? "";
    if (!canUnpack) {
      await this.#ask(unpackWithBusyboxScript, [bundle.hash, base, made.get("folder") ?? ""], archive);
    }
    this.#request.tell(`sshd copied in ${Math.round(performance.now() - begun)} ms`);
    return base;
  }

  async #exec(script: string, args: readonly string[], input?: Buffer): Promise<ExecOutcome> {
    try {
      return await execScript(this.#kube, this.#place, script, args, input);
    } catch (error) {
      if (error instanceof ExecFailure) {
        throw this.#refusal(
          isMissing(error)
            ? "its image has no shell (distroless?); sshpod needs sh, cat, ls, mkdir, mv, chmod and uname in the image, so use an image with busybox or a container with sshd of its own"
            : error.message,
        );
      }
      if (isForbidden(error)) {
        throw this.#refusal(
          `your account may not run programs in it: ${error.said}; ask for the sshpod Role of this container (exec and portforward on the pod)`,
        );
      }
      throw error;
    }
  }

  #refusal(reason: string): CliError {
    const { namespace, pod, container } = this.#place;
    return new CliError(`container ${container} of pod ${namespace}/${pod} cannot be entered: ${reason}`);
  }
}

const noLogin = /(^|\/)(nologin|false|true|sync|halt|shutdown)$/;

/**
 * Throws unless sshd in the container can log this user in. sshd has the container's uid, so only root can become
 * another user. Where the image gives that uid no name or no shell, any user name that is not taken works.
 */
export function checkUser(place: Place, user: string, probed: ReadonlyMap<string, string>): void {
  const uid = probed.get("uid") ?? "";
  const requestedUid = probed.get("requested");
  const owner = probed.get("owner");
  const shell = probed.get("shell") ?? "";
  const where = `container ${place.container} of pod ${place.namespace}/${place.pod}`;
  if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/.test(user)) {
    throw new CliError(
      `${JSON.stringify(user)} is not a user name; use letters, digits, _, . and -, at most 32, not starting with a digit`,
    );
  }
  if (requestedUid === uid && !noLogin.test(shell)) return;
  if (requestedUid !== undefined && uid === "0") return;
  if (owner === undefined || noLogin.test(shell)) {
    if (requestedUid === undefined) return;
    throw new CliError(
      `${where} runs as uid ${uid}, for which the image has no login, and ${user} cannot log in either; use a name that is not in the image's /etc/passwd, for example: ssh dev@…`,
    );
  }
  throw new CliError(
    `${where} runs as ${owner} (uid ${uid}), so ${user} cannot log in; use: ssh ${owner}@… or "User ${owner}" in your ssh_config`,
  );
}
