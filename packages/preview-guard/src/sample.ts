/** Changes for tests, each field with a default, so that a test names only what it is about. */
import type { Change } from "./preview.ts";

export function change(kind: string, name: string, fields: Partial<Change> & { of?: string } = {}): Change {
  const { of, ...rest } = fields;
  const type = `kubernetes:core/v1:${kind}`;
  return {
    op: "update",
    urn: `urn:pulumi:stack::project::${type}::${name}`,
    type,
    name,
    component:
      of === undefined
        ? undefined
        : { type: `drawbridge:index:${of.split(" ")[0]}`, name: of.split(" ")[1] ?? "" },
    isOwnerNew: false,
    before: {},
    after: {},
    retained: false,
    differing: [],
    ...rest,
  };
}
