/** `kubectl port-forward`, which stands as long as the scenario runs. */
import { spawn } from "node:child_process";
import type { Removal } from "../cleanup.ts";

/** Starts it, and starts it again when it ends: a connection that breaks may take it along. */
export function startPortForward(
  later: (removal: Removal) => void,
  namespace: string,
  pod: string,
  port: number,
): void {
  let wanted = true;
  let child: ReturnType<typeof spawn> | undefined;
  const start = () => {
    if (!wanted) return;
    const args = ["-n", namespace, "port-forward", `pod/${pod}`, `${port}:22`];
    child = spawn("kubectl", args, { stdio: "ignore" }).once("close", () => setTimeout(start, 100));
  };
  start();
  later(async () => {
    wanted = false;
    child?.kill();
  });
}
