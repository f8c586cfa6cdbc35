import type { DevContainerPlan } from "./plan.ts";

/**
 * A hook that tells every open terminal that the container is about to stop, and leaves it the warning time. It
 * ends at once when nobody has a terminal open.
 * @param shell the program that runs the hook, as it is found in that container
 */
export function terminalWarning(plan: DevContainerPlan, shell: readonly string[]) {
  const { warningSeconds } = plan.stop;
  if (warningSeconds === 0) return {};
  return { lifecycle: { preStop: { exec: { command: [...shell, "-c", warningScript(warningSeconds)] } } } };
}

const warningScript = (seconds: number) => `open=
for terminal in /dev/pts/[0-9]*; do
  [ -w "$terminal" ] || continue
  open=yes
  printf '\\r\\n\\a*** %s stops in ${seconds} s: it is being moved, changed or removed. Its home is kept. ***\\r\\n' "$HOSTNAME" >"$terminal"
done
[ -z "$open" ] || sleep ${seconds}
`;
