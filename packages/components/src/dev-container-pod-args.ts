import type { ImagePullPolicy } from "@drawbridge-iac/manifests";
import type * as pulumi from "@pulumi/pulumi";
import type { AsInKubernetes } from "./as-in-kubernetes.ts";
import type { ResourcesArgs } from "./resources-args.ts";

/** Where a variable's value comes from: exactly one of them. A Secret's stays out of Pulumi's state and of the pod's own fields. */
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
  /**
   * Whether the container starts without it.
   * @default false
   */
  optional?: boolean;
}

/** A field of the pod. */
export interface DevContainerFieldRefArgs {
  /**
   * Which field of the pod, as in a pod.
   * @example "status.podIP"
   */
  fieldPath: string;
}

/** What a container may use. */
export interface DevContainerResourceFieldRefArgs {
  /**
   * Whose: the name of one of the pod's containers.
   * @default the container itself
   */
  containerName?: string;
  /**
   * Which request or limit.
   * @example "limits.memory"
   */
  resource: string;
}

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
  /**
   * Whether the container starts without it.
   * @default false
   */
  optional?: boolean;
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
  /**
   * Whether nobody can write to it.
   * @default false
   */
  readOnly?: boolean;
}

/** A ConfigMap as files. */
export interface DevContainerConfigMapSourceArgs {
  /** Its name. */
  name: pulumi.Input<string>;
  /**
   * Which keys.
   * @default - all, each in a file of its name
   */
  items?: DevContainerKeyToPathArgs[];
  /**
   * Whether the container starts without it.
   * @default false
   */
  optional?: boolean;
}

/** A Secret as files. */
export interface DevContainerSecretSourceArgs {
  /** Its name. */
  secretName: pulumi.Input<string>;
  /**
   * Which keys.
   * @default - all, each in a file of its name
   */
  items?: DevContainerKeyToPathArgs[];
  /**
   * Whether the container starts without it.
   * @default false
   */
  optional?: boolean;
}

/** A key as a file. */
export interface DevContainerKeyToPathArgs {
  /** The key. */
  key: string;
  /** The file, below the mount. */
  path: string;
  /**
   * Its mode bits, as a number.
   * @default 0o644
   */
  mode?: number;
}

/** Where a volume of `volumes` is mounted. */
export interface DevContainerVolumeMountArgs {
  /** The volume's name; in init containers and sidecars also `home`. */
  name: string;
  /** Where it is mounted. */
  mountPath: string;
  /**
   * Which folder of the volume.
   * @default - the whole volume
   */
  subPath?: string;
  /**
   * Whether the container cannot write to it.
   * @default false
   */
  readOnly?: boolean;
}

/** A container that runs to its end before the container starts, after the pod's own preparation. */
export interface DevContainerInitContainerArgs {
  /** Its name. */
  name: string;
  /** The image, with a tag other than `latest` or a digest. */
  image: pulumi.Input<string>;
  /**
   * When the node pulls the image.
   * @default "IfNotPresent"
   */
  imagePullPolicy?: ImagePullPolicy;
  /** The program, instead of the image's own. */
  command?: string[];
  /** Its arguments. */
  args?: string[];
  /**
   * The folder in which the program starts.
   * @default - the image's
   */
  workingDir?: string;
  /** Its environment. No secrets: it is readable in the cluster. */
  env?: Record<string, pulumi.Input<string>>;
  /** Variables whose values come from Secrets, ConfigMaps or the pod itself. */
  envValueFrom?: Record<string, DevContainerEnvSourceArgs>;
  /** Secrets and ConfigMaps whose keys become variables. */
  envFrom?: DevContainerEnvFromArgs[];
  /**
   * CPU and memory.
   * @default requests of 10m CPU and 64Mi memory, a limit of 256Mi memory
   */
  resources?: ResourcesArgs;
  /** Volumes of `volumes`, and `home`. */
  volumeMounts?: DevContainerVolumeMountArgs[];
  /** As whom it runs. It never gets more than Pod Security "restricted" allows. */
  securityContext?: DevContainerHelperSecurityArgs;
}

/** A container that runs beside the container: it starts before it and ends after it. One that fails keeps nobody out. */
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

/** What of a security context is open. */
export interface DevContainerHelperSecurityArgs {
  /**
   * Whether it can write to its volumes only.
   * @default false
   */
  readOnlyRootFilesystem?: boolean;
  /**
   * User id, never 0.
   * @default the container's user
   */
  runAsUser?: number;
  /**
   * Group id.
   * @default the container's group
   */
  runAsGroup?: number;
}

/** The Kubernetes identity of the container. */
export interface DevContainerServiceAccountArgs {
  /**
   * Name of a ServiceAccount.
   * @default - the namespace's default one; with `create` the container's name
   */
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

/**
 * Plain data merged into the container's objects, each under the end of its name in `pulumi preview`. As in Kubernetes'
 * strategic merge, lists whose items have a `name` are merged by it, other lists are replaced, and null removes a
 * field. Labels and annotations are open everywhere; of the rest what the container promises nothing about. What is not
 * open is refused by name, before anything is made.
 */
export interface DevContainerPatchesArgs {
  /**
   * The StatefulSet: probes, resources and terminal of its container `dev`, DNS, host aliases, scheduler, update strategy.
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
