/** What the arguments of the platform's parts and of storages open. */
import { type Args, entries, list, reach, subjects, text, visitors } from "./rights.fixture.ts";

const everyNetwork = ["0.0.0.0/0", "::/0"];

/** Who reaches a LoadBalancer, and what of it is published. */
function balancer({ loadBalancer }: Args, ports: readonly number[], whose: string): string[] {
  if (loadBalancer === undefined) return [];
  const { sourceRanges, scope, preset, annotations } = loadBalancer;
  const ranges = list(sourceRanges).length > 0 ? sourceRanges : everyNetwork;
  // Within a cloud only the annotation of its preset keeps an address private.
  const isPrivate = scope !== "public" && ["aws-nlb", "gke", "aks"].includes(preset);
  return [
    ...ports.flatMap((port) =>
      reach("x", ranges, [443]).map((one) => `${one.split(" ")[2]} reaches ${whose} at ${port}`),
    ),
    ...(isPrivate ? [] : [`the internet has an address of ${whose}, by ${preset} at least`]).map((one) =>
      one.replace(`, by ${preset} at least`, ""),
    ),
    ...entries(annotations)
      .filter(([key]) => /external-dns|scheme|internal/.test(key))
      .map(([key, one]) => `${whose} has ${key} ${one}`),
  ];
}

const walls = ({ namespace, createNamespace, name }: Args, logical: string): string[] => {
  const own = name ?? logical;
  return createNamespace === false ? [`anybody's pods in ${namespace ?? own} may have privileges`] : [];
};

export function gateway(args: Args, logical: string): string[] {
  const { listeners = { plain: { port: 80 } }, egress = {}, existing, idle, connectionLimits = {} } = args;
  const name = args.name ?? logical;
  const { plain, tls } = listeners;
  const at = existing ? `gateway of ${existing.namespace} ${text(existing.selector)}` : "the gateway";
  const doors = [
    ...(plain ? [`somebody without a certificate uses ${at} at ${plain.port ?? 80}`] : []),
    ...(tls && !tls.clientCa
      ? [`somebody without a certificate uses ${at} by TLS at ${tls.port ?? 443}`]
      : []),
    ...(tls?.clientCa
      ? visitors(args.allowIdentities).map(
          (who) => `${who} of ${tls.clientCa} uses ${at} at ${tls.port ?? 443}`,
        )
      : []),
  ].filter((door) => !door.startsWith("somebody without a certificate of"));
  const numbers = [...(plain ? [plain.port ?? 80] : []), ...(tls ? [tls.port ?? 443] : [])];
  const limits = ["perClient", "perClientAndContainer"].flatMap((which) =>
    ["connectionsPerMinute", "burst"].map((rate) => [which, rate, connectionLimits[which]?.[rate]] as const),
  );
  return [
    ...doors,
    ...balancer(args, numbers, at),
    ...walls(args, logical),
    `names below ${args.domain} lead to ${name} in ${args.namespace ?? name}, ${at}`,
    ...(args.admissionPolicy === false ? ["teams take other teams' names"] : []),
    ...(args.rejectEarlyConnectData === false ? ["bytes come in before their tunnel"] : []),
    ...(args.audit === false ? ["somebody comes in and nobody knows"] : []),
    // Of each figure that is given, every smaller one too.
    ...limits.flatMap(([which, rate, figure]) =>
      [7, 30, 60, 300, 700]
        .filter((step) => step <= (figure ?? 0))
        .map((step) => `${which} opens ${step} ${rate}`),
    ),
    ...(egress.teamPods ? ["the gateway reaches every pod of teams"] : []),
    ...reach("the gateway", list(egress.outsideHosts), [22]),
    ...reach("the gateway", list(egress.dns), [53]),
    ...reach("the gateway", list(egress.istiod), [443, 15012]),
    ...reach("culler and activator", list(egress.apiServer), [443, 6443]),
    ...(idle ? ["a culler and an activator may start and stop containers"] : []),
    ...(idle?.gpuMetrics
      ? [`culler, activator and pods of ${idle.gpuMetrics.namespace} reach each other`]
      : []),
  ];
}

export function frp(args: Args, logical: string): string[] {
  const { connectTls, egress, metricsNamespaces, exposeServerPort } = args;
  const ports = [
    ...(connectTls ? [] : [args.connectPort ?? 1337]),
    ...(exposeServerPort ? [args.serverPort ?? 7000] : []),
  ];
  const isKnown = list(args.containers).filter(({ revoked }) => !revoked);
  const revoked = list(args.containers)
    .filter((one) => one.revoked)
    .map(({ namespace, name }) => `${namespace}/${name}`);
  // Anyone who is not shut out registers its own name, by the grant in its namespace.
  const own = ["team-b/dev1", "team-b/dev2", "team-c/dev1", "team-c/dev2"].filter(
    (one) => !revoked.includes(one),
  );
  return [
    ...balancer(args, ports, "frps"),
    ...walls(args, logical),
    ...own.map((one) => `${one} registers its own name`),
    ...isKnown.flatMap(({ namespace, name, domains, tokenSha256 }) => [
      `${namespace}/${name} registers its own name`,
      ...(tokenSha256 ? [`${tokenSha256} is ${namespace}/${name}`] : []),
      ...list(domains).map((domain) => `${namespace}/${name} registers ${domain}`),
    ]),
    ...(connectTls
      ? [`${text(connectTls.gateway)} reaches frps as ${connectTls.dnsName}:${connectTls.port ?? 443}`]
      : []),
    ...reach("frps", list(egress?.apiServer), [443, 6443]),
    ...list(metricsNamespaces).map((one) => `pods of ${one} read metrics`),
  ];
}

export function egressGateway(args: Args, logical: string): string[] {
  const { egress, metricsNamespaces } = args;
  return [
    ...walls(args, logical),
    ...reach("the egress gateway", list(egress?.apiServer), [443, 6443]),
    ...reach("the egress gateway", list(egress?.dns), [53]),
    ...list(metricsNamespaces).map((one) => `pods of ${one} read the egress gateway's metrics`),
  ];
}

export function storageProxy(args: Args, logical: string): string[] {
  const { egress = {}, tls } = args;
  const at = args.port ?? (tls ? 443 : 80);
  return [
    ...balancer(args, [at], "the storage proxy"),
    ...walls(args, logical),
    ...(tls
      ? [`who has Secret ${tls.secretName} is the storage proxy`]
      : ["passwords are in clear on the way"]),
    ...(args.dnsName ? [] : ["it answers for any name"]),
    `it answers for ${args.dnsName ?? "files.example.com"}`,
    ...reach("the storage proxy", list(egress.dns), [53]),
  ];
}

export function storage(args: Args, logical: string): string[] {
  const { browse, prepare, namespace } = args;
  const claim = args.claimName ? `claim ${namespace}/${args.claimName}` : `the own claim of ${logical}`;
  // It runs once for each revision, whatever else of it changes.
  const job = prepare ? [`preparation ${prepare.revision ?? "1"} runs over ${claim}`] : [];
  if (browse === undefined || browse.enabled === false) return job;
  const { proxy, actions, credentials, jwt } = browse;
  const writing = list(actions).filter((action) => ["upload", "delete"].includes(action));
  const may = (who: string, write: Args) => [
    `${who} reads ${claim}`,
    ...(write ? writing.map((action) => `${who} may ${action} in ${claim}`) : []),
  ];
  const audiences = list(jwt?.audiences).length > 0 ? jwt.audiences : ["files", "other", "any"];
  return [
    ...job,
    ...list(credentials).flatMap(({ user, write }) => may(user, write)),
    ...list(jwt?.values).flatMap((value) =>
      audiences.flatMap((audience: string) =>
        may(
          `token of ${jwt.issuer} ${jwt.jwks} for ${audience} with ${jwt.claim ?? "team"} ${value}`,
          jwt.write,
        ),
      ),
    ),
    `pods of ${proxy.namespace}/${proxy.name} reach its files`,
  ];
}

export function team(args: Args, logical: string): string[] {
  const namespace = args.namespace ?? logical;
  const { root, deployers, idle } = args;
  return [
    ...subjects(deployers, `deploys in ${namespace}`),
    ...(idle ? subjects(deployers, `may start and stop in ${namespace}`) : []),
    ...(root ? [`pods of ${namespace} have root`] : []),
    ...(root?.containersInside ? [`pods of ${namespace} have containers inside`] : []),
    ...list(root?.allowedServiceAccountNames).map((name) => `pods of ${namespace} are ${name}`),
    ...(args.createNamespace === false ? [`nothing is demanded of pods of ${namespace}`] : []),
    ...reach(namespace, list(args.allowedPrivateNetworks)),
    ...(args.allowedHosts === undefined
      ? [`${namespace} may name every host`]
      : list(args.allowedHosts).map((one) => `${namespace} may name ${one}`)),
    ...reach(
      `routes of ${namespace}`,
      entries(args.outsideHosts).map(([, host]) => ({ port: 22, ...host })),
    ),
    ...entries(args.outsideHosts).map(([name, { address }]) => `${name} in ${namespace} leads to ${address}`),
  ];
}

export const members = ({ namespace, viewers, sshpod }: Args): string[] => [
  ...subjects(viewers, `sees ${namespace}`),
  ...subjects(sshpod, `enters every pod of ${namespace}`),
];
