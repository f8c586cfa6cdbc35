const manifests = "packages/manifests/src";
/** The code that keeps teams apart. What the preview guard says of them is tested by changes of its own (test/engine/guard-*). */
export const isolating = [
  `${manifests}/common/{admission,client-limits,gateway-admission,labels,network-policy,networks}.ts`,
  `${manifests}/common/{own-namespace,rbac,route-admission,security}.ts`,
  `${manifests}/container/network-policy.ts`,
  `${manifests}/sshd/{authorized-keys,config,scripts}.ts`,
  `${manifests}/frpc/{alone,egress,grant}.ts`,
  `${manifests}/frp/{frps-toml,istio-gateway,network-policy,route,units}.ts`,
  `${manifests}/gateway/{admission-policy,authorization-policy,envoy-filter,idle-policies,istio-gateway,limits,network-policy,rbac,route-match}.ts`,
  `${manifests}/host/{network-policy,route,sshpod}.ts`,
  `${manifests}/ssh/checked-line.ts`,
  `${manifests}/sshpod/role.ts`,
  `${manifests}/storage/{credentials,dufs,network-policy,route,token-check-config}.ts`,
  `${manifests}/storage-proxy/{admission-policy,istio-gateway,istio-routes,istio-settings,network-policy}.ts`,
  `${manifests}/storage-proxy/{router-config,router-manager,router-target,visitor-filter}.ts`,
  `${manifests}/team/{address-policies,deployer-role,egress-policy,istio-policies,namespace,outside-hosts,policies}.ts`,
  "packages/cli/src/sshpod/{identity,scripts}.ts",
  "packages/cli/src/terminal.ts",
  "packages/programs/src/frp-authorizer/{authorize,grants,identity,limits,protocol,proxy-rules,units-file}.ts",
];
