import type { EvictionPolicy, ImagePullPolicy } from "@drawbridge-iac/manifests";
import type * as pulumi from "@pulumi/pulumi";
import type { DevContainerEnvFromArgs, DevContainerEnvSourceArgs } from "./dev-container-environment-args.ts";
import type { DevContainerInitContainerArgs, DevContainerSidecarArgs } from "./dev-container-helper-args.ts";
import type { DevContainerIdleArgs } from "./dev-container-idle-args.ts";
import type {
  DevContainerGpuArgs,
  DevContainerMountArgs,
  DevContainerSecretFilesArgs,
  DevContainerStorageArgs,
  DevContainerVolumeArgs,
} from "./dev-container-machine-args.ts";
import type {
  DevContainerAccessArgs,
  DevContainerEgressArgs,
  DevContainerIngressArgs,
  DevContainerPortArgs,
  DevContainerProxyArgs,
} from "./dev-container-network-args.ts";
import type { DevContainerPatchesArgs, DevContainerServiceAccountArgs } from "./dev-container-pod-args.ts";
import type {
  DevContainerHostKeyArgs,
  DevContainerSshArgs,
  DevContainerUserArgs,
  DevContainerUserCaArgs,
} from "./dev-container-ssh-args.ts";
import type { DevContainerPodVolumeArgs, DevContainerVolumeMountArgs } from "./dev-container-volume-args.ts";
import type { PodMetadataArgs } from "./pod-metadata-args.ts";
import type { ResourcesArgs } from "./resources-args.ts";
import type { RootNamespaceRefArgs } from "./root-namespace-args.ts";
import type { SchedulingArgs } from "./scheduling-args.ts";

/** Arguments of {@link DevContainer}. */
export interface DevContainerArgs extends PodMetadataArgs {
  /**
   * Name of the container: of its Service, StatefulSet and host names.
   * @default the component's logical name
   */
  name?: string;
  /** The namespace it lives in, which is part of its host name. It must exist. */
  namespace: string;
  /**
   * The image, with a tag other than `latest` or a digest.
   * @example "registry.example.com/team/devcontainer:0.1.0"
   */
  image: pulumi.Input<string>;
  /**
   * When the node pulls the image.
   * @default "IfNotPresent"
   */
  imagePullPolicy?: ImagePullPolicy;
  /** Names of Secrets that hold the registry's credentials. */
  imagePullSecrets?: pulumi.Input<string>[];
  /**
   * Program that runs in place of the image's entry point. With sshd `injected` it runs beside sshd, and its end
   * ends the container.
   */
  command?: string[];
  /** Arguments of the command; with sshd from the `image`, the program that runs beside it. */
  args?: string[];
  /**
   * With sshd `injected`: the image's own entry point and command run, and sshd beside them.
   * @default false
   */
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
  /** The namespace that allows `root`: the `ref` of a {@link RootNamespace}. */
  rootNamespace?: RootNamespaceRefArgs;
  /**
   * Public keys that may log in, one authorized_keys line each; at least one unless there is a user CA or no sshd.
   * A change takes effect at the next login without a restart.
   */
  authorizedKeys?: pulumi.Input<string>[];
  /** A certificate authority whose user certificates may log in. */
  userCa?: DevContainerUserCaArgs;
  /** The container's SSH identity, which `known_hosts` pins. Needed unless there is no sshd. */
  hostKey?: DevContainerHostKeyArgs;
  /** The home volume, which outlives the container. */
  home?: DevContainerVolumeArgs;
  /**
   * Paths outside home that last too, such as `/opt/conda`. Each is filled from the image at the first start; from
   * then on the volume's content wins, also over a newer image's.
   */
  persist?: string[];
  /** The volume of the persisted paths, made only if there are any. */
  persistVolume?: DevContainerVolumeArgs;
  /**
   * CPU and memory. Memory needs a limit.
   * @default requests of 1 CPU and 2Gi memory, a limit of 2Gi memory
   */
  resources?: ResourcesArgs;
  /**
   * GPUs.
   * @default - none
   */
  gpu?: DevContainerGpuArgs;
  /**
   * Size of /dev/shm. What lies in it counts as memory.
   * @default - half the memory
   */
  sharedMemory?: pulumi.Input<string>;
  /**
   * Disk outside the volumes (the image's writable layer, logs), set aside and limit: beyond it the pod is evicted.
   * @default - no limit
   */
  ephemeralStorage?: pulumi.Input<string>;
  /** Which nodes it may run on. */
  scheduling?: SchedulingArgs;
  /** Environment of the container and of every SSH session. No secrets: it is readable in the cluster. */
  env?: Record<string, pulumi.Input<string>>;
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
   * Program text that runs as the user each time the container starts, beginning with its interpreter's line. It
   * runs beside sshd, so it locks nobody out; its output is in the pod's log and in
   * `~/.cache/drawbridge/startup.log`.
   * @example "#!/bin/sh\ngit clone https://git.example.com/team/dotfiles ~/dotfiles\n"
   */
  startupScript?: string;
  /** The Kubernetes identity of the container, for cloud data. */
  serviceAccount?: DevContainerServiceAccountArgs;
  /** The company's web proxy. */
  proxy?: DevContainerProxyArgs;
  /** The company's certificate authorities. */
  caBundle?: DevContainerCaBundleArgs;
  /** The ways in: a gateway, frp, the Kubernetes API; at least one unless there is no sshd. */
  access?: DevContainerAccessArgs;
  /** Ports on which the container's programs listen, besides sshd's: at most 31. */
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
   * Whether its pod runs. `false` ends the pod and every session in it; home, host key, names, routes and rights stay, so
   * that `true` brings everything back as it was. It frees CPU, memory and GPUs, not the volumes.
   * @default true
   */
  running?: boolean;
  /**
   * When it sleeps by itself, and what wakes it.
   * @default - it never sleeps
   */
  idle?: DevContainerIdleArgs;
  /** How the container stops. */
  stop?: DevContainerStopArgs;
  /**
   * Whether `pulumi up` waits until sshd is ready. Without it, one container that cannot be scheduled does
   * not block a team's update.
   * @default true
   */
  wait?: boolean;
  /** Claims that exist, each a volume and its mount in one. */
  mounts?: DevContainerMountArgs[];
  /** Further volumes, as in a pod. For a claim or a Secret that the container alone mounts, `mounts` and `secretFiles` are shorter. */
  volumes?: DevContainerPodVolumeArgs[];
  /** Where `volumes` are mounted in the container. */
  volumeMounts?: DevContainerVolumeMountArgs[];
  /** Containers that run to their end, one after the other, before the container starts. One that fails keeps it from starting. */
  initContainers?: DevContainerInitContainerArgs[];
  /** Containers that run beside the container, in its network. */
  sidecars?: DevContainerSidecarArgs[];
  /** What has no argument: plain data merged into the container's objects. */
  patches?: DevContainerPatchesArgs;
  /** Storages to mount. The container waits for their preparation. */
  storage?: DevContainerStorageArgs[];
}

/** The company's certificate authorities, for OpenSSL, Python, Node.js, git, curl, pip and the AWS SDKs. */
export interface DevContainerCaBundleArgs {
  /** Name of a ConfigMap with the whole bundle: it takes the place of the image's own. */
  configMapName: pulumi.Input<string>;
  /**
   * Key of the bundle in the ConfigMap.
   * @default "ca.crt"
   */
  key?: string;
}

/** How the container stops when it is moved, changed or removed. */
export interface DevContainerStopArgs {
  /**
   * Seconds between a message in every open terminal and the end; 0 for neither. Nobody logged in: no wait.
   * @default 15
   */
  warningSeconds?: number;
  /**
   * Seconds from the beginning to the kill, the warning included.
   * @default 60
   */
  graceSeconds?: number;
}
