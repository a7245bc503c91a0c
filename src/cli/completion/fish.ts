import { CompletedCommand, ValueCompletion } from './command-line';

/** A script for fish: sourced, or as a file in ~/.config/fish/completions. */
export function fishCompletion(program: string, commands: readonly CompletedCommand[]): string {
  const isCommand = `__${program.replaceAll('-', '_')}_is`;
  const complete = (path: string) => `complete -c ${program} -n ${quoted(`${isCommand} ${quoted(path)}`)}`;
  return `# fish completion for ${program}. Load it with: ${program} completion fish | source
function ${isCommand}
    set -l path
    for word in (commandline -opc)[2..-1]
        switch "$path $word"
            case ${commands
              .filter(({ path }) => path !== '')
              .map(({ path }) => quoted(path.includes(' ') ? path : ` ${path}`))
              .join(' ')}
                set path (string trim "$path $word")
            case '*'
                break
        end
    end
    test "$path" = "$argv[1]"
end
complete -c ${program} -f
${commands
  .flatMap((command) => [
    ...command.subcommands.map(
      ({ name, description }) => `${complete(command.path)} -a ${name} -d ${quoted(description)}`,
    ),
    ...(command.argument && command.subcommands.length === 0
      ? [`${complete(command.path)}${valuesCode(command.argument)}`]
      : []),
    ...command.options.map(
      ({ names, description, values }) =>
        `${complete(command.path)}${names.map(flag).join('')}${values ? ` -r${valuesCode(values)}` : ''} -d ${quoted(description)}`,
    ),
  ])
  .join('\n')}
`;
}

function flag(name: string): string {
  return name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`;
}

function valuesCode(values: ValueCompletion): string {
  switch (values.kind) {
    case 'files':
      return ' -F';
    case 'text':
      return ' -f';
    case 'words':
      return ` -f -a ${quoted(values.isList ? `(__fish_append , ${values.words.join(' ')})` : values.words.join(' '))}`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
