/** Programs that the real engine previews, with no cluster reachable. */
import type { EngineEvent, PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll } from "vitest";
import { noCluster, testStack } from "../../scripts/lib/engine/engine.ts";

export interface Planned {
  readonly name: string;
  readonly type: string;
  readonly inputs: unknown;
  /** Its last part. */
  readonly parent: string;
}

/** A stack for all tests of a file: what a preview of each program would make, by name in order, and what Pulumi says. */
export function previews() {
  const opened = {} as Awaited<ReturnType<typeof testStack>>;
  beforeAll(async () => {
    Object.assign(opened, await testStack(async () => ({}), { env: noCluster }));
  });
  afterAll(() => opened.removeState());

  async function previewed(program: PulumiFn) {
    opened.setProgram(program);
    const steps: Planned[] = [];
    const said: string[] = [];
    const warnings: string[] = [];
    const output: string[] = [];
    const last = (urn: string) => urn.split("::").at(-1) ?? "";
    const onEvent = ({ resourcePreEvent, diagnosticEvent }: EngineEvent) => {
      const state = resourcePreEvent?.metadata.new as (Planned & { urn: string }) | undefined;
      if (state && !state.type.startsWith("pulumi:"))
        steps.push({ ...state, name: last(state.urn), parent: last(state.parent) });
      if (diagnosticEvent?.severity === "error") said.push(diagnosticEvent.message);
      if (diagnosticEvent?.severity === "warning" && diagnosticEvent.urn)
        warnings.push(diagnosticEvent.message);
    };
    const failed = await opened.stack
      .preview({ onEvent, onOutput: (text) => output.push(text), diff: true })
      .then(() => false)
      .catch(() => true);
    steps.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { steps, names: steps.map(({ name }) => name), said, warnings, failed, output: output.join("") };
  }
  return { opened, previewed };
}
