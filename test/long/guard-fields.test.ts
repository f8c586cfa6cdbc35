/** Each edit of a field of a stack file does what is said of it; a container's, in test/engine/guard-fields.test.ts. */
import { it, vi } from "vitest";
import { doesWhatIsSaid, kinds } from "../../scripts/lib/field-edits/stack-fields.ts";

// The provider reads it where the program runs, and none of the objects is in the lab.
vi.stubEnv("KUBECONFIG", undefined);

const { container: _, ...others } = kinds;

it.each(Object.entries(others))("that of a %s", (_name, kind) => doesWhatIsSaid(kind));
