/** Where the guard speaks although no access grows in the model: the argument or rule of a component, and why that is right. */
const spoken: readonly (readonly [saying: RegExp, why: string])[] = [
  [/^DevContainer gains patches\./, "what a patch does is not looked into"],
  [/^DevContainer gains (home|persist)\.claimName$/, "back to a claim of its own, which may have data"],
  [
    /^DevContainer gains (pod\.sidecars|pod\.initContainers|pod\.volumes|mounts|envFrom|envValueFrom)$/,
    "the same under another name, or read-only",
  ],
  [/^(DevContainer|InjectedSshd) gains the key /, "a key with other limits: they may be wider"],
  [/ gains access\.frp\.external\.serverPort$/, "another port of the same frps"],
  [/ gateway-opened loadBalancer\.(preset|scope|annotations)$/, "what keeps an address private is a cloud's"],
  [
    /^FrpServer gateway-opened loadBalancer\.sourceRanges$/,
    "people come by a gateway of its own, not by this address",
  ],
  [/ cluster-rights the image \S+ of its pods is/, "an image with rights that all share"],
  [/ pod-privileges pod.annotations$/, "an annotation under a prefix that is not known to be harmless"],
  [
    /^(SshGateway|FrpServer|StorageProxy|EgressGateway) wall-removed (name|namespace|domain)$/,
    "all of it is made anew elsewhere",
  ],
  [
    /^DevContainer secret-taken hostKey\.identity is old\/name, which no host /,
    "the key of a host that is not in sight",
  ],
  [/^SshRoute gains targetPort$/, "another port of the same pods"],
  [/^(SshRoute|InjectedSshd) network-wall name(space)?$/, "its NetworkPolicy is made anew elsewhere"],
  [/^FrpServer gains tls(\.secretName)?$/, "another certificate, which the platform holds too"],
  [/^FrpServer gains containers\./, "a container that is revoked"],
  [
    /^(DevContainer|InjectedSshd|SshRoute) (gains|cluster-rights) access\.gateway\.idle\./,
    "accounts that stop what sleeps, and it does not sleep",
  ],
  [/^FrpServer gains (connectPort|serverPort)$/, "a port behind a gateway of its own, or inside the cluster"],
  [/^Team wall-removed (limits|quota|etcdSize)\b/, "more of what all share"],
  [/^Team gains (deployers|idle)$/, "rights of deployers, where there are none"],
  [
    /^StorageAccessor (gains|write-credential|foreign-ca|network-wall) /,
    "visitors of a file server that is switched off",
  ],
  [/ (gains|route-wall|network-wall|cluster-rights) access\.frp\./, "a way through frp that is switched off"],
  [/ (gains|cluster-rights) namespace$/, "a namespace where this stack had nothing"],
  [/^Team network-wall namespace$/, "another namespace is another team's"],
  [/^TeamPolicies gains name$/, "the policies are made anew"],
  [
    / (volume-(lost|left-behind|shrunk)|host-key-lost|ssh-listener-changed|load-balancer-replaced|image-not-pinned)\b/,
    "about data, sessions and addresses",
  ],
];

export const isKnown = (saying: string) => spoken.some(([known]) => known.test(saying));
