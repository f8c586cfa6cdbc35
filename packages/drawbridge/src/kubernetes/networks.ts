/** Networks by kind, for NetworkPolicies, the admission policies that judge those, and hosts outside the cluster. */

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
    // Where Azure and Oracle's cloud answer their machines.
    "168.63.129.16/32",
    "192.0.0.192/32",
    // In this order: benchmarks and some VPNs, multicast, reserved.
    "198.18.0.0/15",
    "224.0.0.0/4",
    "240.0.0.0/4",
  ],
  // 64:ff9b::, 64:ff9b:1:: and 2002:: hold IPv4 addresses, private ones too.
  ipv6: ["::1/128", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "fc00::/7", "fe80::/10", "ff00::/8"],
} as const;

/** Networks in which no host outside the cluster can be, by what they are for. */
export const networksWithoutHosts = {
  loopback: ["127.0.0.0/8", "::1/128"],
  "link-local": ["169.254.0.0/16", "fe80::/10"],
  multicast: ["224.0.0.0/4", "ff00::/8"],
  "unspecified or reserved": ["0.0.0.0/8", "240.0.0.0/4", "::/128"],
  "where a cloud hands out credentials": [
    "100.100.100.200/32",
    "168.63.129.16/32",
    "192.0.0.192/32",
    "fd00:ec2::254/128",
    "fd20:ce::254/128",
  ],
  // These can hold any IPv4 address above.
  "IPv4 in IPv6": ["::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"],
} as const;

/** NodeLocal DNSCache listens at this address of each node. */
export const nodeLocalDns = "169.254.20.10/32";
