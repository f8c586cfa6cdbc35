/** What the arguments of a host open: a container, a sshd in another's pod, a route to an sshd. */
import {
  type Args,
  entries,
  internet,
  list,
  podsOf,
  reach,
  subjects,
  text,
  visitors,
} from "./rights.fixture.ts";

/** Who logs in: a key may do all that its options do not forbid. */
function logins(lines: Args, host: string): string[] {
  return list(lines).flatMap((line: string) => {
    const [, options = "", body = ""] = /^(.*?)\s*\bssh-\w+ (\S+)/.exec(line) ?? [];
    const has = (option: string) => options.includes(option);
    if (has("cert-authority")) return [`certificates of ${body} log in to ${host}`];
    const may = ["port-forwarding", "pty", "agent-forwarding", "X11-forwarding"].filter(
      (one) => !has(`no-${one}`) && (!has("restrict") || options.split(",").includes(one)),
    );
    return [
      `${body} logs in to ${host}`,
      ...may.map((one) => `${body} has ${one} in ${host}`),
      ...(has("command=") ? [] : [`${body} runs what it likes in ${host}`]),
      ...(has("expiry-time=") ? [] : [`${body} logs in to ${host} for ever`]),
    ];
  });
}

const certificates = ({ ssh: { userCa } = {}, user }: Args, host: string): string[] =>
  list(userCa?.keys).flatMap((key: string) => {
    const principals = list(userCa.principals).length > 0 ? userCa.principals : [user?.name ?? "jovyan"];
    return principals.map(
      (name: string) => `certificates of ${key.split(" ")[1]} for ${name} log in to ${host}`,
    );
  });

/** The ways in, and who takes them. */
function ways({ access = {}, namespace }: Args, name: string, at: string): string[] {
  const { gateway, frp, sshpod, allowIdentities } = access;
  const server = frp?.external ?? frp?.server;
  const idle = gateway?.idle;
  return [
    ...(gateway
      ? [
          ...visitors(allowIdentities).map(
            (who) => `${who} opens ${at} as ${name}.${namespace}.${gateway.domain}`,
          ),
          `the gateway ${gateway.namespace}/${gateway.name} reaches ${at}`,
          `pods ${gateway.namespace} ${text(gateway.selector ?? gateway.name)} reach ${at}`,
        ]
      : []),
    ...(server && frp.enabled !== false ? [`who reaches the frps at ${server.serverAddr} opens ${at}`] : []),
    ...(frp?.server && frp.enabled !== false
      ? [`account ${text(frp.server.authorizer)} reads who ${at} is`]
      : []),
    ...subjects(sshpod, `enters ${at} over the Kubernetes API`),
    ...(idle
      ? [
          `accounts ${idle.namespace}/${idle.cullerServiceAccountName},${idle.activatorServiceAccountName} may start and stop`,
        ]
      : []),
  ];
}

/** What a policy before someone's pods lets in, where the namespace denies all, and where it denies nothing. */
function policy({ networkPolicy = "none" }: Args, pods: string): string[] {
  return [
    ...(networkPolicy === "only-gateway"
      ? [`everybody reaches other ports of ${pods} where all is denied`]
      : []),
    ...(networkPolicy === "none" ? [`everybody reaches sshd of ${pods} where nothing is denied`] : []),
    ...(networkPolicy === "allow-gateway"
      ? []
      : [`everybody reaches other ports of ${pods} where nothing is denied`]),
  ];
}

export function route(args: Args, logical: string): string[] {
  const name = args.name ?? logical;
  const at = `${args.namespace}/${args.serviceName}:${args.port ?? 22} (${args.targetPort ?? args.port ?? 22}), pod ${args.podName}`;
  const pods = text(args.podLabels);
  return [...ways(args, name, at), ...policy(args, pods), `frpc and gateway reach pods ${pods}`];
}

export function injected(args: Args, logical: string): string[] {
  const name = args.name ?? logical;
  const host = `${args.namespace}/${name}`;
  const at = `${host}:${args.ssh.port ?? 2222}, pod ${args.podName}`;
  const keys = [...list(args.authorizedKeys), ...list(args.access?.frp?.authorizedKeys)];
  return [...logins(keys, host), ...certificates(args, host), ...ways(args, name, at), ...policy(args, host)];
}

/** Hosts that the node would ask for a probe or hook. */
function asked(value: Args): string[] {
  if (typeof value !== "object" || value === null) return [];
  return entries(value).flatMap(([key, one]) => (key === "host" ? [`the node asks ${one}`] : asked(one)));
}

/** Secrets and ConfigMaps that become variables. */
const variables = ({ envFrom, envValueFrom, secretEnv }: Args = {}): string[] => [
  ...list(envFrom).map(({ secretRef, configMapRef }) =>
    secretRef ? `Secret ${secretRef.name}` : `ConfigMap ${configMapRef?.name}`,
  ),
  ...entries(envValueFrom).map(([, one]) =>
    one.secretKeyRef
      ? `Secret ${one.secretKeyRef.name} ${one.secretKeyRef.key}`
      : one.configMapKeyRef
        ? `ConfigMap ${one.configMapKeyRef.name} ${one.configMapKeyRef.key}`
        : "the pod itself",
  ),
  ...entries(secretEnv).map(([key]) => `secret variable ${key}`),
];

/** What a volume of the pod gives. */
function volume({
  persistentVolumeClaim: claim,
  configMap,
  secret,
  csi,
  ephemeral,
  projected,
}: Args): string[] {
  const { dataSource, dataSourceRef, volumeName } = ephemeral?.volumeClaimTemplate?.spec ?? {};
  const borrowed = [dataSource, dataSourceRef, volumeName].filter((one) => one !== undefined);
  return [
    ...(claim
      ? [`claim ${claim.claimName}`, ...(claim.readOnly ? [] : [`claim ${claim.claimName} for writing`])]
      : []),
    ...(configMap ? [`ConfigMap ${configMap.name}`] : []),
    ...(secret ? [`Secret ${secret.secretName}`] : []),
    ...(csi ? [`what driver ${csi.driver} gives`] : []),
    ...borrowed.map((one) => `data of ${text(one)}`),
    ...list(projected?.sources).map((source) => `projected ${text(source)}`),
  ];
}

const mounted = (name: string, readOnly: Args) => [
  `claim ${name}`,
  ...(readOnly ? [] : [`claim ${name} for writing`]),
];

/** The hosts that are named, else the whole internet. */
const outside = (host: string, { hosts, internet: isOpen, deny }: Args) =>
  hosts === undefined
    ? isOpen === false
      ? []
      : internet(host, list(deny))
    : list(hosts).map((one) => `${host} reaches ${one}`);

export function container(args: Args, logical: string): string[] {
  const name = args.name ?? logical;
  const host = `${args.namespace}/${name}`;
  const { serviceAccount: account = {}, egress = {}, patches = {}, pod = {}, idle } = args;
  const keys = [...list(args.authorizedKeys), ...list(args.access?.frp?.authorizedKeys)];
  const helpers = [...list(pod.initContainers), ...list(pod.sidecars)];
  const given = [
    ...[args.home, args.persist].flatMap((one) => (one?.claimName ? mounted(one.claimName, false) : [])),
    ...list(args.mounts).flatMap(({ claimName, secretName, storage, readOnly }) => [
      ...[claimName, storage?.claimName].flatMap((claim) => (claim ? mounted(claim, readOnly) : [])),
      ...(secretName ? [`Secret ${secretName}`] : []),
    ]),
    ...(args.trustedCa ? [`ConfigMap ${args.trustedCa.configMapName}`] : []),
    ...list(pod.volumes).flatMap(volume),
    ...variables(args),
    ...helpers.flatMap(variables),
    ...[patches.home, patches.persist].flatMap((one) => (one?.spec ? [`data of ${text(one.spec)}`] : [])),
  ];
  const open = list(args.ports).filter((port) => port.primary || port.throughGateway);
  const isIdle = idle !== undefined && idle.enabled !== false;
  const { gateway } = args.access ?? {};
  return [
    ...logins(keys, host),
    ...certificates(args, host),
    ...ways(
      {
        ...args,
        access: {
          ...args.access,
          ...(gateway && { gateway: { ...gateway, idle: isIdle ? gateway.idle : undefined } }),
        },
      },
      name,
      `${host}:${args.ssh?.port ?? 22}`,
    ),
    ...(gateway
      ? open.flatMap(({ port }) =>
          visitors(args.access.allowIdentities).map(
            (who) => `${who} reaches ${host}:${port} without a login`,
          ),
        )
      : []),
    ...list(args.ingress).flatMap((peer) =>
      podsOf(peer.namespace ?? args.namespace, peer.podLabels).flatMap((pod) =>
        peer.ports.map((port: number) => `pods ${pod} reach ${host}:${port}`),
      ),
    ),
    ...outside(host, egress),
    ...reach(host, list(egress.allow)),
    ...reach(host, list(egress.dns), [53]),
    ...(args.root ? ["root inside"] : []),
    ...(args.containersInside ? ["containers inside"] : []),
    ...(account.token ? ["it talks to the Kubernetes API"] : []),
    `it is the account ${account.name ?? (account.create ? name : "default")}`,
    ...(account.create ? entries(account.annotations).map(([key, one]) => `it is ${key} ${one}`) : []),
    ...given.map((what) => `${host} has ${what}`),
    ...asked([pod.sidecars, pod.initContainers, patches.workload]),
    ...entries(pod.annotations)
      .filter(([key]) => /apparmor|cni/.test(key))
      .map(([key, one]) => `its pod has ${key} ${one}`),
    ...entries(patches.service?.metadata?.annotations)
      .filter(([key]) => /external-dns/.test(key))
      .map(([key, one]) => `it publishes ${key} ${one}`),
  ];
}
