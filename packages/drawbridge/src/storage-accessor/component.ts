import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { StorageAccessorChildren } from "../generated/children.ts";
import type {
  StorageAccessorArgs,
  StorageRef,
  StorageStatus,
  StorageTarget,
} from "../generated/storage-accessor.ts";
import { type Input, orElse } from "../kit/input.ts";
import { prepare } from "../kubernetes/registration/construct.ts";
import { output, refOf, settled } from "../kubernetes/registration/outputs.ts";
import { setOutputs } from "../kubernetes/registration/register.ts";
import { proxyOrigin } from "../storage-proxy/ref.ts";
import { storageAccessor } from "./descriptor.ts";
import type { StoragePlan } from "./plan.ts";
import { storageTargetKind } from "./ref.ts";
import { storageStatus } from "./status.ts";

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
 *     proxy,
 *     credentials: [{ user: "alice", password: config.requireSecret("alicePassword") }],
 *   },
 * });
 * new DevContainer("dev1", { namespace: "team-a", mounts: [{ storage: models, mountPath: "/models" }], … });
 * export const url = models.url;
 * ```
 */
export class StorageAccessor extends pulumi.ComponentResource {
  /** Name of the claim that holds the data, known when the preparation is done. */
  public readonly claimName!: pulumi.Output<string>;
  /** State of the storage when Pulumi last read its objects: `pulumi up` reads what it changes, `refresh` reads all. */
  public readonly status!: pulumi.Output<StorageStatus>;
  /** Address at which the files are browsed; undefined without `browse`, and while the proxy has no address. */
  public readonly url!: pulumi.Output<string | undefined>;
  /** What `drawbridge list` shows of it; export it and run `drawbridge ssh-config`. */
  public readonly storageTarget!: pulumi.Output<StorageTarget>;
  /**
   * What containers and other storages need to mount this one: `storage[].from` and `prepare.copyFrom`. They wait for the
   * preparation.
   */
  public readonly ref!: pulumi.Output<StorageRef>;
  /** The component's Kubernetes resources by the suffix of their names; undefined for one that is not made. */
  public readonly children!: StorageAccessorChildren;

  constructor(name: string, args: StorageAccessorArgs, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, plan, register } = prepare(storageAccessor, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    const { children } = register(this);
    this.children = children;
    const { claim, prepare: job } = children;
    const url = storageUrl(plan);
    const status = stateOf(plan, job, url);
    setOutputs<StorageAccessor>(this, {
      claimName: afterwards(job, plan.names.claim),
      status,
      url,
      storageTarget: storageTarget(plan, status, url),
      ref: refOf(
        reference(plan),
        [claim, job].filter((one) => one !== undefined),
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
  value: Input<string>,
): pulumi.Output<string> {
  const known = output(value);
  return resource === undefined ? known : pulumi.all([known, resource.id]).apply(([name]) => name);
}

function storageUrl(plan: StoragePlan): pulumi.Output<string | undefined> {
  const { proxy } = plan;
  if (proxy === undefined) return pulumi.output(undefined);
  const { name, namespace, scheme, port, dnsName } = proxy;
  const address = orElse(plan.address, proxy.address);
  return settled({ name, namespace, scheme, port, dnsName, address, path: plan.path }).apply((known) => {
    const at = known.dnsName ?? known.address;
    return at === undefined ? undefined : `${proxyOrigin(known, at)}${known.path}/`;
  });
}

function stateOf(
  { namespace, names, proxy }: StoragePlan,
  job: k8s.batch.v1.Job | undefined,
  url: pulumi.Output<string | undefined>,
): pulumi.Output<StorageStatus> {
  const at = proxy && { name: proxy.name, namespace: proxy.namespace };
  return settled({ namespace, at, url, report: job?.status }).apply(({ namespace, at, url, report }) =>
    storageStatus({
      namespace,
      job: job && { name: names.prepare, report: report ?? {} },
      proxy: at && { ...at, isReached: url !== undefined },
    }),
  );
}

function storageTarget(
  { name, namespace }: StoragePlan,
  status: pulumi.Output<StorageStatus>,
  url: pulumi.Output<string | undefined>,
): pulumi.Output<StorageTarget> {
  return pulumi.all([output(namespace), status, url]).apply(([namespace, status, url]) => {
    const target = { kind: storageTargetKind, name, namespace, status };
    return url === undefined ? target : { ...target, url };
  });
}
