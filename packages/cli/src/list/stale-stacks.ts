/** `drawbridge list --people`: which stacks still have to be brought up after a change of people. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type People, peopleSchema } from "@drawbridge-iac/drawbridge/src/host/keys/people";
import {
  outdatedKeys,
  type PersonChange,
  personChangeText,
} from "@drawbridge-iac/drawbridge/src/host/keys/people-changes";
import { partSelector } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { type TeamPeople, teamPeople } from "@drawbridge-iac/drawbridge/src/stacks/people";
import { anyAliases, stackNamed } from "@drawbridge-iac/drawbridge/src/stacks/stack-file";
import { bounded, readYaml, valueAt } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import { parse } from "yaml";
import { CliError, ExitCode } from "../faults.ts";
import { isForbidden, type Kube } from "../sshpod/kube.ts";
import { table } from "./table.ts";

/** A container whose authorized keys were made from people's names, as the cluster has it now. */
interface NamedContainer {
  /** The stack of the given file that declares the container; undefined if none does. */
  readonly stack: string | undefined;
  readonly namespace: string;
  readonly name: string;
  /** Who may log in, as `alice` or `group:ml`. */
  readonly people: readonly string[];
  /** What the container's keys lack. */
  readonly changes: readonly PersonChange[];
  /** People whom the container names and no given file declares. */
  readonly unknown: readonly string[];
}

interface ConfigMap {
  readonly metadata: { readonly namespace: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
}

const ofContainers = `app.kubernetes.io/managed-by=drawbridge,${partSelector("dev-container")}`;

/**
 * All containers of the cluster that name people, by stack and name.
 * @param files stack files, or anything with `people` at its top, such as a platform's outputs
 */
export async function namedContainers(
  files: readonly string[],
  loadKube: () => Promise<Kube>,
): Promise<NamedContainer[]> {
  const read = await Promise.all(files.map(readPeople));
  const shared = sharedPeople(read);
  const path = `/api/v1/configmaps?labelSelector=${encodeURIComponent(ofContainers)}`;
  const { items } = await (await loadKube()).get<{ items: ConfigMap[] }>(path).catch(explained);
  return items
    .flatMap(({ metadata: { namespace, labels }, data }): NamedContainer[] => {
      const name = labels?.["app.kubernetes.io/instance"] ?? "";
      const file = read.find(
        ({ team }) => team?.namespace === namespace && team.containers.some((one) => one.name === name),
      );
      const keys = outdatedKeys(data?.authorized_keys ?? "", { ...file?.own, ...shared });
      return keys.people.length === 0 ? [] : [{ stack: file?.stack, namespace, name, ...keys }];
    })
    .sort((a, b) => (title(a) < title(b) ? -1 : 1));
}

const title = ({ stack = "", namespace, name }: NamedContainer) => `${stack}\n${namespace}/${name}`;

function explained(error: unknown): never {
  if (!isForbidden(error)) throw error;
  throw new CliError(
    `the keys that containers have are read from their ConfigMaps, in all namespaces: ${error.said}; ask as a user who may list them`,
  );
}

/** A row for each container that is not as the files say, beginning with the stack to bring up. */
export function peopleText(containers: readonly NamedContainer[]): string {
  const rows = containers.flatMap(({ stack = "-", namespace, name, changes, unknown }) => {
    const nobody = unknown.length === 0 ? [] : [`not in the files given: ${unknown.join(", ")}`];
    const words = [...changes.map(personChangeText), ...nobody];
    return words.length === 0 ? [] : [[stack, `${namespace}/${name}`, words.join("; ")]];
  });
  if (rows.length > 0) return table([["STACK", "CONTAINER", "PENDING"], ...rows]);
  return `all containers that name people (${containers.length}) have their keys\n`;
}

interface PeopleFile {
  readonly file: string;
  readonly stack: string;
  /** Whom every team may name, and whom only this one. */
  readonly shared: People;
  readonly own: People;
  readonly team: TeamPeople | undefined;
}

async function readPeople(file: string): Promise<PeopleFile> {
  const wrong = (message: string) => new CliError(`${file} ${message}`, ExitCode.usage);
  const content: unknown = await readFile(file, "utf8").then(
    (text) => {
      try {
        return readYaml(text, () => bounded(parse(text, anyAliases)));
      } catch (error) {
        throw wrong(`is neither YAML nor JSON: ${(error as Error).message.split("\n", 1)[0]}`);
      }
    },
    (error: Error) => {
      throw wrong(`cannot be read: ${error.message}`);
    },
  );
  const of = (...path: string[]): People => {
    const parsed = peopleSchema.safeParse(valueAt(content, path));
    if (parsed.success) return parsed.data;
    throw wrong(`has invalid people; see: drawbridge validate ${file}`);
  };
  const team = teamPeople(content);
  const platform = valueAt(content, ["config", "drawbridge:platform"]);
  if (team === undefined && platform === undefined && valueAt(content, ["people"]) === undefined) {
    throw wrong("has no people; pass a Pulumi.<stack>.yaml, or: pulumi stack output --stack platform --json");
  }
  return {
    file,
    stack: stackNamed(basename(file)),
    shared: { ...of("people"), ...of("config", "drawbridge:platform", "people") },
    own: of("config", "drawbridge:team", "people"),
    team,
  };
}

function sharedPeople(read: readonly PeopleFile[]): People {
  const all: Record<string, People[string]> = {};
  for (const { file, shared } of read) {
    for (const [name, person] of Object.entries(shared)) {
      if (all[name] !== undefined && JSON.stringify(all[name]) !== JSON.stringify(person)) {
        throw new CliError(
          `${file} and the file before it disagree on who ${name} is; pass one platform's files at a time`,
          ExitCode.usage,
        );
      }
      all[name] = person;
    }
  }
  return all;
}
