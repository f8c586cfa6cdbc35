/** Rows of the components whose programs run in a namespace of their own. */
import { arg, onByDefault } from "./arg.ts";
import { serviceName } from "./shapes.ts";

/** @param thing what has the name, as in "proxy" */
export const nameOfObjects = (thing: string) =>
  arg(serviceName.optional(), `Name of the ${thing}'s objects in Kubernetes.`, {
    effect: ["restart", "sessions", "opens", "closes"],
    default: "the component's logical name",
  });

export const createNamespace = onByDefault(
  'Whether to create that namespace, with Pod Security "restricted" enforced.',
  { effect: ["opens"] },
);
