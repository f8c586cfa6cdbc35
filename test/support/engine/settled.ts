/** Whether a stack has settled, and what is left in a cluster when it is gone. */
import type { EngineEvent, Stack } from "@pulumi/pulumi/automation/index.js";

type Kubectl = (args: readonly string[]) => Promise<string>;

/** The resources that an operation changes, as `<operation> <URN> <properties>`; none where all has settled. */
export async function changes(stack: Stack, operation: "preview" | "refresh"): Promise<string[]> {
  const found = new Set<string>();
  const onEvent = ({ resourcePreEvent, resOutputsEvent }: EngineEvent) => {
    // A refresh knows only afterwards what has changed.
    const step = (resOutputsEvent ?? resourcePreEvent)?.metadata;
    // The outputs of another stack are read each time.
    if (step === undefined || ["same", "refresh", "read"].includes(step.op)) return;
    found.add(`${step.op} ${step.urn} ${Object.keys(step.detailedDiff ?? {}).join(" ")}`);
  };
  await (operation === "preview" ? stack.preview({ onEvent }) : stack.refresh({ onEvent }));
  return [...found];
}

/** All kinds of objects, but those that the cluster writes all the time. */
export async function everyKind(kubectl: Kubectl): Promise<string> {
  const kinds = await kubectl(["api-resources", "--verbs=list,create", "--output=name"]);
  return kinds
    .split("\n")
    .filter((kind) => kind !== "" && !/^(events|leases)\b/.test(kind))
    .join(",");
}

/** Objects as `<kind> <namespace>/<name>`, sorted. @param where such as `--all-namespaces` */
export async function objects(kubectl: Kubectl, kinds: string, ...where: string[]): Promise<string[]> {
  const each = '{range .items[*]}{.kind} {.metadata.namespace}/{.metadata.name}{"\\n"}{end}';
  const found = await kubectl(["get", kinds, ...where, `--output=jsonpath=${each}`]);
  return found.split("\n").filter(Boolean).sort();
}
