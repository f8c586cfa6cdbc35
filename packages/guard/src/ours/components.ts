/** Every component by its type: the schema of its arguments, and its objects, made again by the component's own builders. */
import { certManagerSchema, planCertManager } from "@drawbridge-iac/drawbridge/src/cert-manager/args";
import { certManagerObjects } from "@drawbridge-iac/drawbridge/src/cert-manager/objects";
import { devContainerSchema } from "@drawbridge-iac/drawbridge/src/dev-container/args-checks";
import { devContainerObjects } from "@drawbridge-iac/drawbridge/src/dev-container/objects";
import { planDevContainer } from "@drawbridge-iac/drawbridge/src/dev-container/plan";
import { frpServerSchema } from "@drawbridge-iac/drawbridge/src/frp-server/args";
import { frpServerObjects } from "@drawbridge-iac/drawbridge/src/frp-server/objects";
import { planFrpServer } from "@drawbridge-iac/drawbridge/src/frp-server/plan";
import { hostKeyMark } from "@drawbridge-iac/drawbridge/src/host/sshd/files";
import { injectedSshdSchema } from "@drawbridge-iac/drawbridge/src/injected-sshd/args-checks";
import { injectedSshdObjects } from "@drawbridge-iac/drawbridge/src/injected-sshd/objects";
import { planInjectedSshd } from "@drawbridge-iac/drawbridge/src/injected-sshd/plan";
import { templateWithSshd } from "@drawbridge-iac/drawbridge/src/injected-sshd/template";
import { ArgsError, parseArgs } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import { withRegistry } from "@drawbridge-iac/drawbridge/src/kubernetes/images";
import type { Declared, Objects } from "@drawbridge-iac/drawbridge/src/kubernetes/objects";
import { sshGatewaySchema } from "@drawbridge-iac/drawbridge/src/ssh-gateway/args-checks";
import { sshGatewayObjects } from "@drawbridge-iac/drawbridge/src/ssh-gateway/objects";
import { planSshGateway } from "@drawbridge-iac/drawbridge/src/ssh-gateway/plan";
import { sshRouteSchema } from "@drawbridge-iac/drawbridge/src/ssh-route/args";
import { sshRouteObjects } from "@drawbridge-iac/drawbridge/src/ssh-route/objects";
import { planSshRoute } from "@drawbridge-iac/drawbridge/src/ssh-route/plan";
import { storageAccessorSchema } from "@drawbridge-iac/drawbridge/src/storage-accessor/args-checks";
import { accessRules } from "@drawbridge-iac/drawbridge/src/storage-accessor/dufs";
import { storageObjects } from "@drawbridge-iac/drawbridge/src/storage-accessor/objects";
import {
  type AccessorPlan,
  planStorage,
  type StoragePlan,
} from "@drawbridge-iac/drawbridge/src/storage-accessor/plan";
import { tokenCheckConfig } from "@drawbridge-iac/drawbridge/src/storage-accessor/token-check-config";
import { storageProxySchema } from "@drawbridge-iac/drawbridge/src/storage-proxy/args";
import { storageProxyObjects } from "@drawbridge-iac/drawbridge/src/storage-proxy/objects";
import { planStorageProxy } from "@drawbridge-iac/drawbridge/src/storage-proxy/plan";
import { planTeam, teamPoliciesSchema, teamSchema } from "@drawbridge-iac/drawbridge/src/team/args";
import { teamMembersObjects, teamMembersSchema } from "@drawbridge-iac/drawbridge/src/team/members";
import { teamObjects, teamPoliciesObjects } from "@drawbridge-iac/drawbridge/src/team/objects";
import type { z } from "zod";
import { isOurs, urnName, urnType } from "../change.ts";
import { at, type Inputs } from "../values.ts";
import { environment, frpcSecrets, hostKeys, secret, serverSecrets, variables } from "./secrets.ts";
import { standIn, whenShown, withStandIns } from "./stand-in.ts";

export interface Component {
  readonly schema: z.ZodType;
  /** @param args as the schema has parsed them */
  readonly objects: (name: string, args: never) => Objects;
  /** The pod template that it gives out. */
  readonly template?: (name: string, args: never) => unknown;
}

const component = <S extends z.ZodType>(
  schema: S,
  objects: (name: string, args: z.output<S>) => Objects,
  template?: (name: string, args: z.output<S>) => unknown,
): Component => ({ schema, objects, ...(template && { template }) });

type PodTemplate = Parameters<typeof templateWithSshd>[1];

function tokenCheck(plan: StoragePlan, accessor: AccessorPlan | undefined) {
  const { jwt } = accessor ?? {};
  if (accessor === undefined || jwt === undefined) return undefined;
  const { issuer, audiences, jwks, claim, values } = jwt;
  const check = { issuer, audiences, jwks, claim, values };
  return whenShown({ path: plan.path, check }, (known) =>
    JSON.stringify(tokenCheckConfig({ ...plan, path: known.path as string }, accessor, known.check as never)),
  );
}

/** By the type's last part, `drawbridge:index:<Class>`. */
export const components: Readonly<Record<string, Component>> = {
  CertManager: component(certManagerSchema, (name, args) => certManagerObjects(planCertManager(name, args))),
  DevContainer: component(devContainerSchema, (name, args) => {
    const plan = planDevContainer(name, args);
    const hostKey = plan.hasSshd && plan.hostKey ? hostKeys({ ...plan, hostKey: plan.hostKey }) : undefined;
    return devContainerObjects(plan, { hostKey, frpc: frpcSecrets(plan), env: environment(plan) });
  }),
  FrpServer: component(frpServerSchema, (name, args) => {
    const plan = planFrpServer(name, args);
    return frpServerObjects(plan, serverSecrets(plan));
  }),
  InjectedSshd: component(
    injectedSshdSchema,
    (name, args) => {
      const plan = planInjectedSshd(name, args);
      return injectedSshdObjects(plan, hostKeys(plan), frpcSecrets(plan));
    },
    (name, args) => {
      const plan = planInjectedSshd(name, args);
      const mark = hostKeyMark(hostKeys(plan).publicKeys);
      return whenShown(plan.podTemplate, (known) => templateWithSshd(plan, known as PodTemplate, mark));
    },
  ),
  SshGateway: component(sshGatewaySchema, (name, args) => sshGatewayObjects(planSshGateway(name, args))),
  SshRoute: component(sshRouteSchema, (name, args) => {
    const plan = planSshRoute(name, args);
    return sshRouteObjects(plan, frpcSecrets(plan));
  }),
  StorageAccessor: component(storageAccessorSchema, (name, args) => {
    const plan = planStorage(name, args);
    const credentials = plan.accessor?.credentials ?? [];
    const passwords = credentials.map(({ password }) => password);
    const env = plan.prepare?.secretEnv ?? {};
    return storageObjects(plan, {
      rules: secret(passwords, (known) => accessRules(credentials, known)),
      rulesMark: standIn("derived"),
      tokenCheck: tokenCheck(plan, plan.accessor),
      prepareEnv: Object.keys(env).length === 0 ? undefined : variables(env),
    });
  }),
  StorageProxy: component(storageProxySchema, (name, args) =>
    storageProxyObjects(planStorageProxy(name, args)),
  ),
  Team: component(teamSchema, (name, args) => teamObjects(planTeam(name, args))),
  TeamMembers: component(teamMembersSchema, (_, args) => teamMembersObjects(args)),
  TeamPolicies: component(teamPoliciesSchema, (name, args) => teamPoliciesObjects(args.name ?? name)),
};

export interface Made {
  /** By URN. */
  readonly objects: ReadonlyMap<string, Declared>;
  /** The pod template that it gives out. */
  readonly template: unknown;
}

/** The component of ours of this type. */
export const componentOf = (type: string): Component | undefined =>
  isOurs(type) ? components[type.split(":").at(-1) ?? ""] : undefined;

/** As references have it: `core/Secret team-a/dev1-host-key`. */
export function titleOf({ manifest: { apiVersion, kind, metadata } }: Declared): string {
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "core";
  return `${group}/${kind} ${metadata.namespace}/${metadata.name}`;
}

/** By arguments and URN: one verdict asks for them several times. */
const known = new WeakMap<Inputs, Map<string, Made | string>>();

/**
 * @param urn of the component
 * @returns a text that says why they cannot be made
 */
export function madeAgain(urn: string, inputs: Inputs): Made | string {
  const byUrn = known.get(inputs) ?? new Map<string, Made | string>();
  known.set(inputs, byUrn);
  const made = byUrn.get(urn) ?? makeAgain(urn, inputs);
  byUrn.set(urn, made);
  return made;
}

function makeAgain(urn: string, { library, ...args }: Inputs): Made | string {
  const [type, name] = [urnType(urn), urnName(urn)];
  const component = componentOf(type);
  if (component === undefined) return `this version knows no ${type}`;
  try {
    const parsed = parseArgs(
      type.split(":").at(-1) ?? "",
      name,
      component.schema,
      withStandIns(args),
    ) as never;
    const registry = at(library, "imageRegistry");
    const moved = (object: Declared) =>
      typeof registry === "string"
        ? { ...object, manifest: withRegistry(object.manifest, registry) }
        : object;
    const objects = Object.entries(component.objects(name, parsed)).flatMap(([key, object]) =>
      object ? [[childUrn(urn, object, `${name}-${object.suffix ?? key}`), moved(object)] as const] : [],
    );
    return { objects: new Map(objects), template: component.template?.(name, parsed) };
  } catch (error) {
    // Another's words may hold the secret of which nothing can be made.
    return error instanceof ArgsError ? error.message : "nothing can be made of them";
  }
}

/** `urn:pulumi:<stack>::<project>::<parents>$<type>::<name>` */
function childUrn(parent: string, { manifest }: Declared, name: string): string {
  const { apiVersion, kind } = manifest;
  const type = `kubernetes:${apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`}:${kind}`;
  const [stack = "", project = "", parents = ""] = parent.split("::");
  return [stack, project, `${parents}$${type}`, name].join("::");
}
