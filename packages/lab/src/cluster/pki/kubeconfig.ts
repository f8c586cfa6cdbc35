import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "../../kube/transport.ts";
import { apiServerUrl } from "../addresses.ts";
import type { Layout } from "../layout.ts";
import { kubeconfigUsers } from "./certificates.ts";

/** PEM texts of one user of the cluster. */
export interface Credentials {
  authority: string;
  certificate: string;
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
        cluster: { server: apiServerUrl, "certificate-authority-data": base64(credentials.authority) },
      },
    ],
    users: [
      {
        name: user,
        user: {
          "client-certificate-data": base64(credentials.certificate),
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
  const [authority, certificate, key] = await Promise.all([
    read("ca.crt"),
    read(`${file}.crt`),
    read(`${file}.key`),
  ]);
  return { authority, certificate, key };
}

/** How the supervisor itself reaches the API server. */
export async function apiConnection(folder: string, file: string): Promise<Connection> {
  const { authority, certificate, key } = await readCredentials(folder, file);
  const tls = { ca: authority, cert: certificate, key, rejectUnauthorized: true };
  return { server: apiServerUrl, tls, authorization: () => undefined };
}

/** One kubeconfig per program, and the administrator's, readable by root alone. */
export async function writeKubeconfigs(layout: Layout): Promise<void> {
  await Promise.all(
    kubeconfigUsers.map(async (user) => {
      const path = user === "admin" ? layout.kubeconfig : join(layout.kubeconfigs, user);
      const credentials = await readCredentials(layout.certificates, user);
      await writeFile(path, kubeconfigOf(user, credentials), { mode: 0o600 });
    }),
  );
}
