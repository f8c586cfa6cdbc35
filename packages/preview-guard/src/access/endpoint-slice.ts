/** EndpointSlices: the addresses to which a Service without a selector leads. */
import { type IpRange, networkOf, overlap, parseCidr } from "@drawbridge-iac/manifests";
import { at } from "../finding.ts";
import { type Inputs, isOf, listAt, mapAt, type ObjectPair } from "../objects.ts";
import type { AccessContext } from "./context.ts";
import { crosses, type Effect, gains, loses, setEffects } from "./effect.ts";
import { unknownKeys } from "./placeholder.ts";

const serviceLabel = "kubernetes.io/service-name";
const serviceOf = (inputs: Inputs | undefined) => at(inputs, "metadata", "labels", serviceLabel);

export function sliceUnknownFields(inputs: Inputs): string[] {
  const fields = ["apiVersion", "kind", "metadata", "addressType", "endpoints", "ports"];
  const ofEndpoint = ["addresses", "conditions", "hints", "hostname", "nodeName", "targetRef", "zone"];
  return [
    ...unknownKeys(inputs, fields, "the EndpointSlice"),
    ...listAt(inputs, "endpoints").flatMap((one) => unknownKeys(one, ofEndpoint, "endpoints")),
    ...listAt(inputs, "ports").flatMap((one) =>
      unknownKeys(one, ["name", "port", "protocol", "appProtocol"], "ports"),
    ),
  ];
}

export function sliceDeciding(inputs: Inputs): Record<string, unknown> {
  return { endpoints: inputs.endpoints, ports: inputs.ports, service: serviceOf(inputs) };
}

export function sliceEffects({ before, after }: ObjectPair, { bounds }: AccessContext): Effect[] {
  const isNamed = ({ address }: Way) => bounds.networks.some((network) => isWithin(address, network));
  const [was, is] = [waysOf(before), waysOf(after)];
  const named = is.filter(isNamed).map(({ text }) => text);
  return setEffects(
    was.map(({ text }) => text),
    is.map(({ text }) => text),
    (text) => (named.includes(text) ? gains(text) : crosses("route-wall", text)),
    (text) => loses(`no longer: ${text}`),
  );
}

interface Way {
  readonly address: string;
  readonly text: string;
}

function waysOf(inputs: Inputs | undefined): Way[] {
  const addresses = listAt(inputs, "endpoints").flatMap((one) => listAt(one, "addresses").map(String));
  return listAt(inputs, "ports").flatMap((port) =>
    addresses.map((address) => {
      const { protocol = "TCP", port: number } = mapAt(port);
      return { address, text: `Service ${serviceOf(inputs)} leads to ${address} at ${protocol} ${number}` };
    }),
  );
}

/** Whether a network contains an address. */
function isWithin(address: string, network: IpRange): boolean {
  const range = parseCidr(networkOf(address));
  return range !== undefined && overlap(range, network) !== undefined;
}

/** Whether the same program has the EndpointSlice of a team's Service, so that the slice is judged. */
export function hasOwnSlice(service: ObjectPair, { pairs }: AccessContext): boolean {
  return (
    isOf(service, "Team") &&
    pairs.some(
      (one) =>
        one.groupKind === "discovery.k8s.io/EndpointSlice" &&
        isOf(one, "Team") &&
        one.namespace === service.namespace &&
        serviceOf(one.after) === service.name,
    )
  );
}
