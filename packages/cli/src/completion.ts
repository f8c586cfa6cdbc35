/** Completion scripts for shells: the commands, their options, and the names of containers where one is asked for. */
import { CliError, ExitCode } from "./faults.ts";

/** A command with what can follow it. */
interface Completed {
  readonly name: string;
  /** `--json` and the like. */
  readonly options: readonly string[];
}

/** Commands whose first argument is a container's name. */
const named = ["connect", "doctor", "hold", "open", "sleep", "wake"];
/** The one option whose value is such a name. */
const namedOption = { command: "list", option: "--denied" };

const names = "drawbridge list --names 2>/dev/null";

const scripts: Readonly<Record<string, (commands: readonly Completed[]) => string>> = {
  bash: (commands) => `_drawbridge() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  case \${COMP_WORDS[1]}:$COMP_CWORD:$word:\${COMP_WORDS[2]} in
    ${namedOption.command}:3:*:${namedOption.option}) COMPREPLY=($(compgen -W "$(${names})" -- "$word")) ;;
    *:1:*) COMPREPLY=($(compgen -W "${list(commands)}" -- "$word")) ;;
${commands.map(({ name, options }) => `    ${name}:*:-*) COMPREPLY=($(compgen -W "${options.join(" ")}" -- "$word")) ;;`).join("\n")}
    ${named.map((command) => `${command}:2:*`).join("|")}) COMPREPLY=($(compgen -W "$(${names})" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -F _drawbridge drawbridge
`,
  zsh: (commands) => `#compdef drawbridge
_drawbridge() {
  case $CURRENT:\${words[2]}:\${words[CURRENT]}:\${words[3]} in
    4:${namedOption.command}:*:${namedOption.option}) compadd $(${names}) ;;
    2:*) compadd ${list(commands)} ;;
${commands.map(({ name, options }) => `    *:${name}:-*) compadd -- ${options.join(" ")} ;;`).join("\n")}
    ${named.map((command) => `3:${command}:*`).join("|")}) compadd $(${names}) ;;
    *) _files ;;
  esac
}
compdef _drawbridge drawbridge
`,
  fish: (commands) => `complete -c drawbridge -n __fish_use_subcommand -f -a "${list(commands)}"
complete -c drawbridge -n "__fish_seen_subcommand_from ${named.join(" ")}" -f -a "(${names})"
complete -c drawbridge -n "__fish_seen_subcommand_from ${namedOption.command}" -l ${namedOption.option.slice(2)} -x -a "(${names})"
${commands
  .flatMap(({ name, options }) =>
    options.map(
      (option) => `complete -c drawbridge -n "__fish_seen_subcommand_from ${name}" -l ${option.slice(2)}`,
    ),
  )
  .join("\n")}
`,
  powershell: (commands) => `Register-ArgumentCompleter -Native -CommandName drawbridge -ScriptBlock {
  param($word, $ast, $position)
  $options = @{
${commands.map(({ name, options }) => `    '${name}' = @(${options.map((option) => `'${option}'`).join(", ")})`).join("\n")}
  }
  $words = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  $command = if ($words.Count -gt 1) { $words[1] } else { '' }
  $candidates = if ($words.Count -le 1 -or ($words.Count -eq 2 -and $word)) { @($options.Keys) }
    elseif ($word -like '-*') { $options[$command] }
    elseif ($words -contains '${namedOption.option}' -and $command -eq '${namedOption.command}') { drawbridge list --names 2>$null }
    elseif (@(${named.map((command) => `'${command}'`).join(", ")}) -contains $command) { drawbridge list --names 2>$null }
    else { @() }
  $candidates | Where-Object { $_ -like "$word*" } | Sort-Object |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`,
};

function list(commands: readonly Completed[]): string {
  return commands.map(({ name }) => name).join(" ");
}

export function completion(shell: string, commands: readonly Completed[]): string {
  const script = scripts[shell === "pwsh" ? "powershell" : shell];
  if (script !== undefined) return script(commands);
  throw new CliError(
    `there is no completion for ${JSON.stringify(shell)}; choose one of ${Object.keys(scripts).join(", ")}`,
    ExitCode.usage,
  );
}
