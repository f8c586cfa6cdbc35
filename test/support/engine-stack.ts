/** A team's namespace in which containers may start containers inside, and the image with the programs for it. */
import { RootNamespace } from "@drawbridge-iac/drawbridge";
import { ensureImages, lineProgress, loadImage } from "@drawbridge-iac/lab";
import { ContainerStack, type Containers } from "./containers.ts";
import { testStack } from "./engine.ts";

const podNetwork = "10.244.0.0/16";

export interface EngineStack {
  readonly stack: ContainerStack;
  /** Path of the archive of a small image, as `docker load` takes it. */
  readonly baseArchive: string;
  close(): Promise<void>;
}

/** What a container needs that starts others. */
export const withEngine = (team: string) =>
  ({
    root: true,
    containersInside: true,
    rootNamespace: { namespace: team, containersInside: true },
    image: "drawbridge.local/containers:lab",
    resources: { requests: { cpu: "50m" }, memory: "1Gi" },
    persistVolume: { size: "2Gi" },
  }) as const;

/** The namespace is made by a platform's stack; the containers come with the first `up`. */
export async function engineStack(team: string, containers: Containers): Promise<EngineStack> {
  const images = await ensureImages(["containers", "busybox"], lineProgress());
  await loadImage(process.env.DRAWBRIDGE_LAB ?? "", images.containers.tar);
  const platform = await testStack(async () => {
    const args = { namespace: team, containersInside: true, egress: { allow: [podNetwork] } };
    return { ref: new RootNamespace("root", args).ref };
  });
  await platform.stack.up();
  const stack = await ContainerStack.create(team, team.replace("team", "gw"), { namespaceExists: true });
  await stack.up(containers);
  return {
    stack,
    baseArchive: images.busybox.tar,
    close: async () => {
      await stack.close();
      await platform.stack.destroy();
      await platform.removeState();
    },
  };
}
