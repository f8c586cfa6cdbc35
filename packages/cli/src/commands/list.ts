/** `drawbridge list`: the containers and storages that this laptop knows, and how each is now. */
import { ideLinks, personChangeText } from "@drawbridge-iac/manifests";
import { idleState } from "../list/idle-state.ts";
import { type NamedContainer, namedContainers } from "../list/people.ts";
import { podState, podText } from "../list/pod-state.ts";
import { storageAnswer } from "../list/storage-answer.ts";
import { wayStates, waysText } from "../list/way-states.ts";
import { type KnownTarget, readSaved, type Saved } from "../saved.ts";
import { sshFiles } from "../ssh-files.ts";
import { type Kube, loadKube } from "../sshpod/kube.ts";
import { visible, visibleJson } from "../terminal.ts";

export interface ListFlags {
  readonly names?: boolean;
  readonly links?: boolean;
  readonly people?: readonly string[];
  readonly json?: boolean;
}

export async function list(flags: ListFlags): Promise<string> {
  if (flags.people !== undefined) {
    const containers = await namedContainers(flags.people, () => loadKube(undefined));
    return flags.json ? `${visibleJson({ containers })}\n` : peopleText(containers);
  }
  const saved = await readSaved(sshFiles());
  if (flags.names) return saved.targets.map(({ alias }) => `${alias}\n`).join("");
  if (flags.links) return saved.targets.map(linksText).join("\n");
  const [containers, storages] = await Promise.all([containersNow(saved), storagesNow(saved)]);
  if (flags.json) return `${visibleJson({ containers, storages })}\n`;
  const containerRows = containers.map(({ alias, user, hostName, pod, ways }) => [
    alias,
    user,
    hostName,
    podText(pod),
    waysText(ways),
  ]);
  const storageRows = storages.map(({ name, namespace, state, url, answer }) => [
    name,
    namespace,
    state,
    url ?? "-",
    answer,
  ]);
  const idleRows = containers.flatMap(({ alias, idle }) =>
    idle === undefined ? [] : [[alias, idle.state, idle.since, idle.text]],
  );
  return [
    table([["NAME", "USER", "HOST", "POD", "WAYS IN"], ...containerRows]),
    ...(idleRows.length === 0 ? [] : [table([["SLEEPER", "STATE", "SINCE", "WHY"], ...idleRows])]),
    ...(storages.length === 0
      ? []
      : [table([["STORAGE", "NAMESPACE", "STATE", "ADDRESS", "NOW"], ...storageRows])]),
  ].join("\n");
}

function containersNow(saved: Saved) {
  // Read once for all containers, and not at all where none can be asked for.
  let kube: Promise<Kube> | undefined;
  const sharedKube = () => {
    kube ??= loadKube(undefined);
    return kube;
  };
  return Promise.all(
    saved.targets.map(async (known) => {
      const { alias, target } = known;
      const [pod, idle, ways] = await Promise.all([
        podState(target, sharedKube),
        idleState(target, sharedKube),
        wayStates(known),
      ]);
      return { alias, user: target.user, hostName: target.hostName, pod, idle, ways };
    }),
  );
}

function storagesNow({ storages }: Saved) {
  return Promise.all(
    storages.map(async ({ kind: _, ca, ...storage }) => ({
      ...storage,
      answer: await storageAnswer(storage.url, ca),
    })),
  );
}

/** The containers that are not as the files say; a stack that has to be brought up stands before each. */
export function peopleText(containers: readonly NamedContainer[]): string {
  const rows = containers.flatMap(({ stack = "-", namespace, name, changes, unknown }) => {
    const nobody = unknown.length === 0 ? [] : [`no file given knows ${unknown.join(", ")}`];
    const words = [...changes.map(personChangeText), ...nobody];
    return words.length === 0 ? [] : [[stack, `${namespace}/${name}`, words.join("; ")]];
  });
  if (rows.length > 0) return table([["STACK", "CONTAINER", "STILL TO COME"], ...rows]);
  return `all containers that name people (${containers.length}) have their keys\n`;
}

function linksText({ alias, target }: KnownTarget): string {
  const links = Object.entries(ideLinks(alias, target.home, target.user));
  return [alias, ...links.map(([editor, link]) => `  ${editor}: ${link}`), ""].join("\n");
}

function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(visible));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
