import { relative, resolve } from 'path';
import { Command, Option } from 'commander';
import { quoted, suggestion } from './choice-option';
import { countText, leadsInto, readNamedFile, valueText } from '../../model';
import type { AcknowledgeOptions, Verdict } from '../../validation';
import { ConstructsFile } from '../input/constructs-file';
import { dayRemedy, isDay } from '../input/day';
import { Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { replaceWholeFile } from '../output/whole-file';

/** The options as commander parses them. */
export interface AcknowledgeFlags {
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly today?: string;
  readonly at?: number;
}

/** Flags whose values are paths, which a file writes relative to its own folder. */
const PATH_FLAGS = ['settings', 'crds', 'cluster', 'catalog', 'scheduler-config', 'baseline', 'values'];
const REPEATED_FLAGS = ['cluster', 'catalog', 'root', 'values', 'set'];
/** Flags that only a person gives, because a stranger may have written the file. */
const PROGRAM_FLAGS = ['allow-network', 'enable-helm'];
/** Flags of one run. */
const NOT_IN_A_FILE = ['write-baseline', 'fix', 'dry-run', 'watch', 'today', 'output', 'help', ...PROGRAM_FLAGS];
const CHECK = 'check';
/** Flags that other commands have with other values. */
const OF_CHECK_ONLY = ['format', 'fail-on'];

/** Adds the options of `check`. */
export function addAcknowledgeOptions(command: Command): Command {
  return addAcceptOptions(command).option(
    '--write-baseline <file>',
    'write all findings to a file for --baseline, and exit with 0',
  );
}

/** Adds the options of commands that do not write a baseline. */
export function addAcceptOptions(command: Command): Command {
  return command
    .option(
      '--baseline <file>',
      'report only findings that are not in this file, which check --write-baseline has written',
    )
    .addOption(
      new Option(
        '--today <date>',
        'the date with which the until of acknowledgements is compared, for example 2026-03-31 ' +
          '(default: the day of --at, or else the current day, UTC)',
      ).argParser(parseDay),
    );
}

/** Sets the flags of the file that the command line does not set. Flags of other commands are left out. */
export function applyDefaultFlags(file: ConstructsFile | undefined, command: Command): void {
  const known = flagsOf(command.parent?.commands ?? [command]);
  const own = flagsOf([command]);
  for (const { name, value, place } of file?.flags() ?? []) {
    if (PROGRAM_FLAGS.includes(name))
      throw new UsageError(
        `${place}: --${name} is only read from the command line, because a stranger may have written this file; remove it`,
      );
    if (!known.includes(name)) throw new UsageError(`${place}: unknown flag ${quoted(name)}; ${suggestion(name, own)}`);
    const option = command.options.find(({ long }) => long === `--${name}`);
    if (!option || (command.name() !== CHECK && OF_CHECK_ONLY.includes(name))) continue;
    if (command.getOptionValueSource(option.attributeName()) === 'cli') continue;
    try {
      command.setOptionValueWithSource(option.attributeName(), parsedValue(option, name, value, file!), 'config');
    } catch (error) {
      if (error instanceof Error) throw new UsageError(`${place}: ${error.message}`);
      throw error;
    }
  }
}

/** The files that the flags of a file name. */
export function filesOfFlags(file: ConstructsFile): string[] {
  return file
    .flags()
    .filter(({ name }) => PATH_FLAGS.includes(name))
    .flatMap(({ value }) => textsOf(value).map((text) => pathIn(file, text)));
}

/** @throws UsageError if the path is outside of the repository, because a stranger may have written the file */
function pathIn({ folder, root }: ConstructsFile, text: string): string {
  const path = resolve(folder, text);
  if (leadsInto(path, root)) return relative(process.cwd(), path);
  throw new UsageError(`${quoted(text)} is outside of the repository of the file; name it on the command line`);
}

function flagsOf(commands: readonly Command[]): string[] {
  const names = commands
    .flatMap(({ options }) => options)
    .flatMap(({ long }) => (long === undefined || long === null ? [] : [long.slice(2)]));
  return [...new Set(names)].filter((flag) => !NOT_IN_A_FILE.includes(flag));
}

/** @throws Error if the value is not one of the flag's values */
function parsedValue(option: Option, name: string, value: unknown, file: ConstructsFile): unknown {
  if (!option.required && !option.optional) {
    if (typeof value === 'boolean') return option.negate ? !value : value;
    throw new UsageError(`--${name}: ${JSON.stringify(value)} is not true or false; write true`);
  }
  const texts = textsOf(value).map((text) => (PATH_FLAGS.includes(name) ? pathIn(file, text) : text));
  const values = REPEATED_FLAGS.includes(name) ? texts : [texts.join(',')];
  return values.reduce<unknown>(
    (earlier, text) => (option.parseArg ? option.parseArg(text, earlier) : text),
    undefined,
  );
}

/** A list, or the pairs of an object, as they are separated by commas on the command line. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(valueText);
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([key, part]) => `${key}=${part}`)
    : [valueText(value)];
}

export function acknowledgeOptions(
  file: ConstructsFile | undefined,
  { baseline, today, at }: AcknowledgeFlags,
): AcknowledgeOptions {
  return {
    entries: file?.acknowledgements() ?? [],
    severities: file?.severities(),
    today: today ?? (at === undefined ? new Date() : new Date(at)).toISOString().slice(0, 10),
    ...(baseline === undefined ? {} : { baseline: { file: baseline, findings: readBaseline(baseline) } }),
  };
}

function readBaseline(file: string) {
  try {
    return lazy.validation.parseBaseline(readNamedFile(file, lazy.validation.LARGEST_FILE_BYTES).toString('utf8'));
  } catch (error) {
    throw new UsageError(
      `--baseline: ${file} cannot be used, ${(error as Error).message}; write it with --write-baseline ${file}`,
    );
  }
}

/** Writes the findings that no acknowledgement covers, those of an earlier baseline included. */
export function writeBaseline(file: string, verdicts: readonly Verdict[], io: Io): void {
  const { validation } = lazy;
  const findings = verdicts.flatMap(({ findings: open, acknowledged = [] }) => [
    ...open.filter(validation.isBaselined),
    ...acknowledged.filter(({ acknowledgement }) => acknowledgement.by === 'baseline'),
  ]);
  try {
    replaceWholeFile(file, validation.renderBaseline(findings));
  } catch (error) {
    throw new UsageError(`--write-baseline: cannot be written, ${(error as Error).message}; name a writable file`);
  }
  io.writeError(`wrote ${countText(findings.length, 'finding')} to ${file}\n`);
}

function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new UsageError(`--today: ${quoted(text)} is not a day; write ${dayRemedy(text)}`);
}
