/** The containers that one gateway leads to: how many, and in whose namespaces. */
import { apply } from "../../../scripts/lib/lab/lab.ts";
import type { Removal } from "../cleanup.ts";
import { removeNamespaces } from "../support/stack.ts";
import { teamNamespace } from "../support/teams.ts";

export interface Container {
  readonly name: string;
  readonly namespace: string;
}

/** Where the echoing server is. */
export const team = "bench-reach";
export const sizes = [10, 100, 1000];
/** Where the original design, which took 2.4 s for each change at 1000, is left out. */
export const fullSize = 5000;
/** Containers that are added to as many as there are. */
export const changes = 5;
/** Sessions that are held in the smallest size, one per container. */
export const held = 10;
const teams = 100;

const crowds = Array.from({ length: teams }, (_, index) => `${team}-${index}`);
/** Where containers are. */
export const namespaces = [team, ...crowds];

/** Containers that are knocked at are where the server is; the crowd around them is spread over teams. */
function isKnockedAt(index: number): boolean {
  return index < held || [...sizes, fullSize].some((size) => index >= size - 1 && index < size + changes);
}

export function containerAt(index: number): Container {
  return { name: `c${index}`, namespace: isKnockedAt(index) ? team : `${team}-${index % teams}` };
}

export function containers(from: number, to: number): Container[] {
  return Array.from({ length: to - from }, (_, step) => containerAt(from + step));
}

/** Makes the namespaces of the crowd. */
export async function makeTeams(later: (removal: Removal) => void): Promise<void> {
  const items = crowds.map(teamNamespace);
  later(() => removeNamespaces(crowds));
  await apply(...items);
}
