/** A component's constructor: arguments checked before `super()`, objects registered after it. */
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { Settled } from "../../kit/placed.ts";
import type { Resolve } from "../../kit/resolve.ts";
import { type Descriptor, tokenOf } from "../descriptor.ts";
import type { Objects } from "../objects.ts";
import { checkArgs } from "./check-args.ts";
import { settled } from "./outputs.ts";
import { type Children, registerChildren } from "./register.ts";

const plain = <T, U>(of: T, make: (known: Settled<T>) => U) => settled(of).apply(make) as pulumi.Output<U>;
const secret = <T, U>(of: T, make: (known: Settled<T>) => U) =>
  pulumi.secret(plain(of, make)) as pulumi.Output<U>;
const derived = <T, U>(of: T, make: (known: Settled<T>) => U) => pulumi.unsecret(plain(of, make));

/** Values as Outputs. */
export const outputs: Resolve = { secret, derived, mark: derived, plain };

interface Prepared<Plan, Secrets, Generated extends Objects> {
  readonly token: string;
  /** For Pulumi's state. */
  readonly inputs: pulumi.Inputs;
  readonly plan: Plan;
  /** Options of a child that is no object of the list. */
  readonly child: pulumi.ResourceOptions;
  /** Registers the objects as children of the component. */
  readonly register: (parent: pulumi.Resource) => { secrets: Secrets; children: Children<Generated> };
}

/** Called before `super()`, so that a component with faults registers nothing. */
export function prepare<Args extends z.ZodType, Plan, Secrets, Generated extends Objects>(
  of: Descriptor<Args, Plan, Secrets, Generated>,
  name: string,
  args: unknown,
  opts: pulumi.ComponentResourceOptions | undefined,
): Prepared<Plan, Secrets, Generated> {
  const { title, names, clientOnly } = of;
  const checked = checkArgs({
    component: title,
    name,
    schema: of.args,
    args,
    opts,
    keepsData: of.keepsData,
    ...(names && { names: (given: z.output<Args>) => names(of.plan(name, given)) }),
    ...(clientOnly && { clientOnly }),
  });
  const plan = of.plan(name, checked.args);
  return {
    token: tokenOf(of),
    inputs: checked.inputs,
    plan,
    child: checked.child,
    register: (parent) => {
      const secrets = of.secrets(plan, outputs);
      return {
        secrets,
        children: registerChildren(name, of.objects(plan, secrets), { parent, ...checked.child }),
      };
    },
  };
}
