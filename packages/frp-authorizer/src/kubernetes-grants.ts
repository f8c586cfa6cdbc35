import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { type FindGrant, type Grant, LookupForbidden } from "./grants.ts";
import type { Identity } from "./identity.ts";

/** Where the API server is and how to prove oneself to it. */
export interface ApiAccess {
  readonly host: string;
  readonly port: number;
  /** Folder with `token` and `ca.crt`, as the kubelet mounts it; the token is renewed there. */
  readonly folder: string;
}

const timeoutMs = 5_000;

/** Grants as ConfigMaps in the containers' own namespaces. Each is readable by name only, by a Role of its own. */
export function kubernetesGrants(access: ApiAccess): FindGrant {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(`${access.folder}/ca.crt`) });
  return async ({ namespace, name }: Identity) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps/frp-grant.${name}`;
    const { status, body } = await get(access, agent, path);
    if (status === 404) return undefined;
    // Without a Role that names it, a ConfigMap is forbidden whether it exists or not.
    if (status === 403) throw new LookupForbidden(`the API server forbids to look at ${path}`);
    if (status !== 200) throw new Error(`the API server answered ${status} to a grant's lookup`);
    return parseGrant(body);
  };
}

/** Reads a grant's ConfigMap; one that holds no hash grants nothing. */
export function parseGrant(body: string): Grant | undefined {
  const { data } = JSON.parse(body) as { data?: Record<string, string> };
  const tokenSha256 = data?.tokenSha256;
  return tokenSha256 === undefined ? undefined : { tokenSha256, clientDomain: data?.clientDomain };
}

function get(
  { host, port, folder }: ApiAccess,
  agent: Agent,
  path: string,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const token = readFileSync(`${folder}/token`, "utf8").trim();
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const call = request(
      { host, port, path, agent, headers, signal: AbortSignal.timeout(timeoutMs) },
      (response) => {
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          body += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
        response.on("error", reject);
      },
    );
    call.on("error", reject);
    call.end();
  });
}
