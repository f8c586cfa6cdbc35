/** VirtualServices: which names lead where, and which certificate is demanded on the way. */
import { certificateHeader } from "@drawbridge-iac/manifests";
import { at } from "../finding.ts";
import { type Inputs, isOf, listAt, mapAt, type ObjectPair } from "../objects.ts";
import { crosses, type Effect, exactly, gains, loses, setEffects } from "./effect.ts";
import { unknownKeys } from "./placeholder.ts";

export const routeDeciding = (inputs: Inputs) => ({ spec: at(inputs, "spec") });

// Fields of our routes. Other fields of a VirtualService can send requests elsewhere, or answer them.
const httpFields = ["name", "match", "retries", "route", "timeout", "directResponse"];
const matchFields = ["authority", "headers", "uri", "port", "gateways", "method", "name", "scheme"];

export function routeUnknownFields(inputs: Inputs): string[] {
  const spec = mapAt(inputs, "spec");
  return [
    ...unknownKeys(spec, ["hosts", "gateways", "exportTo", "http", "tcp", "tls"], "spec"),
    ...listAt(spec, "http").flatMap((rule, index) => [
      ...unknownKeys(rule, httpFields, `spec.http[${index}]`),
      ...listAt(rule, "match").flatMap((match) =>
        unknownKeys(match, matchFields, `spec.http[${index}].match`),
      ),
      ...listAt(rule, "route").flatMap((to) =>
        unknownKeys(to, ["destination", "weight"], `spec.http[${index}].route`),
      ),
    ]),
  ];
}

export function routeEffects(pair: ObjectPair): Effect[] {
  const { before, after } = pair;
  return [
    ...setEffects(
      waysOf(before, pair),
      waysOf(after, pair),
      (way) => judged(way, pair),
      (way) => loses(`no longer: ${way}`),
    ),
    ...certificates(pair),
    ...exported(pair),
  ];
}

/** `names → destination`, one for each rule. */
function waysOf(inputs: Inputs | undefined, pair: ObjectPair): string[] {
  const hosts = listAt(inputs, "spec", "hosts").map(String);
  const gateways = listAt(inputs, "spec", "gateways").map(String).join(", ") || "the mesh";
  const rules = ["http", "tcp", "tls"].flatMap((list) => listAt(inputs, "spec", list));
  return rules.flatMap((rule) => {
    const paths = pathsOf(rule);
    const isBelowOwn =
      paths.length > 0 && paths.every((path) => `${path}/`.startsWith(`/storage/${pair.namespace}/`));
    const names = isBelowOwn ? `${hosts.join(", ")} below /storage/${pair.namespace}/` : hosts.join(", ");
    return listAt(rule, "route").map((to) => {
      const { host, port } = mapAt(to, "destination");
      return `${names} leads to ${host}:${at(port, "number") ?? "any"} through ${gateways}`;
    });
  });
}

function pathsOf(rule: unknown): string[] {
  return listAt(rule, "match").map((match) =>
    String(at(match, "uri", "exact") ?? at(match, "uri", "prefix") ?? ""),
  );
}

function judged(way: string, pair: ObjectPair): Effect {
  const [, names = "", host = ""] = /^(.*) leads to (.*):\w+ through /.exec(way) ?? [];
  const { namespace } = pair;
  const own = `.${namespace}.svc.cluster.local`;
  if (!host.endsWith(own))
    return crosses("route-wall", `${way}, which is no Service of namespace ${namespace}`);
  const [hosts = "", path] = names.split(" below ");
  const isOwn = hosts
    .split(", ")
    .every((name) => name.endsWith(own) || name.split(".").slice(1).includes(namespace));
  const isPlatforms = isOf(pair, "SshGateway", "FrpServer", "StorageProxy");
  return path !== undefined || (isOwn && !hosts.includes("*")) || isPlatforms
    ? gains(way)
    : crosses("route-wall", `${way}, a name that is not of namespace ${namespace}`);
}

/** How the header is read, around the identities. */
function readings(inputs: Inputs): string[] {
  const matches = listAt(inputs, "spec", "http").flatMap((rule) => listAt(rule, "match"));
  const patterns = matches.map((match) => String(at(match, "headers", certificateHeader, "regex")));
  return [...new Set(patterns.map((pattern) => pattern.replace(/URI=\(.*\)\(;\.\*\)\?$/, "")))];
}

/** Identities that may open the route; undefined where none is asked for. */
function identitiesOf(inputs: Inputs | undefined): string[] | undefined {
  const matches = listAt(inputs, "spec", "http").flatMap((rule) => {
    const all = listAt(rule, "match");
    return all.length === 0 ? [undefined] : all;
  });
  const patterns = matches.map((match) => at(match, "headers", certificateHeader, "regex"));
  if (patterns.length === 0 || patterns.some((pattern) => typeof pattern !== "string")) return undefined;
  return patterns.flatMap((pattern) => {
    const uris = /URI=\((.*)\)\(;\.\*\)\?$/.exec(String(pattern))?.[1];
    return uris === undefined ? [String(pattern)] : uris.split("|").map((uri) => uri.replaceAll("\\.", "."));
  });
}

function certificates({ before, after }: ObjectPair): Effect[] {
  if (after === undefined || before === undefined) return [];
  const [was, is] = [identitiesOf(before), identitiesOf(after)];
  if (was !== undefined && is === undefined)
    return [
      crosses("certificate-dropped", `no client certificate would be demanded any more (${was.join(", ")})`),
    ];
  if (was === undefined && is !== undefined)
    return [loses(`only who has a certificate of ${is.join(", ")} may open it`)];
  const domains = new Set((was ?? []).map(trustDomain));
  const isReadAlike = was === undefined || readings(before).join() === readings(after).join();
  if (!isReadAlike)
    return [
      crosses(
        "certificate-dropped",
        exactly("the client certificate would be read otherwise", at(after, "spec", "http")),
      ),
    ];
  return setEffects(
    was ?? [],
    is ?? [],
    (identity) =>
      /^spiffe:\/\/[^*()[\]+?\\]+$/.test(identity) && domains.has(trustDomain(identity))
        ? gains(`${identity} may open it`)
        : crosses("foreign-ca", `${identity} may open it, which is of another trust domain or no plain name`),
    (identity) => loses(`${identity} may no longer open it`),
  );
}

const trustDomain = (identity: string) => identity.split("/").slice(0, 3).join("/");

/** Where the route applies: a gateway, or the whole mesh. */
function exported({ before, after }: ObjectPair): Effect[] {
  if (before === undefined || after === undefined) return [];
  const to = (inputs: Inputs) => listAt(inputs, "spec", "exportTo").map(String);
  return to(after).includes("*") || to(after).length === 0
    ? to(before).includes("*") || to(before).length === 0
      ? []
      : [crosses("route-wall", "every proxy of the mesh would see the route")]
    : [];
}
