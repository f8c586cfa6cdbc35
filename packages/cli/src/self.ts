import { isExecutable } from "./embedded.ts";

/** How ssh is to start this very program: by full paths, since editors start ssh with another PATH than shells. */
export function selfCommand(argv: readonly string[] = process.argv): string[] {
  const [node, script] = isExecutable() ? [process.execPath] : argv;
  return [node, script].filter((word) => word !== undefined).map((word) => word.replaceAll("\\", "/"));
}

/** The operating system as client texts name it. */
export function thisOs(platform: NodeJS.Platform = process.platform) {
  return platform === "win32" ? "windows" : platform === "darwin" ? "macos" : "linux";
}
