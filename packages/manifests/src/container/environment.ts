/** The environment of the container's processes, which its sessions get too. */

import { type Placed, whenAllKnown } from "../common/placed.ts";
import { literalEnv, sourcedEnv } from "../common/pod.ts";
import { engineEnvironment } from "../sshd/engine.ts";
import type { DevContainerParsed } from "./args.ts";
import type { EnvSources } from "./args-environment.ts";

/** Where the CA bundle is mounted. */
export const trustedCaFolder = "/etc/drawbridge/ca";

// Each tool reads its own: OpenSSL, Python, Node.js, git, curl, pip, the AWS SDKs.
const caVariables = [
  "SSL_CERT_FILE",
  "REQUESTS_CA_BUNDLE",
  "NODE_EXTRA_CA_CERTS",
  "GIT_SSL_CAINFO",
  "CURL_CA_BUNDLE",
  "PIP_CERT",
  "AWS_CA_BUNDLE",
];

type Sources = Pick<DevContainerParsed, "trustedCa" | "proxy" | "env" | "user" | "containersInside">;

/** What is declared wins over what proxy, CA bundle and engine add. */
export function containerEnvironment(args: Sources, homePath: string): Record<string, Placed<string>> {
  return {
    // An image that knows nothing of the user has no home for it.
    HOME: homePath,
    USER: args.user.name,
    ...caEnvironment(args.trustedCa),
    ...proxyEnvironment(args.proxy),
    ...(args.containersInside ? engineEnvironment : {}),
    ...args.env,
  };
}

function caEnvironment(bundle: Sources["trustedCa"]): Record<string, string> {
  if (bundle === undefined) return {};
  return Object.fromEntries(caVariables.map((name) => [name, `${trustedCaFolder}/${bundle.key}`]));
}

/** Both spellings: curl heeds only the lower-case http_proxy, other tools only the upper-case one. */
function proxyEnvironment(proxy: Sources["proxy"]): Record<string, Placed<string>> {
  if (proxy === undefined) return {};
  const pairs: [string, Placed<string> | undefined][] = [
    ["HTTP_PROXY", proxy.http],
    ["HTTPS_PROXY", proxy.https ?? proxy.http],
    [
      "NO_PROXY",
      whenAllKnown(["localhost", "127.0.0.1", ".svc", ".cluster.local", ...proxy.except], (all) =>
        all.join(","),
      ),
    ],
  ];
  return Object.fromEntries(
    pairs.flatMap(([name, value]) =>
      value === undefined ? [] : [name, name.toLowerCase()].map((spelt) => [spelt, value]),
    ),
  );
}

/** As a container's `env`. What has a source wins over what proxy, CA bundle and engine add. */
export function environmentList(environment: Readonly<Record<string, Placed<string>>>, sources: EnvSources) {
  const literal = Object.entries(environment).filter(([name]) => sources[name] === undefined);
  return [...literalEnv(Object.fromEntries(literal)), ...sourcedEnv(sources)];
}
