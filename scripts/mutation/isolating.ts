const manifests = "packages/manifests/src";
/** The code that keeps teams apart. What the preview guard says of them is tested by changes of its own (test/engine/guard-*). */
export const isolating = [
  `${manifests}/common/{admission,client-limits,labels,network-policy,networks}.ts`,
  `${manifests}/common/{own-namespace,rbac,security}.ts`,
  `${manifests}/container/network-policy.ts`,
  `${manifests}/sshd/{authorized-keys-config-map,sshd-config,scripts}.ts`,
  `${manifests}/frpc/{alone,egress,grant}.ts`,
  `${manifests}/frp/{frps-toml,network-policy,units}.ts`,
  `${manifests}/gateway/{admission-policy,idle-policies,network-policy,rbac}.ts`,
  `${manifests}/host/{network-policy,sshpod}.ts`,
  `${manifests}/istio/{client-limits,connect-filter,filter,foreign-gateways,frp,listeners}.ts`,
  `${manifests}/istio/{route,shape,ssh-route,storage-route,team-policies}.ts`,
  `${manifests}/ssh/checked-line.ts`,
  `${manifests}/sshpod/role.ts`,
  `${manifests}/storage/{credentials,dufs,network-policy,route,token-check-config}.ts`,
  `${manifests}/storage-proxy/{admission-policy,gateway,network-policy}.ts`,
  `${manifests}/storage-proxy/{router-config,router-manager,router-target,visitor-filter}.ts`,
  `${manifests}/team/{address-policies,deployer-role,egress-policy,namespace,outside-hosts,policies}.ts`,
  "packages/cli/src/sshpod/{identity,scripts}.ts",
  "packages/cli/src/terminal.ts",
  "packages/programs/src/frp-authorizer/{authorize,grants,identity,limits,protocol,proxy-rules,units-file}.ts",
];
