// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.

import type * as pulumi from "@pulumi/pulumi";
import type { AsInKubernetes } from "../kubernetes/as-in-kubernetes.ts";
import type {
  AccessMode,
  EvictionPolicy,
  ImagePullPolicy,
  PortScheme,
  SshMode,
  WakePolicy,
  Weekday,
} from "../lists.ts";
import type { FrpServerRefArgs } from "./frp-server.ts";
import type { PodMetadataArgs, ResourcesArgs, SchedulingArgs, SubjectsArgs } from "./shared.ts";
import type { SshGatewayRefArgs } from "./ssh-gateway.ts";
import type { StorageRefArgs } from "./storage-accessor.ts";
import type { TeamRefArgs } from "./team.ts";

/** Arguments of {@link DevContainer}. */
export interface DevContainerArgs extends PodMetadataArgs {
  /**
   * Name of the container: of its Service, StatefulSet and host names; at most 52 characters.
   * @default the component's logical name
   */
  name?: string;
  /** The namespace it lives in, which is part of its host name. It must exist. */
  namespace: pulumi.Input<string>;
  /** The image, with a tag other than `latest` or a digest. @example "registry.example.com/team/devcontainer:0.1.0" */
  image: pulumi.Input<string>;
  /** When the node pulls the image. @default "IfNotPresent" */
  imagePullPolicy?: ImagePullPolicy;
  /** Names of Secrets that hold the registry's credentials. */
  imagePullSecrets?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Program that runs in place of the image's entry point. With sshd `injected` it runs beside sshd, and its end ends
   * the container.
   */
  command?: string[];
  /** Arguments of the command; with sshd from the `image`, the program that runs beside it. */
  args?: string[];
  /** With sshd `injected`: the image's own entry point and command run, and sshd beside them. @default false */
  runImageCommand?: boolean;
  /** Where sshd comes from and where it listens. */
  ssh?: DevContainerSshArgs;
  /** The user one logs in as, who owns the home. */
  user?: DevContainerUserArgs;
  /**
   * Whether one can be root inside: `sudo`, `apt`, services, ports below 1024. Root inside is nobody on the node, in a
   * user namespace of the pod's own. It opens the kernel's interfaces that a user's programs do not reach, and takes
   * Kubernetes 1.33 and a namespace that the platform made for it.
   * @default false
   */
  root?: boolean;
  /**
   * Whether one can start containers inside: `podman`, and `docker` with `build` and `compose`, where the image has the
   * programs. It takes `root: true`, a namespace that allows it, and sshd in the same container. Root inside may then
   * mount, route and make namespaces within the pod, which opens more of the kernel's interfaces. Images and volumes of
   * the inner containers are on `persistVolume`. A change of `authorizedKeys` or `userCa` restarts the pod.
   * @default false
   */
  containersInside?: boolean;
  /**
   * The team whose namespace it is, which says what is allowed there: the `ref` of a {@link Team}. Needed for `root`.
   */
  team?: pulumi.Input<TeamRefArgs>;
  /**
   * Public keys that may log in, one authorized_keys line each; at least one unless there is a user CA or no sshd. A
   * change takes effect within a minute or so, at the next login, without a restart; with `containersInside` the pod
   * restarts.
   */
  authorizedKeys?: pulumi.Input<pulumi.Input<string>[]>;
  /** A certificate authority whose user certificates may log in. */
  userCa?: DevContainerUserCaArgs;
  /** The container's SSH identity, which `known_hosts` pins. Needed unless there is no sshd. */
  hostKey?: DevContainerHostKeyArgs;
  /**
   * No session from before this time goes on: set it to now to end what a removed key, CA or principal still has open.
   * Another value is another pod, for everybody who is in it; nothing that runs in a container could end one person's
   * sessions alone, since it would run as the same user.
   * @default - sessions outlive the keys that opened them
   * @example "2026-11-24T09:30:00Z"
   */
  sessionsValidFrom?: pulumi.Input<string>;
  /** The home volume, which outlives the container. */
  home?: DevContainerVolumeArgs;
  /**
   * Paths outside home that last too, such as `/opt/conda`. Each is filled from the image at the first start; from then
   * on the volume's content wins, also over a newer image's.
   */
  persist?: string[];
  /** The volume of the persisted paths, made only if there are any. */
  persistVolume?: DevContainerVolumeArgs;
  /** CPU and memory. Memory needs a limit. @default requests of 1 CPU and 2Gi memory, a limit of 2Gi memory */
  resources?: ResourcesArgs;
  /** GPUs. @default - none */
  gpu?: DevContainerGpuArgs;
  /** Size of /dev/shm. What lies in it counts as memory. @default - half the memory */
  sharedMemory?: pulumi.Input<string>;
  /**
   * Disk outside the volumes (the image's writable layer, logs), set aside and limit: beyond it the pod is evicted.
   * @default - no limit
   */
  ephemeralStorage?: pulumi.Input<string>;
  /** Which nodes it may run on. */
  scheduling?: SchedulingArgs;
  /**
   * Environment of the container and of every SSH session. A secret is refused, since a pod is readable in the cluster:
   * give it in `secretEnv`.
   */
  env?: Record<string, pulumi.Input<string>>;
  /**
   * The same with secret values, whose names are plain. The values are in a Secret of the container's own; another
   * value restarts the pod. Every process of the container can read them; as files (`secretFiles`) they are safer.
   * @example { GIT_TOKEN: config.requireSecret("gitToken") }
   */
  secretEnv?: Record<string, pulumi.Input<string>>;
  /**
   * Variables whose values come from Secrets, ConfigMaps or the pod itself, also for every SSH session.
   * @example { GIT_TOKEN: { secretKeyRef: { name: "tokens", key: "git" } } }
   */
  envValueFrom?: Record<string, DevContainerEnvSourceArgs>;
  /** Secrets and ConfigMaps whose keys become variables; `env` wins over them. */
  envFrom?: DevContainerEnvFromArgs[];
  /** Secrets that exist already, mounted as folders of files. */
  secretFiles?: DevContainerSecretFilesArgs[];
  /**
   * Program text that runs as the user each time the container starts, beginning with its interpreter's line. It runs
   * beside sshd, so it locks nobody out; its output is in the pod's log and in `~/.cache/drawbridge/startup.log`.
   * @example "#!/bin/sh\ngit clone https://git.example.com/team/dotfiles ~/dotfiles\n"
   */
  startupScript?: string;
  /** The Kubernetes identity of the container, for cloud data. */
  serviceAccount?: DevContainerServiceAccountArgs;
  /** The company's web proxy. */
  proxy?: DevContainerProxyArgs;
  /** The company's certificate authorities. */
  trustedCa?: DevContainerTrustedCaArgs;
  /** The ways in: a gateway, frp, the Kubernetes API; at least one unless there is no sshd. */
  access?: DevContainerAccessArgs;
  /** Ports on which the container's programs listen, besides sshd's: at most 15. */
  ports?: DevContainerPortArgs[];
  /** Who may reach the container besides the gateway; nobody by default. */
  ingress?: DevContainerIngressArgs[];
  /** What the container may reach. */
  egress?: DevContainerEgressArgs;
  /**
   * Whether the cluster may move the pod: `never` blocks node drains until somebody deletes the pod.
   * @default "never"
   */
  eviction?: EvictionPolicy;
  /**
   * Whether its pod runs. `false` ends the pod and every session in it; home, host key, names, routes and rights stay,
   * so that `true` brings everything back as it was. It frees CPU, memory and GPUs, not the volumes.
   * @default true
   */
  running?: boolean;
  /** When it sleeps by itself, and what wakes it. @default - it never sleeps */
  idle?: DevContainerIdleArgs;
  /**
   * Seconds between a message in every open terminal and the end, when the container is moved, changed or removed; 0
   * for neither. Nobody logged in: no wait.
   * @default 15
   */
  stopWarningSeconds?: number;
  /** Seconds from the beginning of its stop to the kill, the warning included. @default 60 */
  terminationGracePeriodSeconds?: number;
  /**
   * Whether `pulumi up` waits until sshd is ready. After a change Pulumi's provider may look before the cluster has
   * begun it, and go on at once; `status` says `Starting` then. Without it, one container that cannot be scheduled does
   * not block a team's update.
   * @default true
   */
  wait?: boolean;
  /** Claims that exist, each a volume and its mount in one. */
  mounts?: DevContainerMountArgs[];
  /**
   * Further volumes, as in a pod. For a claim or a Secret that the container alone mounts, `mounts` and `secretFiles`
   * are shorter.
   */
  volumes?: DevContainerPodVolumeArgs[];
  /** Where `volumes` are mounted in the container. */
  volumeMounts?: DevContainerVolumeMountArgs[];
  /**
   * Containers that run to their end, one after the other, before the container starts. One that fails keeps it from
   * starting.
   */
  initContainers?: DevContainerInitContainerArgs[];
  /** Containers that run beside the container, in its network. */
  sidecars?: DevContainerSidecarArgs[];
  /** What has no argument: plain data merged into the container's objects. */
  patches?: DevContainerPatchesArgs;
  /** Storages to mount. The container waits for their preparation. */
  storage?: DevContainerStorageArgs[];
}

/** Where sshd comes from. */
export interface DevContainerSshArgs {
  /**
   * `image`: the image holds and starts sshd. `injected`: any image; sshd is brought along and the shell sees the
   * image's own files. `sidecar`: sshd in a container of its own beside the application, with the same network and
   * volumes. `none`: no sshd; only the way over the Kubernetes API is left.
   * @default "image"
   */
  mode?: SshMode;
  /** With `injected` the sshd-bundle image, with `sidecar` the image whose shell one lands in. */
  image?: pulumi.Input<string>;
  /** The port of sshd, of the Service and of the host name clients use. @default 22 */
  port?: number;
  /**
   * With `sidecar`: CPU and memory of all sessions together.
   * @default requests of 100m CPU and 512Mi memory, a limit of 512Mi memory
   */
  resources?: ResourcesArgs;
  /**
   * Seconds that a new connection has to log in, the time to type a passphrase or to touch a hardware key included.
   * @default 30
   */
  loginGraceSeconds?: number;
  /**
   * How many connections may wait for their login at once; from half of that on, some are refused at random. Each costs
   * memory of the container that runs sshd. All of them come from the gateway, whose limits for each client keep one
   * client from taking them all.
   * @default 200
   */
  maxStartups?: number;
}

/** The user one logs in as. */
export interface DevContainerUserArgs {
  /**
   * Login name. With sshd from the `image` or in a `sidecar` it must exist in that image. `root`, with uid and gid 0,
   * takes the container's `root: true`; its home is `/root`.
   * @default "jovyan"
   */
  name?: string;
  /** User id, at least 1000, or root's 0. @default 1000 */
  uid?: number;
  /** Group id, which owns the home volume. @default 1000 */
  gid?: number;
  /** With `injected`: the login shell, a program of the image. @default - bash if the image has it, else sh */
  shell?: string;
}

/** A certificate authority for users (`ssh-keygen -s`). */
export interface DevContainerUserCaArgs {
  /** Its public keys. A change takes effect at the next login. */
  keys: pulumi.Input<pulumi.Input<string>[]>;
  /** A certificate must carry one of these names. @default - the login name */
  principals?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Exactly one of `seed` and `privateKey`. Both are kept secret in Pulumi's state. */
export interface DevContainerHostKeyArgs {
  /**
   * A secret of the stack, at least 32 characters, from which each container's key is derived. The same seed, identity
   * and generation give the same key in every stack.
   */
  seed?: pulumi.Input<string>;
  /** An unencrypted ed25519 private key file's text. */
  privateKey?: pulumi.Input<string>;
  /** Counts the keys derived from one seed; another number is another key. @default 1 */
  generation?: number;
  /**
   * What the key is derived for. Give the old one to a container that changed its name or namespace.
   * @default "<namespace>/<name>"
   */
  identity?: pulumi.Input<string>;
  /** The key that will replace this one: clients are told of it, and `knownHosts` holds both. */
  next?: DevContainerNextHostKeyArgs;
}

/** Exactly one of `seed` and `privateKey`. */
export interface DevContainerNextHostKeyArgs {
  /** A secret of the stack, at least 32 characters. */
  seed?: pulumi.Input<string>;
  /** An unencrypted ed25519 private key file's text. */
  privateKey?: pulumi.Input<string>;
  /** Counts the keys derived from one seed; with the same seed give a higher one than now. @default 1 */
  generation?: number;
}

/** A volume of the container. Its claim is kept when the container is removed. */
export interface DevContainerVolumeArgs {
  /** Size; a larger one is accepted in place, a smaller one never. @default "20Gi" */
  size?: pulumi.Input<string>;
  /** StorageClass. @default - the cluster's default class */
  storageClassName?: pulumi.Input<string>;
  /** How the volume may be mounted. @default "ReadWriteOnce" */
  accessMode?: AccessMode;
  /**
   * Name of a claim that exists already: adopted as it is, never changed and never deleted. So a container that was
   * removed comes back with its data.
   * @default - a claim of the container's own
   */
  claimName?: pulumi.Input<string>;
}

/** GPUs of one kind. */
export interface DevContainerGpuArgs {
  /** How many. */
  count: number;
  /** The resource's name; a MIG slice has its own, such as `nvidia.com/mig-1g.10gb`. @default "nvidia.com/gpu" */
  resource?: string;
  /** The product, as NVIDIA's feature discovery labels nodes. @default - any @example "NVIDIA-A100-SXM4-80GB" */
  product?: pulumi.Input<string>;
}

/**
 * Where a variable's value comes from: exactly one of them. A Secret's stays out of Pulumi's state and of the pod's own
 * fields.
 */
export interface DevContainerEnvSourceArgs {
  /** A key of a Secret. It is readable in every process of the container; as a file (`secretFiles`) it is not. */
  secretKeyRef?: DevContainerKeyRefArgs;
  /** A key of a ConfigMap. */
  configMapKeyRef?: DevContainerKeyRefArgs;
  /** A field of the pod. */
  fieldRef?: DevContainerFieldRefArgs;
  /** What a container may use. */
  resourceFieldRef?: DevContainerResourceFieldRefArgs;
}

/** A key of a Secret or ConfigMap in the container's namespace. */
export interface DevContainerKeyRefArgs {
  /** Name of the Secret or ConfigMap. */
  name: pulumi.Input<string>;
  /** The key. */
  key: string;
  /** Whether the container starts without it. @default false */
  optional?: boolean;
}

/** A key of a Secret or ConfigMap in the container's namespace. */
export interface DevContainerKeyRef extends pulumi.Unwrap<DevContainerKeyRefArgs> {}

/** A field of the pod. */
export interface DevContainerFieldRefArgs {
  /** Which field, as in a pod. @example "status.podIP" */
  fieldPath: string;
}

/** A field of the pod. */
export interface DevContainerFieldRef extends pulumi.Unwrap<DevContainerFieldRefArgs> {}

/** What a container may use. */
export interface DevContainerResourceFieldRefArgs {
  /** Whose: the name of one of the pod's containers. @default the container itself */
  containerName?: string;
  /** Which request or limit. @example "limits.memory" */
  resource: string;
}

/** What a container may use. */
export interface DevContainerResourceFieldRef extends pulumi.Unwrap<DevContainerResourceFieldRefArgs> {}

/** All keys of a Secret or a ConfigMap as variables; exactly one of the two. */
export interface DevContainerEnvFromArgs {
  /** Put before each name. */
  prefix?: string;
  /** A Secret. */
  secretRef?: DevContainerEnvObjectArgs;
  /** A ConfigMap. */
  configMapRef?: DevContainerEnvObjectArgs;
}

/** A Secret or ConfigMap in the container's namespace. */
export interface DevContainerEnvObjectArgs {
  /** Its name. */
  name: pulumi.Input<string>;
  /** Whether the container starts without it. @default false */
  optional?: boolean;
}

/** A Secret that exists already, mounted as a folder of files that only the user can read. */
export interface DevContainerSecretFilesArgs {
  /** Name of the Secret, in the container's namespace. */
  secretName: pulumi.Input<string>;
  /** Where it is mounted. */
  mountPath: string;
}

/** The Kubernetes identity of the container. */
export interface DevContainerServiceAccountArgs {
  /** Name of a ServiceAccount. @default - the namespace's default one; with `create` the container's name */
  name?: pulumi.Input<string>;
  /**
   * Whether it is made here, without any right. It takes the right to make ServiceAccounts, which a team's deployer has
   * not: there the platform makes it.
   * @default false
   */
  create?: boolean;
  /**
   * Annotations of the account that is made, by which a cloud knows whom it stands for.
   * @example { "eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/team-a" }
   */
  annotations?: Record<string, pulumi.Input<string>>;
  /**
   * Whether its token is mounted, with which everybody in the container can talk to the Kubernetes API, with the rights
   * that the account has, as far as `egress` lets them. Cloud identities do not need it.
   * @default false
   */
  token?: boolean;
}

/** The company's web proxy, set in the environment. `egress.allow` must let the container reach it. */
export interface DevContainerProxyArgs {
  /** Proxy for http addresses. */
  http?: pulumi.Input<string>;
  /** Proxy for https addresses. @default - that for http */
  https?: pulumi.Input<string>;
  /** Hosts and domains that are reached without it, besides the cluster's own. */
  except?: pulumi.Input<string>[];
}

/** The company's certificate authorities, for OpenSSL, Python, Node.js, git, curl, pip and the AWS SDKs. */
export interface DevContainerTrustedCaArgs {
  /** Name of a ConfigMap with the whole bundle: it takes the place of the image's own. */
  configMapName: pulumi.Input<string>;
  /** Key of the bundle in the ConfigMap. @default "ca.crt" */
  key?: string;
}

/** Every way in, and who may take it. Without sshd only `sshpod` is left; with sshd, at least one must be given. */
export interface DevContainerAccessArgs {
  /** The gateway through which it is reached: `gateway.ref` of an {@link SshGateway}, or its values. */
  gateway?: pulumi.Input<SshGatewayRefArgs>;
  /**
   * Where the gateway is reached, for the client's text: `gateway.address` of an {@link SshGateway} whose address its
   * LoadBalancer gives. No object waits for it.
   * @default `gateway.address`
   */
  gatewayAddress?: pulumi.Input<string>;
  /**
   * Who may enter over the Kubernetes API (`drawbridge proxy`), without rights to any other pod.
   * @default - nobody gets rights from here
   */
  sshpod?: SubjectsArgs;
  /**
   * URI names of the client certificates that may open its tunnels, such as `spiffe://example.com/user/alice`. Needs a
   * gateway with a client CA; its plain listener then leads nobody here. As a pattern of the route they have at most
   * 1024 characters, about 25 names.
   * @default - everyone whom the gateway lets in
   */
  allowIdentities?: pulumi.Input<pulumi.Input<string>[]>;
  /** A way in through frp, beside the gateway's or instead of it. */
  frp?: DevContainerFrpArgs;
}

/**
 * A way in through frp: frpc beside the container's sshd registers the container's name with an frps, which clients
 * reach at one address.
 */
export interface DevContainerFrpArgs {
  /** Whether there is this way in. @default true */
  enabled?: boolean;
  /** The frps with which it registers: `frp.ref` of a {@link FrpServer}, or its values. */
  server?: pulumi.Input<FrpServerRefArgs>;
  /** An frps elsewhere, instead of `server`. */
  external?: DevContainerExternalFrpArgs;
  /**
   * Where ssh clients reach frps, for the client's text: `frp.connectAddress` of a {@link FrpServer} whose address its
   * LoadBalancer gives. No object waits for it.
   * @default `server.connectAddress`
   */
  connectAddress?: pulumi.Input<string>;
  /**
   * Another name below the server's `domain`. With a FrpServer it must end in `.<namespace>.<domain>`, or be reserved
   * for this host in the server's `containers`.
   */
  customDomain?: pulumi.Input<string>;
  /** frpc's image, version 0.70.1 or later, with a shell. @default "fatedier/frpc:v0.70.1" */
  image?: pulumi.Input<string>;
  /** Login name. sshd lets one user in, so this is for stating it, not for changing it. @default `user.name` */
  username?: string;
  /** Public keys that may log in besides `authorizedKeys`; sshd does not tell ways in apart. */
  authorizedKeys?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * What frpc proves itself with, at least 32 characters. With a FrpServer it is the container's own; an frps elsewhere
   * needs its `auth.token` here.
   * @default - with a FrpServer, derived from `hostKey.seed`
   */
  token?: pulumi.Input<string>;
}

/** An frps of the caller's own, which decides by itself who may take which name. */
export interface DevContainerExternalFrpArgs {
  /** Host name or address of frps, for frpc. */
  serverAddr: pulumi.Input<string>;
  /** Its port for frpc. @default 7000 */
  serverPort?: number;
  /** The name that its certificate holds. @default `serverAddr` */
  serverName?: pulumi.Input<string>;
  /** The CA of its certificate, in PEM. Needed unless `unverifiedTls`. */
  caBundle?: pulumi.Input<string>;
  /**
   * Whether to trust any frps, for one that has no certificate of its own. Anyone who can intercept the connection then
   * learns the token.
   * @default false
   */
  unverifiedTls?: boolean;
  /** Its CONNECT port. @default 1337 */
  connectPort?: number;
  /** Whether clients speak TLS with that port, with a certificate for `connectAddress`. @default false */
  connectTls?: boolean;
  /** The container is called `<name>.<namespace>.<domain>`. @default - `customDomain` alone names it */
  domain?: pulumi.Input<string>;
}

/** A port on which a program of the container listens. */
export interface DevContainerPortArgs {
  /** Its name, at most 15 lower-case letters, digits and hyphens. */
  name: string;
  /** Its number. */
  port: number;
  /** How it is spoken to, for `url`. @default "http" */
  scheme?: PortScheme;
  /**
   * Whether this is the application's main port: the gateway, if there is one, leads to it, and `url` is its address.
   * One port at most.
   * @default false
   */
  primary?: boolean;
  /**
   * Whether everybody who may use the gateway reaches it by the container's name, with no SSH login before it. At most
   * 7 ports of a container, the primary one included. Any other is reached with `ssh -L`.
   * @default false
   */
  throughGateway?: boolean;
}

/** Pods that may reach the container. */
export interface DevContainerIngressArgs {
  /** Their namespace. @default - the container's own */
  namespace?: pulumi.Input<string>;
  /** Their labels. @default - all pods of the namespace */
  podLabels?: Record<string, string>;
  /** The ports they may reach. */
  ports: number[];
}

/** What the container may reach. Cluster-internal and other private addresses only where they are named here. */
export interface DevContainerEgressArgs {
  /** Whether public addresses may be reached. @default true */
  internet?: boolean;
  /** Public networks that may not be reached, such as the address of the cluster's API server. */
  deny?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Networks that may be reached, also private ones: everybody with a shell here reaches their hosts. In a team's
   * namespace the platform must allow private ones.
   */
  allow?: DevContainerEgressRuleArgs[];
  /** Addresses of DNS servers besides the cluster's kube-dns pods and the node-local cache. @default - none */
  dns?: pulumi.Input<pulumi.Input<string>[]>;
}

/** A network that may be reached. */
export interface DevContainerEgressRuleArgs {
  /** In CIDR notation. */
  cidr: pulumi.Input<string>;
  /** TCP ports. @default - all ports and protocols */
  ports?: number[];
}

/**
 * When the container sleeps, and what wakes it. Asleep it has no pod: CPU, memory and GPUs are free; home, host key,
 * name and rights stay. Needs a gateway with `idle` and sshd in the container itself (`ssh.mode` image or injected).
 *
 * @example
 * ```ts
 * idle: {
 *   stopAfterSeconds: 3600,
 *   keepAwake: [{ days: ["monday", "friday"], from: "08:00", until: "18:00", timeZone: "Europe/Berlin" }],
 * }
 * ```
 */
export interface DevContainerIdleArgs {
  /** Whether it sleeps at all; `false` excepts one container from a team's defaults. @default true */
  enabled?: boolean;
  /**
   * Seconds for which nobody may be in it and nothing work in it before it sleeps, from 10 to 2592000 (30 d).
   * @default 7200 (2 h)
   */
  stopAfterSeconds?: number;
  /**
   * Seconds for which an open session may be silent before it counts for nothing, whatever runs in it, to 7776000 (90
   * d). Not below `stopAfterSeconds`.
   * @default 43200 (12 h)
   */
  silentSessionSeconds?: number;
  /** Times at which it stays awake, at most 100. Together they may not fill the week. */
  keepAwake?: DevContainerScheduleArgs[];
  /**
   * What wakes it: a connection through the gateway, `drawbridge wake` alone, or nobody but an operator.
   * @default "onConnect"
   */
  wake?: WakePolicy;
  /**
   * Seconds for which a connection waits for it to start, from 5 to 1800 (30 min); then it ends with the reason.
   * @default 300 (5 min)
   */
  wakeTimeoutSeconds?: number;
  /** What counts as work. */
  signals?: DevContainerIdleSignalsArgs;
  /** Only tell what would have been done, in the culler's log and in an Event. @default false */
  dryRun?: boolean;
}

/** Times of the week, by the clocks of a time zone, whatever daylight saving does. */
export interface DevContainerScheduleArgs {
  /** On which days it begins. @default - every day */
  days?: Weekday[];
  /** When it begins. @example "08:00" */
  from: string;
  /** When it ends, `24:00` at the latest; before `from` for one that ends on the next day. @example "18:00" */
  until: string;
  /** A name of the IANA data base. @example "Europe/Berlin" */
  timeZone: string;
}

/** What counts as work besides open sessions. */
export interface DevContainerIdleSignalsArgs {
  /**
   * CPU use of the container above which it works, measured from report to report (every minute at most).
   * @default "100m"
   */
  cpuAbove?: string;
  /**
   * Bytes a minute that a connection has to move to count as used. Keepalives and the heartbeats of editors are below.
   * @default 8192
   */
  trafficAboveBytesPerMinute?: number;
  /**
   * GPU use in percent above which it works, asked of the gateway's `idle.gpuMetrics`. Figures that are missing keep it
   * awake.
   * @default - GPU use is not asked for
   */
  gpuAbovePercent?: number;
}

/** A volume that exists already, mounted into the container. */
export interface DevContainerMountArgs {
  /** Name of the claim, in the container's namespace. */
  claimName: pulumi.Input<string>;
  /** Where it is mounted. */
  mountPath: string;
  /** Whether the container cannot write to it. @default false */
  readOnly?: boolean;
}

/**
 * A volume of the pod, with exactly one source. They are those that Pod Security "restricted" allows: NFS goes into a
 * PersistentVolume, whose claim is mounted.
 */
export interface DevContainerPodVolumeArgs {
  /** Its name, for `volumeMounts`. */
  name: string;
  /** A claim that exists. The container's own mounts of one are shorter in `mounts`. */
  persistentVolumeClaim?: DevContainerClaimSourceArgs;
  /** A ConfigMap as files. */
  configMap?: DevContainerConfigMapSourceArgs;
  /** A Secret as files that everybody in the pod reads; `secretFiles` lets only the user. */
  secret?: DevContainerSecretSourceArgs;
  /** A driver of the cluster's, such as the secrets store, as in a pod. */
  csi?: AsInKubernetes;
  /** A volume that lives as long as the pod: `{ volumeClaimTemplate: … }`, as in a pod. */
  ephemeral?: AsInKubernetes;
  /** An empty folder that lives as long as the pod, as in a pod. */
  emptyDir?: AsInKubernetes;
  /** Several sources in one folder, as in a pod. A token of the Kubernetes API needs `serviceAccount.token`. */
  projected?: AsInKubernetes;
  /** Fields of the pod as files, as in a pod. */
  downwardAPI?: AsInKubernetes;
}

/** A claim that exists. */
export interface DevContainerClaimSourceArgs {
  /** Its name. */
  claimName: pulumi.Input<string>;
  /** Whether nobody can write to it. @default false */
  readOnly?: boolean;
}

/** A ConfigMap as files. */
export interface DevContainerConfigMapSourceArgs {
  /** Its name. */
  name: pulumi.Input<string>;
  /** Which keys. @default - all, each in a file of its name */
  items?: DevContainerKeyToPathArgs[];
  /** Whether the container starts without it. @default false */
  optional?: boolean;
}

/** A key as a file. */
export interface DevContainerKeyToPathArgs {
  /** The key. */
  key: string;
  /** The file, below the mount. */
  path: string;
  /** Its mode bits, as a number. @default 0o644 */
  mode?: number;
}

/** A Secret as files. */
export interface DevContainerSecretSourceArgs {
  /** Its name. */
  secretName: pulumi.Input<string>;
  /** Which keys. @default - all, each in a file of its name */
  items?: DevContainerKeyToPathArgs[];
  /** Whether the container starts without it. @default false */
  optional?: boolean;
}

/** Where a volume of `volumes` is mounted. */
export interface DevContainerVolumeMountArgs {
  /** The volume's name; in init containers and sidecars also `home`. */
  name: string;
  /** Where it is mounted. */
  mountPath: string;
  /** Which folder of the volume. @default - the whole volume */
  subPath?: string;
  /** Whether the container cannot write to it. @default false */
  readOnly?: boolean;
}

/** A container that runs to its end before the container starts, after the pod's own preparation. */
export interface DevContainerInitContainerArgs {
  /** Its name. */
  name: string;
  /** The image, with a tag other than `latest` or a digest. */
  image: pulumi.Input<string>;
  /** When the node pulls the image. @default "IfNotPresent" */
  imagePullPolicy?: ImagePullPolicy;
  /** The program, instead of the image's own. */
  command?: string[];
  /** Its arguments. */
  args?: string[];
  /** The folder in which the program starts. @default - the image's */
  workingDir?: string;
  /** Its environment. A secret is refused, since a pod is readable in the cluster: give it in `secretEnv`. */
  env?: Record<string, pulumi.Input<string>>;
  /** Environment whose values are secret, in the container's own Secret. Another value restarts the pod. */
  secretEnv?: Record<string, pulumi.Input<string>>;
  /** Variables whose values come from Secrets, ConfigMaps or the pod itself. */
  envValueFrom?: Record<string, DevContainerEnvSourceArgs>;
  /** Secrets and ConfigMaps whose keys become variables. */
  envFrom?: DevContainerEnvFromArgs[];
  /** CPU and memory. @default requests of 10m CPU and 64Mi memory, a limit of 256Mi memory */
  resources?: ResourcesArgs;
  /** Volumes of `volumes`, and `home`. */
  volumeMounts?: DevContainerVolumeMountArgs[];
  /** As whom it runs. It never gets more than Pod Security "restricted" allows. */
  securityContext?: DevContainerHelperSecurityArgs;
}

/** What of a security context is open. */
export interface DevContainerHelperSecurityArgs {
  /** Whether it can write to its volumes only. @default false */
  readOnlyRootFilesystem?: boolean;
  /** User id, never 0. @default the container's user */
  runAsUser?: number;
  /** Group id. @default the container's group */
  runAsGroup?: number;
}

/**
 * A container that runs beside the container: it starts before it and ends after it. One that fails keeps nobody out.
 */
export interface DevContainerSidecarArgs extends DevContainerInitContainerArgs {
  /** Ports on which it listens, for those who read the pod. Who reaches them is said by `ingress`. */
  ports?: DevContainerSidecarPortArgs[];
  /** Until it succeeds the container does not start, as in a pod. */
  startupProbe?: AsInKubernetes;
  /** As in a pod. */
  livenessProbe?: AsInKubernetes;
  /** As in a pod. */
  readinessProbe?: AsInKubernetes;
}

/** A port of a sidecar. */
export interface DevContainerSidecarPortArgs {
  /** Its name. */
  name?: string;
  /** The number. */
  containerPort: number;
}

/**
 * Plain data merged into the container's objects, each under the end of its name in `pulumi preview`. As in Kubernetes'
 * strategic merge, lists whose items have a `name` are merged by it, other lists are replaced, and null removes a
 * field. Labels and annotations are open everywhere; of the rest what the container promises nothing about. What is not
 * open is refused by name, before anything is made.
 */
export interface DevContainerPatchesArgs {
  /**
   * The StatefulSet: probes, resources and terminal of its container `dev`, DNS, host aliases, scheduler, update
   * strategy.
   * @example { spec: { template: { spec: { dnsConfig: { searches: ["corp.example.com"] } } } } }
   */
  workload?: AsInKubernetes;
  /** The Service: IP families and traffic policy. */
  service?: AsInKubernetes;
  /** The home's claim: its source. */
  home?: AsInKubernetes;
  /** The claim of the persisted paths: its source. */
  persist?: AsInKubernetes;
  /** The PodDisruptionBudget. */
  disruption?: AsInKubernetes;
  /** The NetworkPolicy's labels and annotations. */
  network?: AsInKubernetes;
  /** Labels and annotations of the ConfigMap with the keys. */
  authorizedKeys?: AsInKubernetes;
  /** Labels and annotations of the Secret with the host key. */
  hostKey?: AsInKubernetes;
  /** Labels and annotations of sshd's ConfigMap. */
  sshd?: AsInKubernetes;
  /** Labels and annotations of the VirtualService. */
  route?: AsInKubernetes;
  /** Labels and annotations of the Role for `access.sshpod`. */
  sshpod?: AsInKubernetes;
  /** Labels and annotations of its RoleBinding. */
  sshpodBinding?: AsInKubernetes;
}

/** A storage, mounted into the container. */
export interface DevContainerStorageArgs {
  /** Which: `storage.ref` of a {@link StorageAccessor}, or its values. */
  from: pulumi.Input<StorageRefArgs>;
  /** Where it is mounted. */
  mountPath: string;
  /** Whether the container cannot write to it. @default false */
  readOnly?: boolean;
}
