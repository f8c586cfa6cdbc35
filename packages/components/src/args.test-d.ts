/** Compile-time: the documented interfaces and the zod schemas describe the same arguments. */
import type {
  CertManagerInput,
  DevContainerInput,
  FrpServerInput,
  RootNamespaceInput,
  SshGatewayInput,
  StorageAccessorInput,
  StorageProxyInput,
} from "@drawbridge-iac/manifests";
import type { CertManagerArgs } from "./made/cert-manager.ts";
import type { DevContainerArgs } from "./made/dev-container.ts";
import type { FrpServerArgs } from "./made/frp-server.ts";
import type { RootNamespaceArgs } from "./made/root-namespace.ts";
import type { SshGatewayArgs } from "./made/ssh-gateway.ts";
import type { StorageAccessorArgs } from "./made/storage-accessor.ts";
import type { StorageProxyArgs } from "./made/storage-proxy.ts";

/** Every path to a key, through plain objects and arrays; values that may be Outputs are leaves. */
type Paths<T> = T extends readonly (infer E)[]
  ? `[]${Paths<E>}`
  : T extends { apply: unknown } | PromiseLike<unknown>
    ? never
    : T extends object
      ? string extends keyof T
        ? ""
        : {
            [K in keyof T &
              string]-?: `.${K}${undefined extends T[K] ? "?" : ""}${Paths<Exclude<T[K], undefined>> | ""}`;
          }[keyof T & string]
      : "";

type Same<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : { missing: Exclude<B, A> }
  : { extra: Exclude<A, B> };
type Pinned<Args, Schema> = Args extends Schema ? Same<Paths<Args>, Paths<Schema>> : { notAssignable: Args };

export const pinned: [
  Pinned<SshGatewayArgs, SshGatewayInput>,
  Pinned<DevContainerArgs, DevContainerInput>,
  Pinned<FrpServerArgs, FrpServerInput>,
  Pinned<StorageProxyArgs, StorageProxyInput>,
  Pinned<StorageAccessorArgs, StorageAccessorInput>,
  Pinned<CertManagerArgs, CertManagerInput>,
  Pinned<RootNamespaceArgs, RootNamespaceInput>,
] = [true, true, true, true, true, true, true];

/** Every path to a leaf that may be an Output. */
type Later<T> = [T] extends [readonly (infer E)[]]
  ? `[]${Later<E>}`
  : [Extract<T, { apply: unknown }>] extends [never]
    ? [T] extends [object]
      ? string extends keyof T
        ? // What is as in Kubernetes may hold anything anywhere.
          0 extends 1 & T[keyof T]
          ? never
          : `.*${Later<T[keyof T]>}`
        : { [K in keyof T & string]-?: `.${K}${Later<Exclude<T[K], undefined>>}` }[keyof T & string]
      : never
    : "";

/** One of `resources`. */
type OfResources = "cpu" | "memory" | "requests.*" | "limits.*";
type OfScheduling = "priorityClassName" | "runtimeClassName";
type OfBalancer = "annotations.*" | "sourceRanges[]" | "address" | "className";
type OfPodMetadata = ".podLabels.*" | ".podAnnotations.*";
type OfEnvironment =
  | "env.*"
  | `envValueFrom.*.${"secretKeyRef" | "configMapKeyRef"}.name`
  | "envFrom[].secretRef.name"
  | "envFrom[].configMapRef.name";

/** The leaves that another resource of the same program may bring. One that is taken away here is a loss. */
export const later: [
  Same<
    Later<DevContainerArgs>,
    | ".image"
    | ".imagePullSecrets[]"
    | `.${OfEnvironment}`
    | ".authorizedKeys[]"
    | ".userCa.keys[]"
    | `.hostKey.${"seed" | "privateKey" | "next.seed" | "next.privateKey"}`
    | `.${"home" | "persistVolume"}.${"size" | "storageClassName" | "claimName"}`
    | `.${"resources" | "ssh.resources"}.${OfResources}`
    | ".gpu.product"
    | ".sharedMemory"
    | ".ephemeralStorage"
    | `.scheduling.${OfScheduling}`
    | ".secretFiles[].secretName"
    | ".mounts[].claimName"
    | `.volumes[].${"persistentVolumeClaim.claimName" | "configMap.name" | "secret.secretName"}`
    | `.${"initContainers" | "sidecars"}[].${"image" | OfEnvironment | `resources.${OfResources}`}`
    | ".storage[].from.claimName"
    | ".caBundle.configMapName"
    | `.serviceAccount.${"name" | "annotations.*"}`
    | OfPodMetadata
    | ".ssh.image"
    | ".access.gateway.address"
    | `.access.frp.${"authorizedKeys[]" | "caBundle" | "connectHost" | "token" | "image"}`
  >,
  Same<
    Later<StorageAccessorArgs>,
    | OfPodMetadata
    | `.${"size" | "storageClassName" | "claimName"}`
    | `.scheduling.${OfScheduling}`
    | `.prepare.${"image" | "env.*" | "copyFrom.claimName" | `resources.${OfResources}`}`
    | `.browse.${"image" | "proxy.address" | "credentials[].password" | "jwt.jwks" | "jwt.image" | `resources.${OfResources}`}`
  >,
  Same<
    Later<StorageProxyArgs>,
    | OfPodMetadata
    | `.${"image" | "tls.secretName"}`
    | `.loadBalancer.${OfBalancer}`
    | `.resources.${OfResources}`
    | `.scheduling.${OfScheduling}`
  >,
  Same<
    Later<SshGatewayArgs>,
    | OfPodMetadata
    | ".image"
    | `.listeners.tls.${"clientCa" | `certificate.${"secretName" | "issuer.name" | "caSecretName" | "caBundle"}`}`
    | `.loadBalancer.${OfBalancer}`
    | `.${"resources" | "idle.resources"}.${OfResources}`
    | ".idle.image"
    | `.scheduling.${OfScheduling}`
    | ".existing.address"
  >,
  Same<
    Later<FrpServerArgs>,
    | OfPodMetadata
    | `.${"seed" | "image" | "authorizer.image" | "tls.secretName" | "tls.caBundle" | "connectTls.secretName"}`
    | `.loadBalancer.${OfBalancer}`
    | `.${"resources" | "authorizer.resources"}.${OfResources}`
    | `.scheduling.${OfScheduling}`
  >,
] = [true, true, true, true, true];
