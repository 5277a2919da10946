/** `packshot completion`: what a shell needs to complete commands and flags, read from the commands' own helps. */
import { type Command, CommandError } from "./command-line/command.ts";
import { printText } from "./command-line/print.ts";

const shells = ["bash", "zsh", "fish"] as const;

const help = `packshot completion: the completion of commands and flags for your shell.

  packshot completion bash    for ~/.bashrc:  source <(packshot completion bash)
  packshot completion zsh     for ~/.zshrc, after compinit:
                              source <(packshot completion zsh)
  packshot completion fish    packshot completion fish >
                              ~/.config/fish/completions/packshot.fish`;

interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly subcommands: readonly string[];
  readonly flags: readonly { readonly name: string; readonly takesValue: boolean }[];
}

/** Flags whose values are known words. */
const valuesOf: Readonly<Record<string, string>> = {
  tool: "mask ai-shadows ai-bg",
  status: "queued processing completed failed cancelled",
  scopes: "edits read webhooks keys",
  users: "nkey password none",
};

export function createCompletion(commands: Readonly<Record<string, () => Promise<Command>>>): Command {
  async function readCommands(): Promise<CompletedCommand[]> {
    return await Promise.all(Object.entries(commands).map(async ([name, load]) => completedOf(name, await load())));
  }
  return {
    summary: "completion of commands and flags for bash, zsh and fish",
    help,
    async run([shell, ...more]) {
      const write = more.length === 0 && shell !== undefined && Object.hasOwn(scripts, shell) && scripts[shell];
      if (!write) throw new CommandError(`completion knows ${shells.join(", ")}, not "${[shell, ...more].join(" ")}".`);
      printText(write(await readCommands()));
      return 0;
    },
  };
}

function completedOf(name: string, { summary, help: text }: Command): CompletedCommand {
  const lines = text.matchAll(new RegExp(`^ +packshot ${name} ([a-z]+(?:\\|[a-z]+)*)(?= |$)`, "gm"));
  const subcommands = [...lines].flatMap(([, subs]) => subs!.split("|"));
  const found = new Map<string, boolean>([["help", false]]);
  for (const [, flag, value] of text.matchAll(/--([a-z][a-z0-9-]*)( [A-Z]|[ ][a-z]+\|)?/g)) {
    found.set(flag!, (found.get(flag!) ?? false) || value !== undefined);
  }
  const flags = [...found].map(([flag, takesValue]) => ({ name: flag, takesValue }));
  return { name, summary, subcommands: [...new Set(subcommands)], flags };
}

const scripts: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const flagWords = ({ flags }: CompletedCommand) => flags.map(({ name }) => `--${name}`).join(" ");
const valueCases = (line: (flag: string, words: string) => string) =>
  Object.entries(valuesOf)
    .map(([flag, words]) => line(flag, words))
    .join("\n");

function bashScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    (command) => `    ${command.name}) flags="${flagWords(command)}" subcommands="${command.subcommands.join(" ")}" ;;`,
  );
  return `_packshot() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} flags= subcommands=
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$current"))
    return
  fi
  case $previous in
${valueCases((flag, words) => `    --${flag}) COMPREPLY=($(compgen -W "${words}" -- "$current")); return ;;`)}
  esac
  case \${COMP_WORDS[1]} in
${cases.join("\n")}
  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) [ "$COMP_CWORD" != 2 ] || COMPREPLY=($(compgen -W "$subcommands" -- "$current")) ;;
  esac
}
complete -o default -F _packshot packshot
`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    (command) => `    ${command.name}) flags=(${flagWords(command)}) subcommands=(${command.subcommands.join(" ")}) ;;`,
  );
  const described = commands
    .map(({ name, summary }) => `'${name}:${quoted(summary).replaceAll(":", "\\:")}'`)
    .join(" ");
  return `#compdef packshot
_packshot() {
  local -a flags subcommands commands
  if (( CURRENT == 2 )); then
    commands=(${described})
    _describe command commands
    return
  fi
  case $words[CURRENT-1] in
${valueCases((flag, words) => `    --${flag}) compadd -- ${words}; return ;;`)}
  esac
  case $words[2] in
${cases.join("\n")}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    compadd -- $flags
  elif (( CURRENT == 3 && $#subcommands )); then
    compadd -- $subcommands
  else
    _files
  fi
}
compdef _packshot packshot
`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, subcommands, flags }) => {
    const seen = `complete -c packshot -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c packshot -f -n __fish_use_subcommand -a ${name} -d '${quoted(summary)}'`,
      ...(subcommands.length > 0 ? [`${seen} -f -a '${subcommands.join(" ")}'`] : []),
      ...flags.map(({ name: flag, takesValue }) => {
        const values = valuesOf[flag];
        return `${seen} -l ${flag}${takesValue ? " -r" : ""}${values === undefined ? "" : ` -f -a '${values}'`}`;
      }),
    ];
  });
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}
