import * as pulumi from "@pulumi/pulumi";
import type { StorageAccessorChildren } from "../generated/children.ts";
import type { StorageAccessorArgs, StorageRef, StorageTarget } from "../generated/storage-accessor.ts";
import { slowMark } from "../kit/crypto.ts";
import { type Placed, whenAllKnown } from "../kit/placed.ts";
import { checkArgs } from "../kubernetes/registration/check-args.ts";
import { output, refOf, secretRecord, settled } from "../kubernetes/registration/outputs.ts";
import { giveOut, registerChildren } from "../kubernetes/registration/register.ts";
import { proxyOrigin } from "../storage-proxy/ref.ts";
import { storageAccessorSchema } from "./args-checks.ts";
import { accessRules } from "./dufs.ts";
import { type StorageSecrets, storageObjects } from "./objects.ts";
import { type AccessorPlan, planStorage, type StoragePlan } from "./plan.ts";
import { storageState, storageTargetKind } from "./ref.ts";
import { tokenCheckConfig } from "./token-check-config.ts";

/**
 * A volume of a team: filled once, mounted in containers, and browsed at one shared address by those who have
 * a credential.
 *
 * @example
 * ```ts
 * const models = new StorageAccessor("models", {
 *   namespace: "team-a",
 *   prepare: { image: "registry.example.com/tools:1.2", command: ["sh", "-c"], args: ["echo seeded > README.txt"] },
 *   browse: {
 *     proxy: proxy.ref,
 *     credentials: [{ user: "alice", password: config.requireSecret("alicePassword") }],
 *   },
 * });
 * new DevContainer("dev1", { namespace: "team-a", storage: [{ from: models.ref, mountPath: "/models" }], … });
 * export const url = models.url;
 * ```
 */
export class StorageAccessor extends pulumi.ComponentResource {
  /** Name of the claim that holds the data, known when the preparation is done. */
  public readonly claimName!: pulumi.Output<string>;
  /** `Preparing`, `Ready`, or `Failed:` with the reason. */
  public readonly state!: pulumi.Output<string>;
  /** Address at which the files are browsed; a sentence with the reason if they cannot be. */
  public readonly url!: pulumi.Output<string>;
  /** What `drawbridge list` shows of it; export it and run `drawbridge ssh-config`. */
  public readonly storageTarget!: pulumi.Output<StorageTarget>;
  /**
   * What containers and other storages need to mount this one: `storage[].from` and `prepare.copyFrom`. They wait for the
   * preparation.
   */
  public readonly ref!: pulumi.Output<StorageRef>;
  /** The component's Kubernetes resources by the suffix of their names; undefined for one that is not made. */
  public readonly children: StorageAccessorChildren;

  constructor(name: string, args: StorageAccessorArgs, opts?: pulumi.ComponentResourceOptions) {
    const checked = checkArgs({
      component: "StorageAccessor",
      name,
      schema: storageAccessorSchema,
      args,
      opts,
      names: (given) => [{ path: "name", name: planStorage(name, given).path, code: "name-taken" }],
      told: ({ browse }) => [browse?.proxyAddress, browse?.proxy.address],
    });
    const plan = planStorage(name, checked.args);
    super("drawbridge:index:StorageAccessor", name, checked.inputs, opts);
    const objects = storageObjects(plan, storageSecrets(plan));
    this.children = registerChildren(name, objects, { parent: this, ...checked.child });
    const { claim, prepare } = this.children;
    const state = prepare === undefined ? pulumi.output("Ready") : prepare.status.apply(storageState);
    const url = storageUrl(plan);
    giveOut<StorageAccessor>(this, {
      claimName: afterwards(prepare, plan.names.claim),
      state,
      url,
      storageTarget: storageTarget(plan, state, url),
      ref: refOf(
        reference(plan),
        [claim, prepare].filter((one) => one !== undefined),
      ),
    });
  }
}

function reference(plan: StoragePlan) {
  const { name, namespace, names, accessMode, colocationGroup, owner } = plan;
  return { name, namespace, claimName: names.claim, accessMode, colocationGroup, gid: owner.gid };
}

/** `value`, resolved after `resource`, so that its users wait. */
function afterwards(
  resource: pulumi.CustomResource | undefined,
  value: Placed<string>,
): pulumi.Output<string> {
  const known = output(value);
  return resource === undefined ? known : pulumi.all([known, resource.id]).apply(([name]) => name);
}

function storageSecrets(plan: StoragePlan): StorageSecrets {
  const { path, accessor } = plan;
  const credentials = accessor?.credentials ?? [];
  const passwords = credentials.map(({ password }) => password);
  const rules = pulumi.secret(output(whenAllKnown(passwords, (known) => accessRules(credentials, known))));
  const rulesMark = pulumi.unsecret(
    settled({ rules, path }).apply((known) => slowMark(known.path, known.rules)),
  );
  const variables = plan.prepare?.secretEnv ?? {};
  const prepareEnv = Object.keys(variables).length === 0 ? undefined : secretRecord(variables);
  return { rules, rulesMark, tokenCheck: accessor && tokenCheck(plan, accessor), prepareEnv };
}

function tokenCheck(plan: StoragePlan, accessor: AccessorPlan): pulumi.Output<string> | undefined {
  if (accessor.jwt === undefined) return undefined;
  const { issuer, audiences, jwks, claim, values } = accessor.jwt;
  const check = { issuer, audiences, jwks, claim, values };
  return settled({ check, path: plan.path }).apply(({ check, path }) =>
    JSON.stringify(tokenCheckConfig({ ...plan, path }, accessor, check)),
  );
}

function storageUrl(plan: StoragePlan): pulumi.Output<string> {
  const { proxy } = plan;
  if (proxy === undefined) return pulumi.output(`${plan.name} has no accessor, so there is no address`);
  const { name, namespace, scheme, port, dnsName } = proxy;
  const address = plan.proxyAddress ?? proxy.address;
  return settled({ name, namespace, scheme, port, dnsName, address, path: plan.path }).apply((known) => {
    const at = known.dnsName ?? known.address ?? `<address of the proxy ${known.namespace}/${known.name}>`;
    return `${proxyOrigin(known, at)}${known.path}/`;
  });
}

function storageTarget(
  { name, namespace, proxy }: StoragePlan,
  state: pulumi.Output<string>,
  url: pulumi.Output<string>,
): pulumi.Output<StorageTarget> {
  return settled({ namespace, state, url }).apply(({ namespace, state, url }) => {
    const target = { kind: storageTargetKind, name, namespace, state };
    return proxy === undefined ? target : { ...target, url };
  });
}
