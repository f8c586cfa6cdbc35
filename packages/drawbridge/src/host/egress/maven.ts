/** What Maven needs, which heeds no variable for a proxy: global settings, with the token from the environment. */
import { text, whenAllKnown } from "../../kit/input.ts";
import { internalName } from "../../kubernetes/names.ts";
import { egressPorts } from "./contract.ts";
import type { EgressPlan } from "./plan.ts";
import { tokenVariable } from "./token.ts";

export function mavenSettings({ user, gateway, except }: EgressPlan) {
  const password = `\${env.${tokenVariable}}`;
  // Maven's own form of NO_PROXY.
  const direct = whenAllKnown(except, (all) => all.map((host) => host.replace(/^\./, "*.")).join("|"));
  return text`<settings>
  <proxies>
    <proxy>
      <host>${internalName(gateway.name, gateway.namespace)}</host>
      <port>${egressPorts.proxy}</port>
      <username>${user}</username>
      <password>${password}</password>
      <nonProxyHosts>${direct}</nonProxyHosts>
    </proxy>
  </proxies>
  <mirrors>
    <!-- Of the settings in whose place these are. -->
    <mirror>
      <id>maven-default-http-blocker</id>
      <mirrorOf>external:http:*</mirrorOf>
      <url>http://0.0.0.0/</url>
      <blocked>true</blocked>
    </mirror>
  </mirrors>
</settings>
`;
}
