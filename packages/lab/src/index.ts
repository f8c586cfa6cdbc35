/** The lab as a library: what the command `drawbridge-lab` does, for tests and the demo. */
export { cacheDir, cached, lock } from "./cache.ts";
export { execInLab, loadImage } from "./cluster/exec.ts";
export { down, instanceNames, type LabStatus, type NodeStatus, status } from "./cluster/instance.ts";
export { layoutOf as labLayout, stateDir } from "./cluster/layout.ts";
export { freezeNode, startNode, stopNode, thawNode } from "./cluster/nodes/life.ts";
export { podImages, prepare } from "./cluster/prepare.ts";
export { type Lab, type UpOptions, up } from "./cluster/up.ts";
export { upgrade } from "./cluster/upgrade.ts";
export { ensureImages, imageRef } from "./images/index.ts";
export { preflight } from "./preflight.ts";
export { duration, lineProgress, type Progress, silentProgress } from "./progress.ts";
export {
  ensureDebianPackages,
  ensurePython,
  ensureTools,
  goCommand,
  missingCompilers,
  missingFamilies,
  toolVersions,
} from "./tools/index.ts";
export { fingerprint } from "./tools/module-files.ts";
