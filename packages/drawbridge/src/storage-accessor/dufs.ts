/** The file server: its rules about users, and one container for each way in. */
import { textOf } from "../kit/fault.ts";
import { type Input, joinedLists, whenAllKnown, whenKnown, whenSettled } from "../kit/input.ts";
import { faultsIn } from "../kit/zod-faults.ts";
import { secret } from "../kubernetes/data.ts";
import { compact, type Manifest } from "../kubernetes/manifest.ts";
import { readOnlyIf } from "../kubernetes/pod.ts";
import { restrictedContainer } from "../kubernetes/security.ts";
import { fileServerPort } from "../storage-proxy/ref.ts";
import { accessPassword, type StorageAction } from "./args.ts";
import type { FileServerPlan, StoragePlan } from "./plan.ts";

/** Key in the Secret under which dufs finds its rules. */
const accessRulesKey = "rules";

/**
 * dufs's rules, one for each user: `user:password@/:ro|…`. With at least one rule, a visitor without a password is
 * refused.
 * @param passwords in the order of the credentials
 */
export function accessRules(
  credentials: readonly { user: string; write: boolean }[],
  passwords: readonly string[],
): string {
  return credentials
    .map(({ user, write }, index) => {
      // A password that was not known when the arguments were checked is checked here.
      const checked = accessPassword.safeParse(passwords[index]);
      if (!checked.success) {
        throw new Error(
          `browse.credentials[${index}].password ${faultsIn(checked.error, true).map(textOf).join("; ")}`,
        );
      }
      return `${user}:${checked.data}@/:${write ? "rw" : "ro"}`;
    })
    .join("|");
}

/** @param rules secret: what {@link accessRules} made */
export function credentialsSecret(plan: StoragePlan, rules: Input<string>): Manifest<"Secret"> {
  return secret(plan.names.credentials, plan, { [accessRulesKey]: rules });
}

const dataPath = "/data";

/** dufs answers here before it asks who is there. */
export const healthPath = (path: string) => `${path}/__dufs__/health`;

/** For people with a password: in the browser, with curl, over WebDAV. */
export function credentialDufs(plan: StoragePlan, fileServer: FileServerPlan, port: number) {
  const write = whenAllKnown(
    fileServer.credentials.map((credential) => credential.write),
    (all) => all.includes(true),
  );
  return {
    ...dufs(plan, fileServer, { name: "files", port, write, userHeader: "x-drawbridge-user" }),
    env: [
      {
        name: "DUFS_AUTH",
        valueFrom: { secretKeyRef: { name: plan.names.credentials, key: accessRulesKey } },
      },
    ],
  };
}

/** Behind the check of tokens, which has checked a token already. It listens on loopback alone, and asks for nothing. */
export function tokenDufs(plan: StoragePlan, fileServer: FileServerPlan, port: number) {
  return dufs(plan, fileServer, {
    name: "files-for-tokens",
    port,
    // Stryker disable next-line OptionalChaining: only a file server that takes tokens has this server
    write: fileServer.jwt?.write ?? false,
    userHeader: tokenUserHeader,
  });
}

/** Where the check of tokens says whose token it has checked. */
export const tokenUserHeader = "x-drawbridge-token-user";

/**
 * One JSON line for each request, with the proxy's own name for it. The user and the path are as the proxy read them:
 * dufs' own would hold line breaks that a client chose, and the query.
 */
function logFormat(userHeader: string): string {
  const header = (name: string) => `$http_${name.replaceAll("-", "_")}`;
  const fields = {
    time: "$time_iso8601",
    request: header("x-request-id"),
    user: header(userHeader),
    method: "$request_method",
    path: header("x-drawbridge-path"),
    to: header("x-drawbridge-to"),
    status: "$status",
  };
  return JSON.stringify(fields);
}

interface Way {
  readonly name: string;
  readonly port: number;
  readonly write: Input<boolean>;
  readonly userHeader: string;
}

function dufs(plan: StoragePlan, fileServer: FileServerPlan, way: Way) {
  const open = way.port === fileServerPort;
  return compact({
    name: way.name,
    image: fileServer.image,
    imagePullPolicy: fileServer.imagePullPolicy,
    args: joinedLists<string>(
      [
        dataPath,
        "--bind",
        open ? "0.0.0.0" : "127.0.0.1",
        "--port",
        String(way.port),
        "--path-prefix",
        plan.path,
        "--log-format",
        logFormat(way.userHeader),
      ],
      whenSettled({ actions: fileServer.actions, write: way.write }, ({ actions, write }) =>
        flags(actions, write),
      ),
    ),
    ports: open ? [{ name: "http", containerPort: way.port, protocol: "TCP" }] : undefined,
    readinessProbe: open ? probe(plan, way.port) : undefined,
    resources: fileServer.resources,
    securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
    // A second lock: where nobody may write, the kernel refuses it too.
    volumeMounts: [
      { name: "storage", mountPath: dataPath, ...readOnlyIf(whenKnown(way.write, (write) => !write)) },
    ],
  });
}

export function probe(plan: StoragePlan, port: number) {
  return { httpGet: { path: whenKnown(plan.path, healthPath), port }, periodSeconds: 5, failureThreshold: 3 };
}

function flags(actions: readonly StorageAction[], write: boolean): string[] {
  return actions
    .filter((action) => write || action === "search" || action === "archive")
    .map((action) => `--allow-${action}`);
}
