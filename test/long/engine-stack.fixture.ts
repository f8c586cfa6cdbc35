/** A team's namespace in which containers may start containers inside, and the image with the programs for it. */
import { Team } from "@drawbridge-iac/drawbridge";
import { ensureImages, lineProgress, loadImage } from "@drawbridge-iac/lab";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { apply, getObject, kubectl } from "../../scripts/lib/lab/lab.ts";
import { podNetwork } from "../support/lab/cluster.ts";
import { ContainerStack, type Containers } from "../support/stacks/containers.ts";
import { reachedByAll } from "./reached-by-all.fixture.ts";

export interface EngineStack {
  readonly stack: ContainerStack;
  /** Address and port of a registry in the same namespace. */
  readonly registry: string;
  /** Path of the archive of a small image, as `docker load` takes it. */
  readonly baseArchive: string;
  close(): Promise<void>;
}

/** The arguments of a container that starts others. */
export const withEngine = (team: string) =>
  ({
    root: true,
    containersInside: true,
    team: { namespace: team, root: true, containersInside: true },
    image: "drawbridge.local/containers:lab",
    resources: { requests: { cpu: "50m" }, memory: "1Gi" },
    persist: { size: "2Gi" },
  }) as const;

/** Loads into the lab the images that no other test needs. */
export async function loadEngineImages(): Promise<
  Readonly<Record<"containers" | "registry" | "busybox", { readonly ref: string; readonly tar: string }>>
> {
  const images = await ensureImages(["containers", "registry", "busybox"], lineProgress());
  for (const name of ["containers", "registry"] as const)
    await loadImage(process.env.DRAWBRIDGE_LAB ?? "", images[name].tar);
  return images;
}

/** The namespace is made by a platform's stack; the containers come with the first `up`. */
export async function engineStack(team: string, containers: Containers): Promise<EngineStack> {
  const images = await loadEngineImages();
  const platform = await testStack(async () => {
    const args = { root: { containersInside: true }, allowedPrivateNetworks: [podNetwork] };
    return { ref: new Team(team, args).ref };
  });
  await platform.stack.up();
  const stack = await ContainerStack.create(team, team.replace("team", "gw"), { namespaceExists: true });
  await stack.up(containers);
  return {
    stack,
    registry: await startRegistry(team, images.registry.ref),
    baseArchive: images.busybox.tar,
    close: async () => {
      await stack.close();
      await platform.stack.destroy();
      await platform.removeState();
    },
  };
}

async function startRegistry(namespace: string, image: string): Promise<string> {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "registry", namespace, labels: { app: "registry" } },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      volumes: [{ name: "data", emptyDir: {} }],
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        fsGroup: 1000,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          name: "registry",
          image,
          imagePullPolicy: "Never",
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
          volumeMounts: [{ name: "data", mountPath: "/data" }],
        },
      ],
    },
  };
  await apply(reachedByAll("registry", namespace, { app: "registry" }), pod);
  await kubectl(["-n", namespace, "wait", "--for=condition=Ready", "pod/registry", "--timeout=120s"]);
  const { status } = await getObject<{ status: { podIP: string } }>(["-n", namespace, "pod", "registry"]);
  return `${status.podIP}:5000`;
}
