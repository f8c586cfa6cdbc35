/** `drawbridge doctor [NAME]`: walks every way to a container, or to all, and says in plain words what is wrong. */
import { type DevContainerStatus, switchedOff } from "@drawbridge-iac/drawbridge/src/dev-container/status";
import { canGo, viaOf } from "@drawbridge-iac/drawbridge/src/host/client-texts/proxy-command";
import type { SshTarget, SshWay } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";
import { ownImages } from "@drawbridge-iac/drawbridge/src/kubernetes/images";
import { whyClosed } from "../doctor/cluster.ts";
import { egressFaults } from "../doctor/egress.ts";
import { type Finding, findingLine } from "../doctor/finding.ts";
import { gatewayRequirements } from "../doctor/gateways.ts";
import { networkRequirements } from "../doctor/network.ts";
import { rootRequirements } from "../doctor/root.ts";
import { teamRequirements } from "../doctor/teams.ts";
import { containersInCluster } from "../doctor/unknown.ts";
import { explainLogin, tryLogin, walk } from "../doctor/walk.ts";
import { CliError, ExitCode, Step } from "../faults.ts";
import { sshOptions } from "../files.ts";
import { type KnownTarget, readKnownStacks, targetCalled, UnknownHere } from "../known-stacks.ts";
import { isOff } from "../list/answers.ts";
import { podState, whyNot } from "../list/container-state.ts";
import { fewAtOnce } from "../list/few-at-once.ts";
import { parseVia } from "../proxy/via.ts";
import { hasKubeconfig, type Kube, loadKube, sharedKube } from "../sshpod/kube.ts";
import { tlsOn } from "../targets.ts";
import { visible, visibleJson } from "../terminal.ts";

/** How many containers are walked at a time; each log-in is two programs on this computer. */
const few = 16;

export interface DoctorFlags {
  readonly way?: string;
  readonly root?: boolean;
  readonly gateways?: boolean;
  readonly teams?: boolean;
  readonly network?: boolean;
  /** Of the pods that `network` makes. */
  readonly image?: string;
  readonly json?: boolean;
}

/** What walking one way has shown. */
interface Walked {
  readonly name: string;
  readonly way: string;
  readonly via: string;
  /** Whether it leads to a login. */
  readonly open: boolean;
  /** Whether it does not because the container's stack has switched it off. */
  readonly off: boolean;
  /** The state of the container's pod; undefined where it cannot be read. */
  readonly pod: DevContainerStatus | undefined;
  /** What is wrong with its way out by name, as far as the cluster tells. */
  readonly egress: readonly Finding[];
  readonly findings: readonly Finding[];
}

/**
 * Prints as it goes; returns whether at least one way leads to a login, for each container that was looked at. One that
 * is switched off is no fault, unless it was asked for by name.
 */
export async function doctor(
  alias: string | undefined,
  flags: DoctorFlags,
  print: (line: string) => void,
): Promise<boolean> {
  const { root, gateways, teams, network } = flags;
  if (root || gateways || teams || network) return doctorCluster(alias, flags, print);
  const kube = sharedKube();
  const targets = await knownOrNot(alias);
  if (targets instanceof CliError) return doctorUnknown(alias, flags, print, kube, targets);
  const say = flags.json ? () => undefined : print;
  const each = await fewAtOnce(few, targets, async (known) => {
    if (alias !== undefined) return walkAll(known, flags.way, say, kube, true);
    const lines: string[] = [];
    const walked = await walkAll(known, flags.way, (line) => lines.push(line), kube, false);
    // Printed together, since others are walked at the same time.
    for (const line of lines) say(line);
    return walked;
  });
  const walked = each.flat();
  if (flags.json) print(visibleJson(walked));
  const isOpen = ({ alias: name }: KnownTarget) => walked.some((one) => one.name === name && one.open);
  const looked = targets.filter(({ alias: name }) => walked.some((one) => one.name === name));
  if (alias !== undefined) return looked.every(isOpen);
  const isSwitchedOff = (known: KnownTarget) =>
    !isOpen(known) && walked.some((one) => one.name === known.alias && one.off);
  const on = looked.filter((known) => !isSwitchedOff(known));
  const rest = looked.length === on.length ? "" : `; ${looked.length - on.length} switched off`;
  say(`${on.filter(isOpen).length} of ${on.length} containers can be logged in to${rest}`);
  return on.every(isOpen);
}

/** The containers to look at, or why this laptop does not know them. */
async function knownOrNot(alias: string | undefined): Promise<readonly KnownTarget[] | CliError> {
  try {
    const saved = await readKnownStacks();
    return alias === undefined ? saved.targets : [targetCalled(saved, alias)];
  } catch (error) {
    if (error instanceof UnknownHere) return error;
    throw error;
  }
}

/** Looks for it in the cluster, which has also what a failed `pulumi up` has made. */
async function doctorUnknown(
  alias: string | undefined,
  { json }: DoctorFlags,
  print: (line: string) => void,
  loadKube: () => Promise<Kube>,
  unknown: CliError,
): Promise<false> {
  const found = hasKubeconfig()
    ? await loadKube()
        .then((kube) => containersInCluster(alias, kube))
        .catch(() => [])
    : [];
  if (found.length === 0) throw unknown;
  if (json) print(visibleJson(found));
  else {
    for (const one of found) {
      print(`${one.name} of namespace ${one.namespace}, which this laptop knows from no stack`);
      print(findingLine(one));
    }
    print(
      "once `pulumi up` ends well and the stack gives out sshTarget, run: drawbridge ssh-config --stack STACK",
    );
  }
  return false;
}

/** Walks every way to one container, or the one that is asked for. */
async function walkAll(
  known: KnownTarget,
  way: string | undefined,
  say: (line: string) => void,
  kube: () => Promise<Kube>,
  isNamed: boolean,
): Promise<Walked[]> {
  const asked = known.target.ways.filter((one) => way === undefined || one.way === way);
  if (asked.length === 0 && isNamed) throw noSuchWay(known, way);
  // Where it is the only one, its fault is what there is to say.
  const ways = asked.length === 1 ? asked : asked.filter((one) => !isOff(one));
  const walked: Walked[] = [];
  const pod = ways.length === 0 ? undefined : await podState(known.target, kube);
  const fault = whyNot(pod);
  const egress = ways.length === 0 || !hasKubeconfig() ? [] : await egressFaults(known.target, kube);
  const inCluster = [
    ...(fault === undefined ? [] : [{ step: Step.pod, ok: false, text: fault.message }]),
    ...egress,
  ];
  if (inCluster.length > 0) say(`${known.alias} in its cluster`);
  for (const one of inCluster) say(findingLine(one));
  if (ways.length < asked.length) {
    say(`${known.alias} by sshpod is left out: it needs a kubeconfig, and none is here`);
  }
  for (const one of ways) walked.push({ ...(await walkWay(known, one, say, kube)), pod, egress });
  const open = walked.filter((one) => one.open).length;
  const off = open === 0 && walked.some((one) => one.off);
  const count = off ? "switched off by its stack" : `${open} of ${ways.length} ways lead to a login`;
  if (!isNamed) say(`${known.alias}: ${count}\n`);
  else say(open === ways.length && inCluster.length === 0 ? "all is well" : count);
  return walked;
}

/** Looks at the cluster of the current context, and at no container. */
async function doctorCluster(
  alias: string | undefined,
  { way, root, gateways, teams, network, image, json }: DoctorFlags,
  print: (line: string) => void,
): Promise<boolean> {
  if (alias !== undefined || way !== undefined) {
    const [flag] = Object.entries({ root, gateways, teams, network }).find(([, asked]) => asked) ?? [];
    throw new CliError(`--${flag} looks at the cluster alone; remove the name and --way`, ExitCode.usage);
  }
  const kube = await loadKube();
  const found = [
    ...(root ? await rootRequirements(kube) : []),
    ...(gateways ? await gatewayRequirements(kube) : []),
    ...(teams ? await teamRequirements(kube) : []),
    ...(network ? await networkRequirements(kube, { image: image ?? ownImages[0], borrows: root }) : []),
  ];
  if (json) print(visibleJson(found));
  else for (const one of found) print(findingLine(one));
  return found.every(({ ok }) => ok);
}

async function walkWay(
  known: KnownTarget,
  way: SshWay,
  say: (line: string) => void,
  kube: () => Promise<Kube>,
): Promise<Omit<Walked, "pod" | "egress">> {
  const { alias, target } = known;
  const { hostName, port } = target;
  const via = viaOf(way);
  say(`${alias} by ${way.way} (${visible(via)})`);
  const tell = (finding: Finding) => say(findingLine(explained(finding, target)));
  const walked = await walk(parseVia(via), { hostName, port, tls: tlsOn(way, known) }, tell);
  const findings = walked.map((finding) => explained(finding, target));
  if (findings.every(({ ok }) => ok)) {
    const several = target.ways.filter((one) => canGo("drawbridge", one)).length > 1;
    const tried = await tryLogin(several ? `${alias}.${way.way}` : alias, sshOptions());
    const last = explainLogin(tried, target);
    last.forEach(tell);
    findings.push(...last);
  }
  const open = findings.every(({ ok }) => ok);
  const off = findings.some((finding) => isAbsence(finding, target));
  const why =
    way.way === "gateway" && !off && findings.some(isSilence) ? await whyClosed(target, kube) : undefined;
  if (why !== undefined) {
    const finding = { step: Step.cluster, ok: false, text: why };
    tell(finding);
    findings.push(finding);
  }
  return { name: alias, way: way.way, via, open, off, findings };
}

/** Where no pod answers because the stack has switched the container off, the finding says so. */
function explained(finding: Finding, target: SshTarget): Finding {
  if (!isAbsence(finding, target)) return finding;
  return { ...finding, text: `${finding.text}; ${switchedOff.message}` };
}

function isAbsence({ ok, step, status }: Finding, { running }: SshTarget): boolean {
  return running === false && !ok && (status === 503 || step === Step.pod || step === Step.banner);
}

/** The gateway knows the host, and no sshd answers behind it. */
function isSilence({ ok, step, status }: Finding): boolean {
  return !ok && (status === 503 || status === 504 || step === Step.banner);
}

function noSuchWay({ alias, target }: KnownTarget, way: string | undefined): CliError {
  const known = target.ways.map((one) => one.way).join(", ");
  return new CliError(
    `${alias} has no way in that is called ${JSON.stringify(way)}; it has: ${known}`,
    ExitCode.usage,
  );
}
