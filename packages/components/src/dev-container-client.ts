import * as m from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { output } from "./inputs.ts";

/** What clients need to log in through the gateway. */
export function clientText(plan: m.DevContainerPlan) {
  const { gateway } = plan;
  if (gateway?.plainPort === undefined || !plan.hasSshd) {
    const reason = plan.hasSshd ? "no gateway with a plain listener" : "no sshd";
    const none = `# ${plan.name} has ${reason}, so there is no way in through a gateway\n`;
    return { sshConfig: pulumi.output(none), sshCommand: pulumi.output(none) };
  }
  const hostName = plan.hostNames[0] ?? plan.name;
  const port = gateway.plainPort;
  const address = output(gateway.address ?? `<address of the gateway ${gateway.namespace}/${gateway.name}>`);
  return {
    sshConfig: address.apply((host) =>
      m.sshConfigBlock({
        alias: plan.name,
        hostName,
        port: plan.sshd.port,
        user: plan.user.name,
        proxyCommand: m.connectProxyCommand("proxytunnel", { address: host, port }),
      }),
    ),
    sshCommand: address.apply(
      (host) =>
        `ssh -o ProxyCommand='${m.connectProxyCommand("nc", { address: host, port })}' -p ${plan.sshd.port} ${plan.user.name}@${hostName}`,
    ),
  };
}
