/** Each edit of a field of a stack file does what is said of it; a container's, in test/engine/guard-fields.test.ts. */
import { it } from "vitest";
import { doesWhatIsSaid, kinds } from "../support/field-edits/stack-fields.ts";

const { container: _, ...others } = kinds;

it.each(Object.entries(others))("that of a %s", (_name, kind) => doesWhatIsSaid(kind));
