/** Networks by what they are, for NetworkPolicies and for the policies that judge those. */

/**
 * Networks that are never the internet: the cluster's own (pods, Services, nodes, the API server), the cloud's
 * metadata address and whatever else is private.
 */
export const privateNetworks = {
  ipv4: [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
  ],
  ipv6: ["::1/128", "64:ff9b::/96", "fc00::/7", "fe80::/10"],
} as const;

/** NodeLocal DNSCache listens at this address of each node. */
export const nodeLocalDns = "169.254.20.10/32";
