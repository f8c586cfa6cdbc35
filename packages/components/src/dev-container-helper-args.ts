import type { ImagePullPolicy } from "@drawbridge-iac/manifests";
import type * as pulumi from "@pulumi/pulumi";
import type { AsInKubernetes } from "./as-in-kubernetes.ts";
import type { DevContainerEnvFromArgs, DevContainerEnvSourceArgs } from "./dev-container-environment-args.ts";
import type { DevContainerVolumeMountArgs } from "./dev-container-volume-args.ts";
import type { ResourcesArgs } from "./resources-args.ts";

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
