/** `drawbridge list`: the containers and storages that this laptop knows, and how each is now. */
import { ideLinks } from "@drawbridge-iac/drawbridge/src/host/client-texts/ssh-config";
import { type Denial, denialsOf } from "../egress/denials.ts";
import { type KnownStacks, type KnownTarget, knownTarget, readKnownStacks } from "../known-stacks.ts";
import { storageAnswer, wayStates, waysText } from "../list/answers.ts";
import { idleState, phaseText, podState, whyNot } from "../list/container-state.ts";
import { fewAtOnce } from "../list/few-at-once.ts";
import { namedContainers, peopleText } from "../list/stale-stacks.ts";
import { table } from "../list/table.ts";
import { loadKube, sharedKube } from "../sshpod/kube.ts";
import { visibleJson } from "../terminal.ts";

/** How many are asked at a time: a thousand connections at once would be more than a gateway or a laptop takes in. */
const few = 32;

export interface ListFlags {
  readonly names?: boolean;
  readonly links?: boolean;
  readonly people?: readonly string[];
  /** A container, by its name here or as namespace/name. */
  readonly denied?: string;
  readonly json?: boolean;
}

export async function list(flags: ListFlags): Promise<string> {
  if (flags.people !== undefined) {
    const containers = await namedContainers(flags.people, loadKube);
    return flags.json ? `${visibleJson({ containers })}\n` : peopleText(containers);
  }
  if (flags.denied !== undefined) {
    const denials = await denialsOf(await loadKube(), await containerCalled(flags.denied));
    return flags.json ? `${visibleJson({ denials })}\n` : denialsText(denials);
  }
  const saved = await readKnownStacks();
  if (flags.names) return saved.targets.map(({ alias }) => `${alias}\n`).join("");
  if (flags.links) return saved.targets.map(linksText).join("\n");
  const [containers, storages] = await Promise.all([containersNow(saved), storagesNow(saved)]);
  if (flags.json) return `${visibleJson({ containers, storages })}\n`;
  const containerRows = containers.map(({ alias, user, hostName, pod, ways }) => [
    alias,
    user,
    hostName,
    phaseText(pod),
    waysText(ways),
  ]);
  const storageRows = storages.map(({ name, namespace, status, url, answer }) => [
    name,
    namespace,
    phaseText(status),
    url ?? "-",
    answer,
  ]);
  const states = [
    ...containers.map(({ alias, pod }) => [alias, pod] as const),
    ...storages.map(({ name, status }) => [name, status] as const),
  ];
  const faultRows = states.flatMap(([name, status]) => {
    const fault = whyNot(status);
    return fault === undefined ? [] : [[name, fault.message]];
  });
  const idleRows = containers.flatMap(({ alias, idle }) =>
    idle === undefined ? [] : [[alias, idle.state, idle.since, idle.text]],
  );
  const unlessEmpty = (head: string[], rows: string[][]) =>
    rows.length === 0 ? [] : [table([head, ...rows])];
  return [
    table([["NAME", "USER", "HOST", "POD", "WAYS IN"], ...containerRows]),
    ...unlessEmpty(["NOT READY", "WHY"], faultRows),
    ...unlessEmpty(["SLEEPER", "STATE", "SINCE", "WHY"], idleRows),
    ...unlessEmpty(["STORAGE", "NAMESPACE", "STATE", "ADDRESS", "NOW"], storageRows),
  ].join("\n");
}

/** By namespace and name, or as this laptop knows it: with a kubeconfig its stack need not be known. */
async function containerCalled(name: string) {
  const [namespace, own, ...rest] = name.split("/");
  return namespace && own && rest.length === 0 ? { namespace, name: own } : (await knownTarget(name)).target;
}

function denialsText(denials: readonly Denial[]): string {
  if (denials.length === 0) return "nothing was refused lately\n";
  const rows = denials.map(({ time, times, what, reason }) => [time, String(times), what, reason]);
  return table([["LAST", "TIMES", "ASKED FOR", "WHY"], ...rows]);
}

function containersNow(saved: KnownStacks) {
  const kube = sharedKube();
  return fewAtOnce(few, saved.targets, async (known) => {
    const { alias, target } = known;
    const [pod, idle, ways] = await Promise.all([
      podState(target, kube),
      idleState(target, kube),
      wayStates(known),
    ]);
    return { alias, user: target.user, hostName: target.hostName, pod, idle, ways };
  });
}

function storagesNow({ storages }: KnownStacks) {
  return fewAtOnce(few, storages, async ({ kind: _, ca, ...storage }) => ({
    ...storage,
    answer: await storageAnswer(storage.url, ca),
  }));
}

function linksText({ alias, target }: KnownTarget): string {
  const links = Object.entries(ideLinks(alias, target.home, target.user));
  return [alias, ...links.map(([editor, link]) => `  ${editor}: ${link}`), ""].join("\n");
}
