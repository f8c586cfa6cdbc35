/** The arguments of InjectedSshd. */

import { z } from "zod";
import { egressByName } from "../host/egress/args.ts";
import { frpAccessSchema } from "../host/frpc/args.ts";
import { authorizedKeyLine } from "../host/keys/authorized-keys.ts";
import { hostKeySchema, sshLogins, sshTiming } from "../host/sshd/args.ts";
import { hostAccessFields, networkPolicy } from "../host/ways/access.ts";
import { arg, group, PlainReason } from "../kit/arg.ts";
import { orLogicalName } from "../kit/default-name.ts";
import { another, judgedBy } from "../kit/guard.ts";
import { type Input, known } from "../kit/input.ts";
import { input, inputList } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import { imagePullPolicyOf, namespaceInput } from "../kubernetes/args.ts";
import type { Container, Volume } from "../kubernetes/kinds.ts";
import { absolutePath, dnsLabel, imageReference, port, serviceName, userName } from "../kubernetes/shapes.ts";

/** Any object here; what a template must be, args-checks.ts says. */
const podTemplate = z.record(z.string(), z.unknown());

export const injectedSshdFields = group("InjectedSshdArgs", "Arguments of {@link InjectedSshd}.", {
  name: arg(
    orLogicalName(serviceName),
    "Name of the host: of its objects, and the beginning of its host name.",
    {
      effect: ["restart", "data", "opens", "closes"],
      default: "the component's logical name",
      plain: PlainReason.names,
      guard: another("network-wall"),
    },
  ),
  namespace: arg(namespaceInput, "The namespace of the pod, which is part of the host name. It must exist.", {
    effect: ["restart", "data", "opens", "closes"],
    guard: another("network-wall"),
  }),
  podTemplate: arg(
    input(podTemplate, "a pod template"),
    "The pod template of a Deployment, StatefulSet, Sandbox, Notebook: `metadata` and `spec`. Its lists are plain, or it " +
      "is an output as a whole.",
    {
      effect: ["restart", "opens"],
      example: '{ spec: { containers: [{ name: "app", image: "…" }] } }',
      guard: judgedBy("elsewhere", "pod-privileges"),
    },
  ),
  containerName: arg(dnsLabel.optional(), "The container that sessions are in.", {
    plain: PlainReason.matched,
    effect: ["restart"],
    default: "- the first one",
  }),
  ssh: arg(
    group(
      "InjectedSshdSshArgs",
      "The sshd.",
      {
        image: arg(input(imageReference), "The sshd-bundle image."),
        imagePullPolicy: imagePullPolicyOf("it"),
        port: arg(input(port).default(2222), "The port of sshd, and of the host name that clients use.", {
          effect: ["restart", "opens", "closes"],
          guard: "daily",
        }),
        ...sshTiming,
        ...sshLogins,
      },
      { effect: ["restart"] },
    ),
    "The sshd that is put into the container.",
  ),
  user: arg(
    group("InjectedSshdUserArgs", "The user one logs in as: the one that the container runs as.", {
      name: arg(input(userName).default("jovyan"), "Login name. It need not exist in the image.", {
        guard: judgedBy("login-name", "foreign-ca"),
      }),
      uid: arg(
        input(whole(1000, 2_000_000_000, "user ids")).default(1000),
        "The container's user id. It is set in the template where that says none; another one there is refused.",
      ),
      gid: arg(input(whole(1, 2_000_000_000, "group ids")).optional(), "The user's group id.", {
        default: "`uid`",
      }),
      homePath: arg(input(absolutePath).optional(), "Home folder, which should be a volume.", {
        default: "`/home/<name>`",
      }),
      shell: arg(input(absolutePath).optional(), "Login shell, a program of the image.", {
        default: "- bash if the image has it, else sh",
      }),
    }).prefault({}),
    "The user one logs in as.",
    { effect: ["restart"] },
  ),
  authorizedKeys: arg(
    inputList(authorizedKeyLine).default([]),
    "Public keys that may log in, one authorized_keys line each; at least one unless there is a user CA. A change takes " +
      "effect at the next login without a restart.",
    { effect: ["opens"], guard: judgedBy("keys", "unnamed-key") },
  ),
  hostKey: arg(hostKeySchema, "The host's SSH identity, which `known_hosts` pins."),
  podName: arg(
    input(dnsLabel).optional(),
    "The pod's name, where it stays, such as a StatefulSet's or a Sandbox's: it is reached over the Kubernetes API too.",
    { effect: ["opens", "closes"], guard: "daily" },
  ),
  networkPolicy,
  egress: arg(
    group(
      "InjectedSshdEgressArgs",
      "Hosts that the pod reaches by name. What else it may reach, NetworkPolicies of its namespace say.",
      egressByName("- the pod reaches what NetworkPolicies of its namespace let it reach"),
      { effect: ["closes"] },
    ).optional(),
    "The way out by name. With `hosts` the pod reaches these, DNS and nothing else; it needs `podName`, by which the " +
      "gateway knows the pod. The container that sessions are in gets the environment.",
  ),
  access: arg(
    group("InjectedSshdAccessArgs", "Every way in, and who may take it; at least one.", {
      ...hostAccessFields,
      frp: arg(frpAccessSchema.optional(), "A way in through frp, beside the gateway's or instead of it."),
    }),
    "The ways in: a gateway, frp, the Kubernetes API; at least one.",
  ),
});

export type InjectedSshdInput = z.input<typeof injectedSshdFields>;
export type InjectedSshdParsed = z.output<typeof injectedSshdFields>;

type Labels = Readonly<Record<string, Input<string>>>;

export interface TemplateSecurity {
  readonly runAsUser?: Input<number>;
  readonly fsGroup?: Input<number>;
  readonly sysctls?: readonly { readonly name: string; readonly value: string }[];
}

/** A pod template as someone wrote it: the fields that are looked at. All others stay as they are. */
export interface PodTemplate {
  readonly metadata?: { readonly labels?: Labels; readonly annotations?: Labels };
  readonly spec?: TemplateSpec;
}

export interface TemplateSpec {
  readonly hostNetwork?: Input<boolean>;
  readonly hostPID?: Input<boolean>;
  readonly hostIPC?: Input<boolean>;
  readonly securityContext?: TemplateSecurity;
  readonly containers?: readonly TemplateContainer[];
  readonly initContainers?: readonly TemplateContainer[];
  readonly volumes?: readonly Volume[];
}

export type TemplateContainer = Omit<
  Container,
  "securityContext" | "lifecycle" | "volumeMounts" | "ports" | "env"
> & {
  readonly securityContext?: TemplateSecurity;
  readonly lifecycle?: { readonly postStart?: unknown };
  readonly volumeMounts?: readonly { readonly mountPath: Input<string> }[];
  readonly env?: readonly { readonly name: Input<string> }[];
  readonly ports?: readonly { readonly containerPort: Input<number>; readonly protocol?: Input<string> }[];
  readonly restartPolicy?: Input<string>;
};

/** The place of the container that sessions are in, or -1. */
export function targetIndex(
  containers: readonly { name: Input<string> }[],
  name: string | undefined,
): number {
  if (name === undefined) return containers.length > 0 ? 0 : -1;
  return containers.findIndex((container) => known(container.name) === name);
}
