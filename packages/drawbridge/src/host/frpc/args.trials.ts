import { below, type Trial, type Trials } from "../../kit/trials.fixture.ts";
import { bob } from "../base.trials.ts";
import type { frpAccessSchema, frpRouteSchema } from "./args.ts";

const token = "only-for-tests-token-0123456789abcdef";
const ca = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const otherCa = ca.replace("MIIB", "MIIC");
const names = { serverAddr: "frps.example.com", domain: "ssh.example.com" };
const throughFrp = (server: object) => ({
  access: { frp: { address: "frp.example.com", token, ...server } },
});
const elsewhere = throughFrp({ external: { ...names, unverifiedTls: true } });
const verified = throughFrp({ external: { ...names, caBundle: ca } });
const ours = throughFrp({
  server: { ...names, caBundle: ca, authorizer: { namespace: "frp", serviceAccountName: "frp" } },
});
const external = (value: unknown, verdict: string): Trial => ({ from: elsewhere, value, verdict });
const server = (value: unknown, verdict: string): Trial => ({ from: ours, value, verdict });

/** @param files what becomes of the pod when frpc's files change */
const ways = (files: "harmless" | "restarts", customDomain: string) => ({
  customDomain: external(customDomain, files),
  enabled: external(false, "restarts loses"),
  "external.serverAddr": external("other.example.com", `route-wall ${files}`),
  "external.serverPort": external(7001, `${files} gains loses`),
  "external.serverName": { from: verified, value: "other.example.com", verdict: files },
  "external.caBundle": { from: verified, value: otherCa, verdict: files },
  "external.unverifiedTls": {
    from: verified,
    to: { access: { frp: { external: { caBundle: undefined, unverifiedTls: true } } } },
    verdict: "restarts",
  },
  "external.connectPort": external(1338, "unchanged"),
  "external.connectTls": external(true, "unchanged"),
  "external.domain": external("other.example.com", files),
  "server.version": server(1, "unchanged"),
  "server.serverAddr": server("other.example.com", `route-wall ${files}`),
  "server.serverPort": server(7001, files),
  "server.serverName": server("other.example.com", files),
  "server.caBundle": server(otherCa, files),
  "server.address": server("other.example.com", "unchanged"),
  "server.connectPort": server(1338, "unchanged"),
  "server.connectTls": server(true, "unchanged"),
  "server.domain": server("other.example.com", files),
  "server.authorizer.namespace": server("other", "cluster-rights harmless loses"),
  "server.authorizer.serviceAccountName": server("other", "cluster-rights harmless loses"),
  address: external("other.example.com", "unchanged"),
  token: external("another-token-0123456789abcdef0123456789", files),
  image: external("fatedier/frpc:v0.71.0", "restarts"),
});

/**
 * Of a way in through frp. frpc beside an sshd restarts alone when its files change, without the pod.
 * @param customDomain one that no other program of the test claims
 */
export const frpTrials = (customDomain: string) =>
  below("access.frp", {
    ...ways("harmless", customDomain),
    username: external("jovyan", "unchanged"),
    authorizedKeys: external([bob], "harmless gains"),
  } satisfies Trials<typeof frpAccessSchema>);

/** A route's frpc has a pod to itself, which is replaced when its files change. */
export const frpRouteTrials = (customDomain: string) =>
  below("access.frp", ways("restarts", customDomain) satisfies Trials<typeof frpRouteSchema>);

/** What a way in starts from: through a frps elsewhere, and through the one of the platform. */
export { elsewhere as throughExternalFrp, ours as throughFrp };
