import { generateKeyPairSync } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "../../kube/transport.ts";
import { apiServerUrl } from "../addresses.ts";
import type { Plan } from "../plan.ts";
import { certificates, issueAll, kubeconfigUsers } from "./certificates.ts";

/** The pair with which service account tokens are signed and checked: `service-account.key` and `.pub`. */
async function writeServiceAccountKey(folder: string): Promise<void> {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await Promise.all([
    writeFile(
      join(folder, "service-account.key"),
      // The controller manager's reader of private keys takes SEC 1 for elliptic curves.
      pair.privateKey.export({ type: "sec1", format: "pem" }),
      { mode: 0o600 },
    ),
    writeFile(join(folder, "service-account.pub"), pair.publicKey.export({ type: "spki", format: "pem" })),
  ]);
}

/** PEM texts of one user of the cluster. */
export interface Credentials {
  /** The authority's certificate. */
  ca: string;
  cert: string;
  key: string;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** A kubeconfig with everything embedded, so that the one file can be copied elsewhere. JSON is valid YAML. */
export function kubeconfigOf(user: string, credentials: Credentials): string {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "drawbridge-lab",
        cluster: { server: apiServerUrl, "certificate-authority-data": base64(credentials.ca) },
      },
    ],
    users: [
      {
        name: user,
        user: {
          "client-certificate-data": base64(credentials.cert),
          "client-key-data": base64(credentials.key),
        },
      },
    ],
    contexts: [{ name: "drawbridge-lab", context: { cluster: "drawbridge-lab", user } }],
    "current-context": "drawbridge-lab",
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

async function readCredentials(folder: string, file: string): Promise<Credentials> {
  const read = (name: string) => readFile(join(folder, name), "utf8");
  return { ca: await read("ca.crt"), cert: await read(`${file}.crt`), key: await read(`${file}.key`) };
}

/** How a supervisor itself reaches the API server. */
export async function apiConnection(folder: string, file: string): Promise<Connection> {
  return { server: apiServerUrl, tls: await readCredentials(folder, file) };
}

/** One kubeconfig per program, and the administrator's, readable by root alone. */
async function writeKubeconfigs({ layout, nodes }: Plan): Promise<void> {
  await Promise.all(
    kubeconfigUsers(nodes).map(async (user) => {
      const path = user === "admin" ? layout.kubeconfig : join(layout.kubeconfigs, user);
      const credentials = await readCredentials(layout.certificates, user);
      await writeFile(path, kubeconfigOf(user, credentials), { mode: 0o600 });
    }),
  );
}

/** Everything secret of an instance: its authority, its certificates, its kubeconfig files. */
export async function makeCredentials(plan: Plan): Promise<void> {
  const { layout, nodes } = plan;
  await Promise.all(
    [layout.certificates, layout.kubeconfigs].map((folder) =>
      mkdir(folder, { recursive: true, mode: 0o700 }),
    ),
  );
  await Promise.all([
    issueAll(layout.certificates, certificates(nodes)),
    writeServiceAccountKey(layout.certificates),
  ]);
  await writeKubeconfigs(plan);
}
