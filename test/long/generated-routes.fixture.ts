/** Routes as the components make them, of random arguments that are the same in every run. */
import fc from "fast-check";
import type { ApiObject } from "../support/attacks/api-user.ts";
import { named, type Place } from "../support/attacks/attack.ts";
import { container, containerObjects, routeToService, toService } from "../support/attacks/made.ts";

const seed = 37;

/** @param prefix begins their names */
export function generatedRoutes(place: Place, count: number, prefix: string): ApiObject[] {
  const of = <T>(args: fc.Arbitrary<T>, make: (one: T) => ApiObject[]) =>
    fc.sample(args, { seed, numRuns: count / 2 }).map((one) => make(one)[0] as ApiObject);
  return [
    ...of(container, (one) => containerObjects(place, one)),
    ...of(toService, (one) => routeToService(place, one)),
  ].map((route, index) => named(route, `${prefix}-${index}`));
}
