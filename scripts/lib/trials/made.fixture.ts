/** What components make of arguments, by the builders alone. */
import { parseArgs } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import { whenSettled } from "@drawbridge-iac/drawbridge/src/kit/input";
import type { Resolve } from "@drawbridge-iac/drawbridge/src/kit/resolve";
import type { Args } from "@drawbridge-iac/drawbridge/src/kit/trials.fixture";
import type { Descriptor } from "@drawbridge-iac/drawbridge/src/kubernetes/descriptor";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";

const components: ReadonlyMap<string, Descriptor> = new Map(registry.map((one) => [one.title, one]));

export function componentOf(title: string): Descriptor {
  const found = components.get(title);
  if (found === undefined) throw new Error(`there is no ${title}`);
  return found;
}

/** What is derived of secrets costs time on purpose, and is tested beside its source. */
const cheap: Resolve = {
  plain: whenSettled,
  derived: whenSettled,
  secret: (of) => whenSettled(of, (known) => JSON.stringify(known) as never),
  mark: (of) => whenSettled(of, () => "mark" as never),
};

/** The component `it` of these arguments. */
export function made(title: string, args: Args, resolve = cheap) {
  const component = componentOf(title);
  const plan = component.plan("it", parseArgs(title, "it", component.args, args));
  const secrets = component.secrets(plan, resolve);
  return {
    plan,
    secrets,
    objects: component.objects(plan, secrets),
    template: component.template?.(plan, secrets, resolve),
  };
}
