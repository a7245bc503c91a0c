import { CompletedCommand, ValueCompletion } from './command-line';

/** A script for bash 3.2, which macOS has, and later. It needs no bash-completion. */
export function bashCompletion(program: string, commands: readonly CompletedCommand[]): string {
  const name = `_${program.replaceAll('-', '_')}`;
  return `# bash completion for ${program}. Load it with: source <(${program} completion bash)
${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= words= options= list= index line
  COMPREPLY=()
  # Bash makes three words of --option=value.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$command \${COMP_WORDS[index]}" in
${lines(
  commands.filter(({ path }) => path !== ''),
  ({ path }) => `      '${path.includes(' ') ? '' : ' '}${path}') command='${path}' ;;`,
)}
      *) break ;;
    esac
  done
  case "$command" in
${lines(commands, ({ path, options }) => `    '${path}') options='${options.flatMap(({ names }) => names).join(' ')}' ;;`)}
  esac
  case "$command $prev" in
${lines(valueCases(commands), ([patterns, values]) => `    ${patterns.join('|')}) ${valuesCode(values)} ;;`)}
    *)
      if [[ $cur == -* ]]; then
        words=$options
      else
        case "$command" in
${lines(commands, (command) => `          '${command.path}') ${argumentCode(command)} ;;`)}
        esac
      fi
      ;;
  esac
  local before=
  if [[ -n $list && $cur == *,* ]]; then before=\${cur%,*},; fi
  while IFS= read -r line; do
    if [[ -n $line ]]; then COMPREPLY+=("$before$line"); fi
  done < <(compgen -W "$words" -- "\${cur#"$before"}")
}
complete -o bashdefault -o default -F ${name} ${program}
`;
}

function lines<Item>(items: readonly Item[], line: (item: Item) => string): string {
  return items.map(line).join('\n');
}

/** Options that take a value. Those with the same values share a case. */
function valueCases(commands: readonly CompletedCommand[]): Array<[patterns: string[], values: ValueCompletion]> {
  const cases = new Map<string, [string[], ValueCompletion]>();
  for (const { path, options } of commands) {
    for (const { names, values } of options) {
      if (values === undefined) continue;
      const key = JSON.stringify(values);
      const patterns = names.map((option) => `'${path} ${option}'`);
      cases.set(key, [[...(cases.get(key)?.[0] ?? []), ...patterns], values]);
    }
  }
  return [...cases.values()];
}

function argumentCode({ subcommands, argument }: CompletedCommand): string {
  if (subcommands.length > 0) return `words='${subcommands.map(({ name }) => name).join(' ')}'`;
  return argument ? valuesCode(argument) : NOTHING;
}

/** Without words, readline completes file names, except after this. Bash 3.2 has no compopt, and offers files. */
const NOTHING = 'compopt +o default +o bashdefault 2>/dev/null; return';

function valuesCode(values: ValueCompletion): string {
  switch (values.kind) {
    case 'files':
      return 'return';
    case 'text':
      return NOTHING;
    case 'words':
      return `words='${values.words.join(' ')}'${values.isList ? ' list=1' : ''}`;
  }
}
