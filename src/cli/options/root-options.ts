import { Command, Option } from 'commander';

/** Which roots of a repository a command is about, and which programs of this machine render them. */
export interface RootFlags {
  readonly root?: readonly string[];
  readonly helm: boolean;
  readonly kustomize: boolean;
  readonly enableHelm?: boolean;
  readonly allowNetwork?: boolean;
  /** Files of values for charts. */
  readonly values?: readonly string[];
  /** `KEY=VALUE` each, for charts. */
  readonly set?: readonly string[];
}

export function addRootOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--root <name>',
        'only this root of a repository, by its name in the table of check, or the end of its path; can be repeated',
      ).argParser(collect),
    )
    .addOption(
      new Option('--values <file>', 'values for Helm charts, as of helm template; can be repeated').argParser(collect),
    )
    .addOption(
      new Option('--set <key=value>', 'a value for Helm charts, as of helm template; can be repeated').argParser(
        collect,
      ),
    )
    .option('--no-helm', 'do not render Helm charts with the helm of this machine')
    .option('--no-kustomize', 'do not build kustomizations with the kustomize or kubectl of this machine')
    .option('--enable-helm', 'let kustomize render the charts that kustomizations name')
    .option('--allow-network', 'let kustomize download remote bases, files and charts');
}

function collect(name: string, earlier: readonly string[] = []): string[] {
  return [...earlier, name];
}
