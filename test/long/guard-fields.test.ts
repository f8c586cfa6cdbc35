/** Each trial of an argument does what is said of it; a container's, in test/engine/guard-fields.test.ts. */
import { it, vi } from "vitest";
import { doesWhatIsSaid, triedNames } from "../support/engine/trials.ts";

// The provider reads it where the program runs, and none of the objects is in the lab.
vi.stubEnv("KUBECONFIG", undefined);

it.each(triedNames.filter((name) => name !== "DevContainer"))("that of a %s", doesWhatIsSaid);
