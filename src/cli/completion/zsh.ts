import { CompletedCommand, ValueCompletion } from './command-line';

/** A script for zsh: sourced, or as the file of an autoloaded function. */
export function zshCompletion(program: string, commands: readonly CompletedCommand[]): string {
  const name = `_${program.replaceAll('-', '_')}`;
  return `#compdef ${program}
# Load it with: source <(${program} completion zsh), after compinit.
${name}() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} command= index
  local -a options
  if [[ $cur == --*=* ]]; then
    prev=\${cur%%=*}
    compset -P '*='
  fi
  for ((index = 2; index < CURRENT; index++)); do
    case "$command \${words[index]}" in
${lines(
  commands.filter(({ path }) => path !== ''),
  ({ path }) => `      '${path.includes(' ') ? '' : ' '}${path}') command='${path}' ;;`,
)}
      *) break ;;
    esac
  done
  case "$command \${prev}" in
${lines(commands.flatMap(valueCases), (line) => `    ${line}`)}
  esac
  case "$command" in
${lines(commands, (command) => commandCode(command))}
  esac
}
if [[ \${funcstack[1]} == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

function lines<Item>(items: readonly Item[], line: (item: Item) => string): string {
  return items.map(line).join('\n');
}

function valueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ names, values }) =>
    values === undefined
      ? []
      : [`${names.map((option) => quoted(`${path} ${option}`)).join('|')}) ${valuesCode(values)}; return ;;`],
  );
}

function commandCode({ path, options, subcommands, argument }: CompletedCommand): string {
  const described = options.flatMap(({ names, description }) => names.map((option) => item(option, description)));
  const other =
    subcommands.length > 0
      ? describe(
          'command',
          subcommands.map(({ name, description }) => item(name, description)),
        )
      : argument
        ? valuesCode(argument)
        : ':';
  return `    ${quoted(path)})
      if [[ $cur == -* ]]; then
        options=(${described.join(' ')})
        _describe -o option options
      else
        ${other}
      fi
      ;;`;
}

function describe(tag: string, items: readonly string[]): string {
  return `options=(${items.join(' ')}); _describe ${tag} options`;
}

function valuesCode(values: ValueCompletion): string {
  switch (values.kind) {
    case 'files':
      return '_files';
    case 'text':
      return ':';
    case 'words':
      return `${values.isList ? "compset -P '*,'; " : ''}compadd -- ${values.words.join(' ')}`;
  }
}

/** A name and its description. Colons separate them. */
function item(name: string, description: string): string {
  return quoted(`${name}:${description.replaceAll(':', '\\:')}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
