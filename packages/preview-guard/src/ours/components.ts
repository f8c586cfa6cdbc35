/** Every component by its type: the schema of its arguments, and its objects, made of them by the builders that it uses itself. */
import {
  type AccessorPlan,
  certManagerObjects,
  certManagerSchema,
  type DevContainerPlan,
  devContainerObjects,
  devContainerSchema,
  type FrpcSecrets,
  frpServerObjects,
  frpServerSchema,
  injectedSshdObjects,
  injectedSshdSchema,
  type Objects,
  planCertManager,
  planDevContainer,
  planFrpServer,
  planInjectedSshd,
  planSshGateway,
  planSshRoute,
  planStorage,
  planStorageProxy,
  planTeam,
  type StoragePlan,
  secretEnvOf,
  sshGatewayObjects,
  sshGatewaySchema,
  sshRouteObjects,
  sshRouteSchema,
  storageAccessorSchema,
  storageObjects,
  storageProxyObjects,
  storageProxySchema,
  teamMembersObjects,
  teamMembersSchema,
  teamObjects,
  teamPoliciesObjects,
  teamPoliciesSchema,
  teamSchema,
  templateWithSshd,
  tokenCheckConfig,
} from "@drawbridge-iac/manifests";
import type { z } from "zod";
import { standIn, whenShown } from "./stand-in.ts";

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

const secret = () => standIn<string>("secret");
const derived = <T = string>() => standIn<T>("derived");

const hostKey = (next: unknown) => ({
  privateKey: secret(),
  nextPrivateKey: next === undefined ? undefined : secret(),
  publicKeys: derived<string[]>(),
});

const frpc = ({ frpc }: { readonly frpc?: unknown }): FrpcSecrets | undefined =>
  frpc === undefined ? undefined : { token: secret(), tokenSha256: derived() };

function environment(plan: DevContainerPlan) {
  const all = secretEnvOf(plan);
  if (all === undefined) return undefined;
  return { values: Object.fromEntries(Object.keys(all).map((key) => [key, secret()])), mark: derived() };
}

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
    const key = plan.hasSshd && plan.hostKey ? hostKey(plan.hostKey.next) : undefined;
    return devContainerObjects(plan, { hostKey: key, frpc: frpc(plan), env: environment(plan) });
  }),
  FrpServer: component(frpServerSchema, (name, args) => {
    const plan = planFrpServer(name, args);
    const own = { caBundle: derived(), certificate: secret(), privateKey: secret() };
    return frpServerObjects(plan, {
      metricsPassword: secret(),
      caBundle: plan.tls?.caBundle ?? own.caBundle,
      certificate: plan.tls === undefined ? own : undefined,
    });
  }),
  InjectedSshd: component(
    injectedSshdSchema,
    (name, args) => {
      const plan = planInjectedSshd(name, args);
      return injectedSshdObjects(plan, hostKey(plan.hostKey.next), frpc(plan));
    },
    (name, args) => {
      const plan = planInjectedSshd(name, args);
      return whenShown(plan.podTemplate, (known) => templateWithSshd(plan, known as PodTemplate, derived()));
    },
  ),
  SshGateway: component(sshGatewaySchema, (name, args) => sshGatewayObjects(planSshGateway(name, args))),
  SshRoute: component(sshRouteSchema, (name, args) => {
    const plan = planSshRoute(name, args);
    return sshRouteObjects(plan, frpc(plan));
  }),
  StorageAccessor: component(storageAccessorSchema, (name, args) => {
    const plan = planStorage(name, args);
    const variables = Object.keys(plan.prepare?.secretEnv ?? {}).map((key) => [key, secret()]);
    return storageObjects(plan, {
      rules: secret(),
      rulesMark: derived(),
      tokenCheck: tokenCheck(plan, plan.accessor),
      prepareEnv: variables.length === 0 ? undefined : Object.fromEntries(variables),
    });
  }),
  StorageProxy: component(storageProxySchema, (name, args) =>
    storageProxyObjects(planStorageProxy(name, args)),
  ),
  Team: component(teamSchema, (name, args) => teamObjects(planTeam(name, args))),
  TeamMembers: component(teamMembersSchema, (_, args) => teamMembersObjects(args)),
  TeamPolicies: component(teamPoliciesSchema, (name, args) => teamPoliciesObjects(args.name ?? name)),
};
