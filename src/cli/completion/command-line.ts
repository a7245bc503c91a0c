import { Argument, Command, Help, Option } from 'commander';
import { KARPENTER_RELEASES } from '../../contract';
import { lazy } from '../lazy';

/** What a shell offers for a value. */
export type ValueCompletion =
  | { readonly kind: 'files' }
  /** @property isList whether several words are separated by commas */
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly isList: boolean }
  | { readonly kind: 'text' };

export interface CompletedOption {
  /** The long name first. */
  readonly names: readonly string[];
  readonly description: string;
  /** @default - the option takes no value */
  readonly values?: ValueCompletion;
}

/** A command, as shells complete it. */
export interface CompletedCommand {
  /** The words after the name of the program: `catalog update`, or nothing for the program itself. */
  readonly path: string;
  readonly description: string;
  readonly subcommands: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly options: readonly CompletedOption[];
  /** @default - the command takes no arguments */
  readonly argument?: ValueCompletion;
}

const LONGEST_DESCRIPTION = 70;

/** The program and all its commands, as commander has them. */
export function completedCommands(program: Command): CompletedCommand[] {
  return described(program, '', program.createHelp(), []);
}

function described(command: Command, path: string, help: Help, siblings: readonly string[]): CompletedCommand[] {
  const subcommands = help.visibleCommands(command);
  const names = subcommands.map((sub) => sub.name());
  const [argument] = command.registeredArguments;
  return [
    {
      path,
      description: shortened(command.description()),
      subcommands: subcommands.map((sub) => ({ name: sub.name(), description: shortened(sub.description()) })),
      options: help.visibleOptions(command).map(completedOption),
      argument: argument && argumentValues(argument, siblings),
    },
    ...subcommands.flatMap((sub) => described(sub, `${path} ${sub.name()}`.trim(), help, names)),
  ];
}

function completedOption(option: Option): CompletedOption {
  const { long, short, description, required, optional } = option;
  return {
    names: [long, short].filter((name) => typeof name === 'string'),
    description: shortened(description),
    values: required || optional ? optionValues(option) : undefined,
  };
}

function optionValues({ flags, argChoices, long }: Option): ValueCompletion {
  const placeholder = /[<[]([a-z]+)/.exec(flags)?.[1] ?? '';
  if (argChoices) return words(argChoices, placeholder === 'names');
  if (long === '--karpenter-version') return words(KARPENTER_RELEASES);
  return valuesOf(placeholder);
}

function argumentValues(argument: Argument, siblings: readonly string[]): ValueCompletion {
  if (argument.argChoices) return words(argument.argChoices);
  switch (argument.name()) {
    case 'id':
      return words(lazy.validation.RULES.map(({ id }) => id));
    case 'command':
      return words(siblings);
    default:
      return { kind: 'files' };
  }
}

/** @param placeholder the name of the value in the help, such as `file` */
function valuesOf(placeholder: string): ValueCompletion {
  switch (placeholder) {
    case 'file':
    case 'path':
      return { kind: 'files' };
    case 'region':
      return words(lazy.catalog.REGIONS);
    case 'regions':
      return words(lazy.catalog.REGIONS, true);
    default:
      return { kind: 'text' };
  }
}

function words(names: readonly string[], isList = false): ValueCompletion {
  return { kind: 'words', words: names, isList };
}

/** The first clause of a description. */
function shortened(description: string): string {
  const [clause] = description.split(/[;:.]? \(|; |\.$|, for example |: /);
  return clause.length <= LONGEST_DESCRIPTION
    ? clause
    : `${clause.slice(0, LONGEST_DESCRIPTION - 1).replace(/ \S*$/, '')}…`;
}
