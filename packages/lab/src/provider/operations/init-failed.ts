import type { ValueMap } from "../values/property.ts";

/** The object is there, but did not become what it was waited for: the engine keeps it in the state and tries again. */
export class InitFailedError extends Error {
  readonly id: string;
  readonly outputs: ValueMap;

  constructor(message: string, id: string, outputs: ValueMap) {
    super(message);
    this.name = "InitFailedError";
    this.id = id;
    this.outputs = outputs;
  }
}
