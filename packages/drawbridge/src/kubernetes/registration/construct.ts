/** A component's constructor: arguments checked before `super()`, objects registered after it. */
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { Settled } from "../../kit/input.ts";
import type { Resolve } from "../../kit/resolve.ts";
import { tokenOf } from "../../kit/type-token.ts";
import type { Descriptor } from "../descriptor.ts";
import type { Objects } from "../objects.ts";
import { checkArgs, InvalidArgsError } from "./check-args.ts";
import { settled } from "./outputs.ts";
import { type Children, registerChildren } from "./register.ts";
import { type StandIn, standIn } from "./stand-in.ts";

const plain = <T, U>(of: T, make: (known: Settled<T>) => U) => settled(of).apply(make) as pulumi.Output<U>;
const secret = <T, U>(of: T, make: (known: Settled<T>) => U) =>
  pulumi.secret(plain(of, make)) as pulumi.Output<U>;
const derived = <T, U>(of: T, make: (known: Settled<T>) => U) => pulumi.unsecret(plain(of, make));

/** Values as Outputs. */
export const outputs: Resolve = { secret, derived, mark: derived, plain };

interface Prepared<Plan, Secrets, Generated extends Objects> {
  /** What a constructor returns instead of its component if the arguments have faults; all else is undefined then. */
  readonly faulty: undefined;
  readonly token: string;
  /** For Pulumi's state. */
  readonly inputs: pulumi.Inputs;
  readonly plan: Plan;
  /** Options of a child that is no object of the list. */
  readonly child: pulumi.ResourceOptions;
  /** Registers the objects as children of the component. */
  readonly register: (parent: pulumi.Resource) => { secrets: Secrets; children: Children<Generated> };
}

type Faulty<Plan, Secrets, Generated extends Objects> = {
  readonly [Name in keyof Prepared<Plan, Secrets, Generated>]: Name extends "faulty" ? StandIn : undefined;
};

/**
 * Called before `super()`, so that a component with faults registers nothing. Without a stack (unit tests with mocks,
 * plugins) it throws them, as no run waits for more.
 */
export function prepare<Args extends z.ZodType, Plan, Secrets, Generated extends Objects>(
  of: Descriptor<Args, Plan, Secrets, Generated>,
  name: string,
  args: unknown,
  opts: pulumi.ComponentResourceOptions | undefined,
): Prepared<Plan, Secrets, Generated> | Faulty<Plan, Secrets, Generated> {
  try {
    return valid(of, name, args, opts);
  } catch (error) {
    const isProgram = pulumi.runtime.getStackResource() !== undefined;
    if (!(error instanceof InvalidArgsError) || !isProgram) throw error;
    const none = {
      token: undefined,
      inputs: undefined,
      plan: undefined,
      child: undefined,
      register: undefined,
    };
    return { ...none, faulty: standIn(tokenOf(of.title), name, opts, error) };
  }
}

function valid<Args extends z.ZodType, Plan, Secrets, Generated extends Objects>(
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
    faulty: undefined,
    token: tokenOf(of.title),
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
