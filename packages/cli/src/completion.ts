/** Completion scripts for shells: the commands, and the names of containers where one is asked for. */
import { CliError, ExitCode } from "./cli-error.ts";

/** Commands whose first argument is a container's name. */
const named = ["connect", "doctor"];

const scripts: Readonly<Record<string, (commands: string) => string>> = {
  bash: (commands) => `_drawbridge() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  case \${COMP_WORDS[1]}:$COMP_CWORD in
    *:1) COMPREPLY=($(compgen -W "${commands}" -- "$word")) ;;
    ${named.map((command) => `${command}:2`).join("|")}) COMPREPLY=($(compgen -W "$(drawbridge list --names 2>/dev/null)" -- "$word")) ;;
  esac
}
complete -F _drawbridge drawbridge
`,
  zsh: (commands) => `#compdef drawbridge
_drawbridge() {
  case $CURRENT:\${words[2]} in
    2:*) compadd ${commands} ;;
    ${named.map((command) => `3:${command}`).join("|")}) compadd $(drawbridge list --names 2>/dev/null) ;;
  esac
}
compdef _drawbridge drawbridge
`,
  fish: (commands) => `complete -c drawbridge -f
complete -c drawbridge -n __fish_use_subcommand -a "${commands}"
complete -c drawbridge -n "__fish_seen_subcommand_from ${named.join(" ")}" -a "(drawbridge list --names 2>/dev/null)"
`,
};

export function completion(shell: string, commands: readonly string[]): string {
  const script = scripts[shell];
  if (script !== undefined) return script(commands.join(" "));
  throw new CliError(
    `there is no completion for ${JSON.stringify(shell)}; choose one of ${Object.keys(scripts).join(", ")}`,
    ExitCode.usage,
  );
}
