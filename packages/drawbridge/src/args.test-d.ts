/** Compile-time: the interfaces that are made describe the same arguments as the types of the schemas they are made of. */

import type { z } from "zod";
import type { certManagerSchema } from "./cert-manager/args.ts";
import type { devContainerSchema } from "./dev-container/args-checks.ts";
import type { frpServerSchema } from "./frp-server/args.ts";
import type { CertManagerArgs } from "./generated/cert-manager.ts";
import type { DevContainerArgs } from "./generated/dev-container.ts";
import type { FrpServerArgs } from "./generated/frp-server.ts";
import type { InjectedSshdArgs } from "./generated/injected-sshd.ts";
import type { SshGatewayArgs } from "./generated/ssh-gateway.ts";
import type { SshRouteArgs } from "./generated/ssh-route.ts";
import type { StorageAccessorArgs } from "./generated/storage-accessor.ts";
import type { StorageProxyArgs } from "./generated/storage-proxy.ts";
import type { TeamArgs, TeamMembersArgs, TeamPoliciesArgs } from "./generated/team.ts";
import type { injectedSshdSchema } from "./injected-sshd/args-checks.ts";
import type { sshGatewaySchema } from "./ssh-gateway/args-checks.ts";
import type { sshRouteSchema } from "./ssh-route/args.ts";
import type { storageAccessorSchema } from "./storage-accessor/args-checks.ts";
import type { storageProxySchema } from "./storage-proxy/args.ts";
import type { teamPoliciesSchema, teamSchema } from "./team/args.ts";
import type { teamMembersSchema } from "./team/members.ts";

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
