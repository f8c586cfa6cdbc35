/**
 * Envoy's configuration for a storage that takes tokens. It stands in the storage's own pod, so the decision
 * is made beside the data: a way around the proxy, or a mistake in it, still meets this check.
 *
 * A valid token with the right claim goes to a dufs that asks nothing more; a valid one with another claim is
 * refused (403), a broken or expired one too (401); a request without a token goes to the dufs that asks for
 * user and password if there are any, else it is refused (401).
 */

import { envoyExtension, envoyHttp, envoyReply, envoySocket, envoyStatusIs } from "../istio/envoy.ts";
import type { Settled } from "../kit/input.ts";
import { fileServerPort } from "../storage-proxy/ref.ts";
import { healthPath, tokenUserHeader } from "./dufs.ts";
import type { FileServerPlan, KnownStoragePlan } from "./plan.ts";

export type Jwt = Settled<
  Pick<NonNullable<FileServerPlan["jwt"]>, "issuer" | "audiences" | "jwks" | "claim" | "values">
>;

export function tokenCheckConfig(plan: KnownStoragePlan, fileServer: FileServerPlan, jwt: Jwt) {
  const passwords = fileServer.credentialPort !== undefined;
  const manager = envoyHttp(
    {
      stat_prefix: "token-check",
      normalize_path: true,
      merge_slashes: true,
      path_with_escaped_slashes_action: "REJECT_REQUEST",
      stream_idle_timeout: "300s",
      local_reply_config: { mappers: replies },
      route_config: { virtual_hosts: [{ name: "storage", domains: ["*"], routes: routes(plan, passwords) }] },
    },
    [
      envoyExtension(jwtFilter, "extensions.filters.http.jwt_authn.v3.JwtAuthentication", {
        providers: { issuer: provider(jwt) },
        rules: [
          { match: { path: healthPath(plan.path) } },
          { match: { prefix: "/" }, requires: passwords ? validOrMissing : { provider_name: "issuer" } },
        ],
      }),
      envoyExtension("claims", "extensions.filters.http.rbac.v3.RBAC", {
        rules: { action: "ALLOW", policies: policies(plan, jwt, passwords) },
      }),
    ],
  );
  return {
    static_resources: {
      listeners: [
        {
          name: "token-check",
          address: envoySocket("0.0.0.0", fileServerPort),
          filter_chains: [{ filters: [manager] }],
        },
      ],
      clusters: [
        ...loopback("passwords", fileServer.credentialPort),
        ...loopback("tokens", fileServer.tokenPort),
      ],
    },
  };
}

// Where the checked token's claims are kept during the request; another name would not be found by Envoy.
const jwtFilter = "envoy.filters.http.jwt_authn";
const payload = "token";

function claim(name: string) {
  return { filter: jwtFilter, path: [{ key: payload }, { key: name }] };
}

// Every checked token has an issuer, so this says: there was a token, and it was valid.
const hasToken = { ...claim("iss"), value: { present_match: true } };

function principal(matcher: Readonly<Record<string, unknown>>) {
  return { sourced_metadata: { metadata_matcher: matcher } };
}

const validOrMissing = {
  requires_any: { requirements: [{ provider_name: "issuer" }, { allow_missing: {} }] },
};

function provider(jwt: Jwt) {
  return {
    issuer: jwt.issuer,
    ...(jwt.audiences === undefined ? {} : { audiences: jwt.audiences }),
    // Only from the header: by default Envoy would take a token from the query too, which ends in logs and histories.
    from_headers: [{ name: "authorization", value_prefix: "Bearer " }],
    local_jwks: { inline_string: jwt.jwks },
    payload_in_metadata: payload,
    // For the log: whose token it is. Envoy takes the header away from requests without one.
    claim_to_headers: [{ header_name: tokenUserHeader, claim_name: "sub" }],
    // The route depends on the token, so it is chosen again once that is known.
    clear_route_cache: true,
    require_expiration: true,
  };
}

function policies(plan: KnownStoragePlan, jwt: Jwt, passwords: boolean) {
  const anything = [{ any: true }];
  const oneOf = jwt.values.map((value) => ({ string_match: { exact: value } }));
  // A claim is one text, or a list of them.
  const accepted = oneOf.flatMap((match) => [match, { list_match: { one_of: match } }]);
  return {
    health: { permissions: [{ url_path: { path: { exact: healthPath(plan.path) } } }], principals: anything },
    token: {
      permissions: anything,
      principals: accepted.map((value) => principal({ ...claim(jwt.claim), value })),
    },
    ...(passwords
      ? { password: { permissions: anything, principals: [{ not_id: principal(hasToken) }] } }
      : {}),
  };
}

function routes(plan: KnownStoragePlan, passwords: boolean) {
  const to = (cluster: string) => ({ route: { cluster, timeout: "0s" } });
  if (!passwords) return [{ match: { prefix: "/" }, ...to("tokens") }];
  return [
    { match: { path: healthPath(plan.path) }, ...to("passwords") },
    { match: { prefix: "/", dynamic_metadata: [hasToken] }, ...to("tokens") },
    { match: { prefix: "/" }, ...to("passwords") },
  ];
}

function loopback(name: string, port: number | undefined) {
  if (port === undefined) return [];
  const endpoint = { endpoint: { address: envoySocket("127.0.0.1", port) } };
  return [
    {
      name,
      type: "STATIC",
      connect_timeout: "2s",
      load_assignment: { cluster_name: name, endpoints: [{ lb_endpoints: [endpoint] }] },
    },
  ];
}

const replies = [
  envoyReply(envoyStatusIs(401), 401, "401: the token is missing, broken, expired or of another issuer.\n"),
  envoyReply(
    envoyStatusIs(403),
    403,
    "403: this storage is not yours: the token is valid, but for others.\n",
  ),
];
