/** Each trial of an argument does what is said of it. */
import { it, vi } from "vitest";
import { doesWhatIsSaid, triedNames } from "../support/engine/trials.ts";

// The provider reads it where the program runs, and none of the objects is in the lab.
vi.stubEnv("KUBECONFIG", undefined);

it.each(triedNames)("that of a %s", (name) => doesWhatIsSaid(name));
