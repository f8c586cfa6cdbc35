/** CPU and memory of one program, in Kubernetes' own words: a short form for both sides, a long form for each. */
import { z } from "zod";
import { arg, group } from "../kit/arg.ts";

import { type Input, known } from "../kit/input.ts";
import { input, type RaiseFault } from "../kit/schema.ts";
import { compact, ifAny } from "./manifest.ts";
import { canonicalQuantities, quantityValue } from "./quantity.ts";
import { isSize, quantity, resourceName, size, sizeTooSmall } from "./shapes.ts";

/** Resources whose quantities are bytes. Without its unit, `512m` would be half a byte. */
const ofBytes = /^(memory|ephemeral-storage|hugepages-.*)$/;

const quantities = z
  .record(resourceName, input(quantity))
  .superRefine((given, context) => {
    for (const [name, value] of Object.entries(given)) {
      const bytes = ofBytes.test(name) ? amount(value) : undefined;
      if (bytes === undefined || isSize(bytes)) continue;
      context.addIssue({ code: "custom", path: [name], message: sizeTooSmall, input: value });
    }
  })
  .optional();

/** Without its default, for a program that has more. */
export const resourcesFields = group(
  "ResourcesArgs",
  "CPU and memory of one program. The short form sets both sides, the long form each; a resource " +
    "given in both is refused. A resource that is not given keeps its default on both sides.",
  {
    cpu: arg(
      input(quantity).optional(),
      "CPU that is set aside and also the most it gets. For more than that while the node has it to " +
        "spare, give `requests.cpu` alone.",
      { example: '"500m"' },
    ),
    memory: arg(input(size).optional(), "Memory that is set aside and also the limit.", {
      example: '"2Gi"',
    }),
    requests: arg(quantities, "What the scheduler sets aside, by resource name.", {
      example: '{ cpu: "1" }',
    }),
    limits: arg(quantities, "What the program may use at most, by resource name.", {
      example: '{ cpu: "4" }',
    }),
  },
);

export const resourcesSchema = resourcesFields.prefault({});

/** What a program gets of which nobody says anything. */
export interface DefaultResources {
  readonly requests: { readonly cpu: string; readonly memory: string };
  readonly limits: { readonly memory: string };
}

/** The row of a program that has these defaults. */
export function resourcesArg(about: string, defaults: DefaultResources) {
  return arg(resourcesSchema, about, { default: defaultWords(defaults) });
}

export const defaultWords = ({ requests, limits }: DefaultResources) =>
  `requests of ${requests.cpu} CPU and ${requests.memory} memory, a limit of ${limits.memory} memory`;

export type ResourcesParsed = z.output<typeof resourcesSchema>;

/** Quantities by resource name. */
export type Quantities = Readonly<Record<string, Input<string>>>;

/** As a pod has it. */
export interface PodResources {
  readonly requests?: Quantities;
  readonly limits?: Quantities;
}

/** Of what a node hands out whole, as many are set aside as may be used. */
const isWhole = (name: string) => /^hugepages-|\//.test(name);

/** What a program gets. A resource that is given on either side takes nothing from the defaults. */
export function podResources(
  { cpu, memory, requests, limits }: ResourcesParsed,
  defaults: PodResources = {},
): PodResources {
  const both = compact({ cpu, memory });
  const given = { ...both, ...requests, ...limits };
  const side = (own: Quantities | undefined, fallback: Quantities = {}) => {
    const left = Object.entries(fallback).filter(([name]) => !Object.hasOwn(given, name));
    return ifAny(canonicalQuantities({ ...Object.fromEntries(left), ...both, ...own }));
  };
  const whole = Object.fromEntries(Object.entries(requests ?? {}).filter(([name]) => isWhole(name)));
  return compact({
    requests: side(requests, defaults.requests),
    limits: side({ ...whole, ...limits }, defaults.limits),
  });
}

/** What `resources`, which stands at `path`, says twice, or against itself. */
export function checkResources(
  path: readonly PropertyKey[],
  resources: Partial<ResourcesParsed> | undefined,
  fault: RaiseFault,
): void {
  const { requests = {}, limits = {} } = resources ?? {};
  for (const name of ["cpu", "memory"] as const) {
    if (resources?.[name] === undefined) continue;
    for (const [side, own] of Object.entries({ requests, limits })) {
      if (own[name] === undefined) continue;
      fault`${path}.${side}.${name}: is already set by ${name}, which stands for both sides; remove one of the two`;
    }
  }
  for (const [name, limit] of Object.entries(limits)) {
    const most = amount(limit);
    const least = amount(requests[name]);
    if (most === undefined || least === undefined) continue;
    if (isWhole(name) && most !== least)
      fault`${path}.limits.${name}: is not the ${known(requests[name])} of requests, and a node hands ${name} out whole; set it once`;
    else if (most < least) {
      fault`${path}.limits.${name}: ${known(limit)} is below the ${known(requests[name])} set aside by requests; raise it, or lower requests.${name}`;
    }
  }
}

/** A quantity's value, where it is known. */
export function amount(value: Input<string> | undefined): number | undefined {
  const text = known(value);
  return typeof text === "string" ? quantityValue(text) : undefined;
}

/** Of containers that only prepare the pod: little, but stated, so that a namespace's quota admits them. */
export const helperResources = {
  requests: { cpu: "10m", memory: "64Mi" },
  limits: { memory: "256Mi" },
} as const;
