/**
 * A model of access, of what the arguments mean and not of what the guard or the builders do: who may do what, as a set of
 * sentences. One that was not there before is access that grows.
 */
import { BlockList, isIPv6 } from "node:net";

// biome-ignore lint/suspicious/noExplicitAny: arguments of every component.
export type Args = any;

/** A map's order means nothing. */
export const text = (value: Args): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

export const list = (value: Args): Args[] => (Array.isArray(value) ? value : []);
export const entries = (value: Args): [string, Args][] => Object.entries(value ?? {});

/** Networks stand for what is in them: an address in each, at a few ports. */
const addresses = [
  ..."10.0.0.1 10.0.0.5 10.0.0.9 10.0.0.53 10.1.2.3 10.7.0.1 10.20.0.5 10.20.0.6 10.64.1.1 10.200.0.1".split(
    " ",
  ),
  ..."172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1".split(" "),
  ..."8.8.8.8 203.0.113.7 192.0.2.1 192.0.2.10 192.0.2.11 192.0.2.53 198.51.100.7 151.101.1.1".split(" "),
  ..."fd00::1 fe80::1 2606:4700::1 2a00:1450::1".split(" "),
];
const ports = [22, 53, 80, 443, 444, 2022, 6443, 8080, 15012, 16443];

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");
// A list of both families would find IPv4 in ::/0.
const within = (address: string, cidrs: readonly string[]) => {
  const all = new BlockList();
  const family = familyOf(address);
  for (const cidr of cidrs) {
    const [network = "", bits] = cidr.split("/");
    if (familyOf(network) === family)
      all.addSubnet(network, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return all.check(address, family);
};
const notPublic =
  "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 100.64.0.0/10 fc00::/7 fe80::/10".split(" ");

/** @param open networks; with the ports that are meant where they name none */
export const reach = (whose: string, open: readonly Args[], standard: readonly number[] = ports): string[] =>
  open.flatMap((one) => {
    const cidr = typeof one === "string" ? one : (one.cidr ?? one.address);
    const given = one.ports?.length ? one.ports : one.port ? [one.port] : standard;
    return addresses
      .filter((address) => within(address, [cidr]))
      .flatMap((address) =>
        ports.filter((port) => given.includes(port)).map((port) => `${whose} reaches ${address}:${port}`),
      );
  });

export const internet = (whose: string, denied: readonly string[]): string[] =>
  addresses
    .filter((address) => !within(address, notPublic) && !within(address, denied))
    .flatMap((address) => ports.map((port) => `${whose} reaches ${address}:${port}`));

/** Everybody is each of these. */
const people = ["alice", "bob", "carol", "nobody"].map((name) => `spiffe://example.com/user/${name}`);
const strangers = [...people, "spiffe://evil.com/user/a", "somebody without a certificate"];

/** Who holds a certificate, where some are asked for. */
export const visitors = (identities: Args): string[] =>
  list(identities).length > 0 ? list(identities) : [...strangers];

/** Pods of some labels in some namespaces. */
const namespaces = ["team-a", "team-b", "web", "other", "monitoring", "gw", "gw2"];
const labels = [{}, { app: "a" }, { app: "b" }, { app: "a", tier: "b" }] as Args[];
export const podsOf = (namespace: string, wanted: Args): string[] => [
  // Further labels stand for themselves.
  ...labels
    .filter((own) => entries(wanted).every(([key, value]) => own[key] === value))
    .map((own) => `${namespace} ${text(own)}`),
  ...(namespaces.includes(namespace) && labels.some((own) => text(own) === text(wanted ?? {}))
    ? []
    : [`${namespace} ${text(wanted ?? {})}`]),
];

export const subjects = (who: Args, may: string): string[] => [
  ...list(who?.users).map((name) => `user ${name} ${may}`),
  ...list(who?.groups).map((name) => `group ${name} ${may}`),
  ...list(who?.serviceAccounts).map(({ namespace, name }) => `account ${namespace}/${name} ${may}`),
];
