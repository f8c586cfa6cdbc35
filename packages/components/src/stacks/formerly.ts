/** Components take over what these stacks made one by one before there were components for it. */
import * as pulumi from "@pulumi/pulumi";

/** Options of a component whose children stood alone, in the stack itself, under the names that `formerName` gives. */
export function formerlyAlone(
  formerName: (child: string) => string = (child) => child,
): pulumi.ComponentResourceOptions {
  const transformation: pulumi.ResourceTransformation = ({ resource, name, props, opts }) => {
    if (pulumi.ComponentResource.isInstance(resource)) return undefined;
    const former = { name: formerName(name), parent: pulumi.rootStackResource };
    return { props, opts: pulumi.mergeOptions(opts, { aliases: [former] }) };
  };
  return { transformations: [transformation] };
}
