/** Whether the settings of a Kubernetes provider lead to the cluster to which they led before, and start no program. */
import { isAbsolute, win32 } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isMap } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import { parse } from "yaml";
import { hasHidden, type Inputs } from "./values.ts";

/** What an inline kubeconfig may change: who comes, not where to. */
const credentials = new Set(["token", "password", "client-certificate-data", "client-key-data"]);

/**
 * The path of a kubeconfig is no cluster: the SDK writes the KUBECONFIG of the machine on which the program ran into the
 * provider's settings. So a path is taken for that of the environment if it is absolute, was that of all providers, and
 * makes room for the environment's own. A path that a program itself now names leads anywhere.
 * @param all the settings before of every provider that the program made itself
 * @param environment KUBECONFIG where the preview was made, which is where the guard runs
 */
export function isSameCluster(
  before: Inputs | undefined,
  after: Inputs | undefined,
  all: readonly (Inputs | undefined)[],
  environment = process.env.KUBECONFIG,
): boolean {
  const [was, is] = [before, after].map((one) => kubeconfigOf(one));
  // Another version is no other setting.
  const others = [before, after].map((one) => ({ ...one, version: 0, kubeconfig: 0, __internal: 0 }));
  if (!isDeepStrictEqual(others[0], others[1])) return false;
  if (isDeepStrictEqual(was, is)) return true;
  const isOfEnvironment = is === undefined || is === environment;
  const isOnlyOne = all.map((one) => kubeconfigOf(one)).every((one) => isMap(one) || one === was);
  return isOfEnvironment && isOnlyOne && (was === undefined || isPathOfAMachine(was));
}

/** What may stand in a kubeconfig, wherever it is: none of these names a program that gives out credentials. */
const quiet = new Set(
  [
    "apiVersion kind preferences colors clusters name cluster contexts context namespace users user current-context",
    "server tls-server-name insecure-skip-tls-verify certificate-authority certificate-authority-data proxy-url",
    "disable-compression client-certificate client-certificate-data client-key client-key-data token tokenFile",
    "username password as as-uid as-groups extensions",
  ]
    .join(" ")
    .split(" "),
);

/** What a provider's kubeconfig is where it is not that of the environment, or an inline one that starts nothing. */
export function strangeKubeconfig(
  inputs: Inputs,
  environment = process.env.KUBECONFIG,
): "hidden" | "a program" | "a file" | undefined {
  const given = inputs.kubeconfig;
  if (hasHidden(given)) return "hidden";
  const read = kubeconfigOf(inputs);
  if (isMap(read)) return isQuiet(read) ? undefined : "a program";
  return read === undefined || read === environment || isPathOfAMachine(read) ? undefined : "a file";
}

/** Extensions are a tool's own words. */
const isQuiet = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  Object.entries(value).every(
    ([key, inner]) => (Array.isArray(value) || quiet.has(key)) && (key === "extensions" || isQuiet(inner)),
  );

const isPathOfAMachine = (text: unknown) =>
  typeof text === "string" && (isAbsolute(text) || win32.isAbsolute(text));

/** An inline kubeconfig as a map without its credentials, or a path; undefined where the environment says it. */
function kubeconfigOf(inputs: Inputs | undefined): unknown {
  const given = inputs?.kubeconfig;
  if (given === undefined || given === "") return undefined;
  const read = typeof given === "string" ? parsed(given) : given;
  return isMap(read) ? JSON.parse(JSON.stringify(read, without)) : given;
}

const without = (key: string, value: unknown) => (credentials.has(key) ? undefined : value);

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
