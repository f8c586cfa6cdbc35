/** Compile-time: the interfaces that are made describe the same arguments as the types of the schemas they are made of. */
import type {
  certManagerSchema,
  devContainerSchema,
  frpServerSchema,
  injectedSshdSchema,
  sshGatewaySchema,
  sshRouteSchema,
  storageAccessorSchema,
  storageProxySchema,
  teamMembersSchema,
  teamPoliciesSchema,
  teamSchema,
} from "@drawbridge-iac/manifests";
import type { z } from "zod";
import type { CertManagerArgs } from "./made/cert-manager.ts";
import type { DevContainerArgs } from "./made/dev-container.ts";
import type { FrpServerArgs } from "./made/frp-server.ts";
import type { InjectedSshdArgs } from "./made/injected-sshd.ts";
import type { SshGatewayArgs } from "./made/ssh-gateway.ts";
import type { SshRouteArgs } from "./made/ssh-route.ts";
import type { StorageAccessorArgs } from "./made/storage-accessor.ts";
import type { StorageProxyArgs } from "./made/storage-proxy.ts";
import type { TeamArgs, TeamMembersArgs, TeamPoliciesArgs } from "./made/team.ts";

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
type Pinned<Args, Schema extends z.ZodType, Input = z.input<Schema>> = Args extends Input
  ? Same<Paths<Args>, Paths<Input>>
  : { notAssignable: Args };

export const pinned: [
  Pinned<SshGatewayArgs, typeof sshGatewaySchema>,
  Pinned<DevContainerArgs, typeof devContainerSchema>,
  Pinned<FrpServerArgs, typeof frpServerSchema>,
  Pinned<InjectedSshdArgs, typeof injectedSshdSchema>,
  Pinned<SshRouteArgs, typeof sshRouteSchema>,
  Pinned<StorageProxyArgs, typeof storageProxySchema>,
  Pinned<StorageAccessorArgs, typeof storageAccessorSchema>,
  Pinned<CertManagerArgs, typeof certManagerSchema>,
  Pinned<TeamArgs, typeof teamSchema>,
  Pinned<TeamMembersArgs, typeof teamMembersSchema>,
  Pinned<TeamPoliciesArgs, typeof teamPoliciesSchema>,
] = [true, true, true, true, true, true, true, true, true, true, true];
