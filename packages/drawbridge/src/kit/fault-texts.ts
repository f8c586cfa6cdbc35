/** The text of every fault, by its code. `{{name}}` is a parameter. */
import { valueTexts } from "./value-texts.ts";

export const texts = {
  ...valueTexts,
  "not-yaml": "{{message}}",
  "several-documents": "has several YAML documents; keep one",
  "unknown-anchor": "*{{name}} names no anchor above it; write &{{name}} before the value that it repeats",
  "endless-alias":
    "*{{name}} stands inside the value that &{{name}} names, which would never end; name a smaller part",
  "too-many-aliases":
    "holds more than {{most}} aliases or other signs *; repeat larger parts, or split the file",
  "too-deep": "is nested more than {{most}} levels deep; write it flatter",
  "too-many-values":
    "holds more than {{most}} values, each counted wherever an alias repeats it; repeat smaller parts, or split the file",
  "merge-key":
    "<< is not taken in a stack's file; write the keys out, or put what containers share into containerDefaults",
  "load-balancer-missing":
    'is missing; give loadBalancer: { preset: … }: say whose LoadBalancer it is, one of generic, aws-nlb, gke, aks, metallb; "generic" leaves it to the cluster, which in several clouds makes it public',
  "preset-missing":
    'is missing; say whose LoadBalancer it is, one of generic, aws-nlb, gke, aks, metallb; "generic" leaves it to the cluster, which in several clouds makes it public',
  "api-server-missing":
    'is missing; say where the API server is, the only thing that frps may reach: egress: { apiServer: [{ cidr: "192.0.2.10/32" }] } (kubectl get endpoints kubernetes). "0.0.0.0/0" opens ports 443 and 6443 of every address; an empty list is enough where containers names every one',
  "outputs-without-value": "Outputs without a value: {{paths}}; does the other stack export them?",
  "no-way-in": "gives no way in, so no login is possible; give gateway, frp or sshpod",
  "template-list-not-plain":
    "is not known yet, but entries must be added to it; write the list out, or give the whole podTemplate as one output",
  "template-without-container": "has no container into which sshd could be put",
  "template-other-container": '"{{name}}" is not among the containers of the template, which are {{names}}',
  "template-of-the-node": "would put sshd on the node itself; remove it",
  "template-name-taken": '"{{name}}" is the name of a part that sshd brings; rename the template\'s own',
  "template-post-start":
    "is taken: a container has one postStart hook, and it starts sshd; move the work of yours into the command or an init container",
  "template-of-root":
    "is root, and an injected sshd takes no login as root; give the container another user, or use a DevContainer with root: true",
  "template-other-user":
    "is {{uid}}, and user.uid is {{wanted}}: sshd runs as the container's user; give user.uid the same number",
  "gateway-without-team-pods":
    "reaches only pods of DevContainers, and this route leads elsewhere; the platform sets egress of the SshGateway: teamPods: true for pods, outsideHosts for hosts outside of the cluster. Or put sshd into the pod with InjectedSshd",
  "route-without-way":
    "gives no way in, so no login is possible; give gateway, frp, or podName for the way over the Kubernetes API",
  "pod-port-differs":
    "is reached over the Kubernetes API at {{port}}, and its sshd listens on {{targetPort}}; give the Service the port {{targetPort}}, or leave podName out",
  "sshpod-without-pod":
    "is missing: access.sshpod gives rights to one pod; give the pod's name, or give access.sshpod in TeamMembers, for every pod",
  "policy-without-labels":
    "is missing: a NetworkPolicy ({{networkPolicy}}) is for pods with certain labels; give those of the pods behind the Service",
  "host-key-sources":
    "needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)",
  "frp-server-missing":
    "has no server with which frpc registers; give the ref of a FrpServer (access: { frp: { server: frp.ref } }), or external with the values of an frps elsewhere",
  "frp-server-twice": "is beside server, and a container registers with one frps; remove one of the two",
  "frp-address-missing":
    "is missing, so clients have no address to connect to; set the FrpServer itself (access: { frp }), or address: the host name of an frps elsewhere",
  "frp-domain-missing": "is missing, so the container has no name; give it, or customDomain",
  "gateway-to-sleep-missing":
    "is missing; idle needs a gateway that has idle itself: give one, or set idle.enabled to false",
  "gateway-without-idle":
    "is missing: the gateway {{gateway}} does not put containers to sleep; give the SshGateway idle, or set idle.enabled to false",
  "patch-of-existing-home": "has nothing to change: home.claimName adopts a claim, which is never changed",
  "patch-of-existing-persist":
    "has nothing to change: persistVolume.claimName adopts a claim, which is never changed",
  "patch-of-nothing-persisted": "has nothing to change without persist",
  "patch-without-sshd": "has nothing to change without sshd",
  "patch-without-gateway": "has nothing to change without access.gateway",
  "patch-without-sshpod": "has nothing to change without access.sshpod",
  "engine-secret-files":
    "would be a volume that the kubelet writes as root of the node, which is unsafe where root inside may mount; give envValueFrom, or remove containersInside",
  "engine-trusted-ca":
    "would be a volume that the kubelet writes as root of the node, which is unsafe where root inside may mount; put the certificates into the image",
  "engine-token":
    "would be a volume that the kubelet writes as root of the node, which is unsafe where root inside may mount; remove it, or containersInside",
  "engine-volume":
    "would be a volume that the kubelet writes as root of the node, which is unsafe where root inside may mount; give emptyDir, persistentVolumeClaim or ephemeral",
  "write-without-action": "has no effect: browse.actions holds neither upload nor delete",
  "no-host-key": "has no key, so the host could not be verified",
  "no-way": "has no way in",
  "unknown-person": '"{{name}}" is not a name in people',
  "name-among-keys": '"{{name}}" is a name and no public key; name people in people, groups in groups',
  "person-of-platform": "is already one of the platform's people; choose another name",
  "name-taken": '"{{name}}" already belongs to {{owner}}; give one of the two another name or namespace',
  "domain-taken": '"{{name}}" already belongs to {{owner}}; give each gateway of a cluster its own domain',
  "identity-taken":
    '"{{name}}" is what the host key of {{owner}} is derived for, so both would have one private key; leave identity out, or begin it with the host\'s own <namespace>/<name>/',
  "namespace-taken": '"{{name}}" is the namespace of {{owner}} already; give each team one of its own',
  "seed-missing": 'is missing; set it once: pulumi config set --secret {{key}} "$(openssl rand -base64 32)"',
  "unknown-config-key": "is not a key of drawbridge",
  "platform-or-team": "needs exactly one of drawbridge:platform and drawbridge:team",
  "secret-in-plain-text":
    "is a secret in plain text; replace it by a new one, encrypted: pulumi config set --path --secret",
  "secrets-elsewhere":
    "holds secrets, and {{file}} does not say which; keep the configuration there as Pulumi reads it, each secret encrypted where it stands: pulumi config set --path --secret",
  "no-platform-outputs":
    'the stack "{{stack}}" has none of the outputs gateway, frp, storageProxy, teams and people; name a platform stack after its first pulumi up',
  "no-proxy-in-file": "has no proxy; give storageProxy, or platform with the name of a stack that has one",
  "no-frps-in-file": "has no frps; give frp, or platform with the name of a stack that has one",
  "no-way-in-file":
    "has no way in; give the team a gateway or members.sshpod, or this container access.gateway, access.frp or access.sshpod",
  "outside-host-unreached":
    "is out of the gateway's reach; add to egress.outsideHosts of the gateway: {{cidr}}, with port {{port}} among its ports",
  "no-such-storage": '"{{name}}" is not a storage of this file',
  "patch-closed": "cannot be set by a patch; open here: {{open}}",
  "pod-metadata-reserved": "is set by drawbridge; choose another key",
  "resource-set-by-short-form":
    "is already set by {{name}}, which stands for both sides; remove one of the two",
  "limit-below-request":
    "{{limit}} is below the {{request}} set aside by requests; raise it, or lower requests.{{name}}",
  "volume-name-reserved": "{{name}} is the container's own; choose another name",
  "name-twice": "{{name}} is given twice; give each its own name",
  "volume-holds-token":
    "gives out a token of the Kubernetes API; give it an audience of another service, or set serviceAccount.token",
  "container-name-reserved": "{{name}} is one of the pod's own containers; choose another name",
  "no-such-volume": "{{name}} is not a volume of this pod; volumes: {{volumes}}",
  "secret-in-env":
    "is a secret, and env is readable in the cluster; give it in secretEnv, or in plain (pulumi.unsecret) if it need not stay secret",
  "secret-in-the-open":
    "is a secret, and this argument ends in objects that are readable in the cluster; give it in plain (pulumi.unsecret) if it need not stay secret",
  "variable-given-twice": "is given in {{other}} too; remove one of the two",
  "account-annotations-without-create":
    "apply to an account that is created here; set create, or annotate the account where it is created",
  "ssh-image-missing": 'is missing; mode "{{mode}}" needs {{which}}',
  "ssh-image-unused": 'has no effect in mode "{{mode}}"; remove it, or choose mode injected or sidecar',
  "gateway-without-sshd": 'has no effect without sshd; remove it, or choose another ssh.mode than "none"',
  "startup-script-without-sshd": 'needs sshd, which starts it; choose another ssh.mode than "none"',
  "image-command-without-injected": 'applies to mode "injected" only, and the mode is "{{mode}}"; remove it',
  "image-command-and-command": "cannot be combined with command or args; remove them, or set it to false",
  "args-without-command": "needs a command: the image's own entry point is not started in mode injected",
  "command-replaces-sshd": "would replace the image's start of sshd; give args, which run beside it",
  "key-twice": "is the same key as authorizedKeys[{{first}}]; give each key once",
  "no-authorized-key": "has no key, so no login is possible; give at least one public key line",
  "host-key-missing":
    "is missing; give its seed (derived per container) or privateKey (your own ed25519 key)",
  "path-hides-home": "{{at}} would hide the home {{home}}; choose another path",
  "path-inside-home": "{{at}} is inside the home {{home}}, which is kept anyway; remove it",
  "path-meets-own": "{{at}} overlaps {{clash}}, which the container needs; choose another path",
  "path-meets-other": "{{at}} overlaps {{other}}, which is given too; choose separate paths",
  "class-of-existing-claim": "has no effect on the existing claim{{claim}}; remove one of the two",
  "claim-mounted-twice": "{{claim}} is mounted twice; mount each claim once",
  "memory-without-limit":
    "leaves memory without a limit, so one container could use all of its node's; give memory, which sets both, or limits.memory too",
  "resource-set-elsewhere": "is already set by {{argument}}; remove one of the two",
  "memory-too-small": "{{limit}} is less than 64Mi, too little for a session; give more",
  "shared-memory-too-large": "{{sharedMemory}} must be below the memory limit {{limit}}, which includes it",
  "warning-too-long":
    "{{stopWarningSeconds}} leaves less than 5 s of the {{terminationGracePeriodSeconds}} s in terminationGracePeriodSeconds; shorten it, or raise terminationGracePeriodSeconds",
  "port-name-twice": "{{name}} is given twice; give each port its own name",
  "port-name-reserved": "ssh is the name of sshd's own port; choose another name",
  "port-taken": "{{port}} is in use already; give each port once",
  "port-without-gateway": "needs a gateway; give access.gateway",
  "primary-twice": "is set on {{first}} already; set it on one port only",
  "sshpod-names-nobody": "is empty; give users, groups or both",
  "ingress-names-nobody": "matches no pod; give a namespace, podLabels or both",
  "identities-without-client-certificates":
    "needs a gateway that asks for client certificates (listeners.tls.clientCa there, or mutualTls: true in a plain reference); only a certificate proves an identity",
  "no-day": "has no day, so it never applies; give one, or leave days out for every day",
  "too-many-ports":
    "has {{count}} ports; a team's Service takes {{most}} besides sshd's, so give at most {{most}}",
  "too-many-ports-through-gateway":
    "has {{count}} ports that are reached through the gateway; a route takes {{most}} besides sshd's, so leave throughGateway to at most {{most}}",
  "identities-too-long":
    "makes a pattern of {{length}} characters for the route, and Istio takes at most {{most}}; give fewer or shorter identities",
  "no-port": "has no port; give the ports that these pods may reach",
  "no-ca-key": "has no key; give the public key of the certificate authority",
  "outside-domain": '"{{name}}" is outside the domain of frps; give a name that ends in ".{{domain}}"',
  "frp-ports-equal": "is {{connectPort}}, the same as serverPort; frpc and ssh clients need a port each",
  "frp-ca-missing":
    "is missing, so frpc could not verify frps; give the CA's PEM, or unverifiedTls: true for an frps without a certificate of its own",
  "frp-token-missing": "is missing; an frps of your own needs its auth.token here (at least 32 characters)",
  "frp-username-differs":
    '"{{username}}" is not the container\'s user "{{name}}", the only one that sshd admits; leave it out, or give the same name in user.name',
  "frp-without-sshd": 'needs sshd, and ssh.mode is "none"; choose another mode or leave frp out',
  "frp-token-not-derivable":
    "is missing and cannot be derived, since hostKey has no seed; give a token of at least 32 characters",
  "idle-time-within-warning":
    "{{time}} must be more than the {{warning}} s of stopWarningSeconds, in which a user can object",
  "silent-sessions-below-stop-after":
    "{{silentSessionSeconds}} is below stopAfterSeconds ({{stopAfterSeconds}}): an open session would keep the container awake for less time than a closed one",
  "schedule-is-empty": "{{until}} is also when it begins, so it covers no time; give another end",
  "schedule-fills-week":
    "covers the whole week together with the others in {{zone}}, so the container would never sleep; leave a gap, or set idle.enabled to false",
  "idle-ssh-mode":
    'needs ssh.mode "image" or "injected": with "{{mode}}" the activity of programs cannot be measured',
  "gpu-signal-without-source":
    "has no source, because the gateway's idle has no gpuMetrics; set them there, or leave this out",
  "gpu-signal-without-gpu": "has no effect without a GPU; give gpu, or leave this out",
  "cpu-signal-is-zero":
    '{{cpuAbove}} is always exceeded, so the container would never sleep; give more, like "100m"',
  "team-missing":
    "is missing; root needs a team that allows it, whose policies put pods into user namespaces: give the ref of a Team with root: {}, or in stack files let the platform set teams.<namespace>.root: {}",
  "root-not-allowed":
    "is false; root needs a team that allows it: let the platform make the Team with root: {}, or in stack files set teams.<namespace>.root: {}",
  "team-differs": "is {{other}}, but the container is in {{namespace}}; give its own",
  "engine-frp":
    "keeps its token in a volume that the kubelet writes, which is unsafe where root inside may mount; use the gateway",
  "engine-read-only":
    "cannot be enforced where root inside may mount: it could mount the volume again, writable; remove it, or mount this in a container without containersInside",
  "engine-needs-root": "needs root: true; set it, or remove containersInside",
  "engine-not-allowed":
    "is false; containersInside needs a namespace whose policies allow it: let the platform make the Team with root: { containersInside: true }, or in stack files set teams.<namespace>.root: { containersInside: true }",
  "engine-ssh-mode": '"{{mode}}" does not support containersInside; choose image or injected',
  "uid-of-system": "{{uid}} is below 1000, in the range of system users; give at least 1000",
  "uid-of-root": "0 is root; give at least 1000, or name: root with root: true",
  "gid-of-root": "0 is root's group; give at least 1",
  "root-user-without-root": "root needs root: true, which puts the pod into a user namespace",
  "root-needs-id-zero": "must be 0 for root",
  "root-shell": "is set by the image for root; remove it",
  "root-in-foreign-image":
    '{{name}} cannot become root in an image without sudo; with mode "injected" and root give name: root, uid: 0, gid: 0',
  "id-outside-user-namespace": "{{id}} is outside the pod's user namespace, whose ids are 0 to {{highest}}",
  "selector-empty-frp":
    'is empty and would select every Istio gateway; give the labels of its pods, like { istio: "ingressgateway" }',
  "limits-behind-gateway":
    "has no effect with connectTls: frps then sees only the gateway's address, and all clients would share one limit; remove one of the two",
  "unit-twice": "{{identity}} is given in containers[{{first}}] already; give each container once",
  "domain-reserved": '"{{domain}}" is reserved for {{owner}} already; a name has one owner',
  "idle-needs-admission-policy":
    "is needed by idle, because it restricts what the activator may write; remove one of the two",
  "idle-needs-api-server":
    'is needed by idle; say where the API server is: egress: { apiServer: [{ cidr: "192.0.2.10/32" }] } (kubectl get endpoints kubernetes)',
  "api-server-without-idle": "has no effect without idle, whose pods alone use it; remove one of the two",
  "no-listener": "has no listener, so no client can connect; give plain: { port: 80 } or tls: { … }",
  "listener-ports-equal": "{{port}} is also the plain listener's port; give each its own",
  "certificate-sources":
    "needs exactly one of secretName (a TLS Secret in the gateway's namespace), issuer (cert-manager's) and issuerCaSecretName (a CA's Secret there, for an issuer of its own)",
  "dns-names-with-secret": "has no effect with secretName, whose certificate is issued elsewhere; remove it",
  "dns-name-outside-domain":
    '"{{dnsName}}" is not below the domain; with a tls listener use a name like "ssh.{{domain}}"',
  "identities-without-client-ca":
    "needs listeners.tls.clientCa; only a client certificate proves an identity",
  "plain-listener-with-identities":
    "cannot be used with allowIdentities, because its clients have no certificate; remove one of the two",
  "replicas-with-autoscaling":
    "cannot be set with autoscaling, which decides the number; remove one of the two",
  "max-replicas-below-min": "{{maxReplicas}} is below minReplicas ({{minReplicas}}); raise it",
  "drain-longer-than-grace":
    "{{drainSeconds}} is longer than terminationGracePeriodSeconds ({{terminationGracePeriodSeconds}}), so sessions would be cut before the drain ends; leave terminationGracePeriodSeconds out or raise it",
  "unused-with-existing": "has no effect with existing, because that gateway is managed elsewhere; remove it",
  "selector-empty-gateway": "is empty and would select every gateway; give the labels of its pods",
  "tls-with-existing": "is not available with existing; give the gateway its own LoadBalancer for TLS",
  "copy-and-command":
    "has both copyFrom and a command; copy first, then run the command under another revision",
  "copy-from-other-namespace":
    'is "{{from}}", but a pod can mount volumes of its own namespace only; copy from a storage in "{{namespace}}"',
  "browse-lets-nobody-in":
    "has no credential, so every visitor would be refused; give credentials, jwt or both, or set enabled: false",
  "browse-locks-out":
    "ReadWriteOncePod admits a single pod, so browsing would keep every container from mounting the volume; use ReadWriteOnce or ReadWriteMany, or leave browse out",
  "user-twice": '"{{user}}" is given in credentials[{{first}}] already; give each user once',
  "action-twice": "names {{duplicate}} twice; name each once",
  "storage-in-other-namespace":
    'is "{{from}}", but a pod can mount volumes of its own namespace only; the container is in "{{namespace}}"',
  "storage-of-other-group":
    "is {{from}}, but the container's group is {{gid}}, so each start would change the group of every file; make user.gid and the storage's owner.gid the same",
  "storage-mounted-twice": '"{{name}}" is mounted twice; mount each storage once',
  "storages-on-two-nodes":
    'is "{{group}}", but "{{other}}" is in "{{otherGroup}}": their {{accessMode}} volumes may be mounted on two nodes, and a container runs on one; give both storages the same colocationGroup',
} as const;

/** Added to a message if no known name is near enough to be suggested. */
export const unguessed = {
  "unknown-key": "; known: {{known}}",
  "unknown-config-key": "; known: {{known}}",
  "no-such-storage": "; storages: {{storages}}",
  "unknown-person": "; give a name from people, where a person who left stays with keys: []",
} as const;

export type Code = keyof typeof texts;
