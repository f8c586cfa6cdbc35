/** The user `neighbour`: deployer of one team, with exactly that role, in a namespace as the platform makes it. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deployerBinding, deployerRole } from "@drawbridge-iac/drawbridge/src/team/deployer-role";
import { teamDefaultDeny, teamNamespace } from "@drawbridge-iac/drawbridge/src/team/namespace";
import { applyByForce, kubectl, listOf } from "../lab/lab.ts";

/** Arguments of kubectl to act as `neighbour`. */
export const neighbour = ["--as=neighbour", "--as-group=system:authenticated"] as const;

interface Account {
  readonly name: string;
  readonly namespace: string;
}

interface Handed {
  /** Private networks that its pods may reach. */
  readonly egressAllow?: readonly string[];
  /** Who deploys there besides the neighbour. */
  readonly serviceAccounts?: readonly Account[];
}

/** What the platform puts into a team's namespace, and the neighbour's right to deploy there. */
export async function handToNeighbour(
  namespace: string,
  { egressAllow = [], serviceAccounts = [] }: Handed = {},
): Promise<void> {
  const deployers = { users: ["neighbour"], groups: [], serviceAccounts: [...serviceAccounts] };
  await applyByForce(
    teamNamespace(namespace, egressAllow),
    teamDefaultDeny(namespace),
    deployerRole(namespace),
    deployerBinding(namespace, deployers),
  );
}

/** A new account, and a kubeconfig in that folder with its token in the place of the administrator's. */
export async function accountKubeconfig({ name, namespace }: Account, folder: string): Promise<string> {
  await kubectl(["-n", namespace, "create", "serviceaccount", name]);
  const file = join(folder, `${name}.kubeconfig`);
  await writeFile(file, await kubeconfigWith(await tokenOf({ name, namespace })));
  return file;
}

export async function tokenOf({ name, namespace }: Account): Promise<string> {
  return (await kubectl(["-n", namespace, "create", "token", name, "--duration=2h"])).trim();
}

/** The tests' own kubeconfig, with this token in the place of the administrator's. */
export async function kubeconfigWith(token: string): Promise<string> {
  const config = JSON.parse(await readFile(process.env.KUBECONFIG ?? "", "utf8"));
  const users = config.users.map(({ name }: { name: string }) => ({ name, user: { token } }));
  return JSON.stringify({ ...config, users });
}

/** Runs something with another kubeconfig: an inline program takes it from the environment of this process. */
export async function withKubeconfig<T>(file: string, act: () => Promise<T>): Promise<T> {
  const admin = process.env.KUBECONFIG;
  process.env.KUBECONFIG = file;
  try {
    return await act();
  } finally {
    process.env.KUBECONFIG = admin;
  }
}

/** Writes objects as `neighbour`. */
export const deploy = (items: readonly object[]) =>
  kubectl([...neighbour, "apply", "-f", "-"], listOf(items));

interface Pod {
  readonly labels?: Readonly<Record<string, string>>;
  readonly containers: readonly object[];
  readonly volumes?: readonly object[];
  /** @default 0, with which the pod counts as gone before it is */
  readonly terminationGracePeriodSeconds?: number;
}

/** A pod as a team may run one, by a Deployment of its name. */
export function deployment(namespace: string, name: string, { labels = {}, ...pod }: Pod): object {
  const own = { ...labels, run: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels: own },
      template: {
        metadata: { labels: { ...own, "sidecar.istio.io/inject": "false" } },
        spec: { automountServiceAccountToken: false, terminationGracePeriodSeconds: 0, ...pod },
      },
    },
  };
}
