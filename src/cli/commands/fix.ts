import { Command } from 'commander';
import type { Finding, FixedFiles, SourceFile } from '../../validation';
import { STDIN } from '../input/source-files';
import { Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { writeErrorLine } from '../output/output';
import { replaceFiles, FileReplacement } from '../output/replace-file';

type FindingsIn = (files: readonly SourceFile[]) => readonly Finding[];

/** Makes the safe fixes in the files and lists them, and returns the files as they are now. */
export function fixInPlace(given: readonly SourceFile[], findingsIn: FindingsIn, io: Io): readonly SourceFile[] {
  const fixed = lazy.validation.fixFiles(given, findingsIn);
  replaceFiles(replacementsIn(given, fixed));
  for (const { file, line, title, rule } of fixed.applied)
    writeErrorLine(io, `fixed ${file}:${line}: ${title} (${rule})`);
  if (fixed.applied.length === 0) writeErrorLine(io, 'fixed nothing: no finding has a safe fix');
  return fixed.files;
}

/** The changes that `fixInPlace` would make, as a unified diff. */
export function diffOfFixes(given: readonly SourceFile[], findingsIn: FindingsIn): string {
  const changes = replacementsIn(given, lazy.validation.fixFiles(given, findingsIn));
  return changes.map(({ path, before, after }) => lazy.validation.unifiedDiff(path, before, after)).join('');
}

function replacementsIn(given: readonly SourceFile[], { files }: FixedFiles): FileReplacement[] {
  return files.flatMap(({ path, text }, index) =>
    text === given[index].text ? [] : [{ path, before: given[index].text, after: text }],
  );
}

/** The options as commander parses them. */
export interface FixFlags {
  readonly fix?: boolean;
  readonly dryRun?: boolean;
}

export function addFixOptions(command: Command): Command {
  return command
    .option('--fix', 'make the safe fixes in the files (typos, missing group and kind, and the like), and check again')
    .option('--dry-run', 'with --fix: print a diff instead of changing files; the exit code is 1 if there is a fix');
}

/** @throws UsageError if there is no file to change */
export function requireFixable({ fix, dryRun }: FixFlags, paths: readonly string[]): void {
  if (dryRun && !fix) throw new UsageError('--dry-run: only --fix changes files; write --fix --dry-run');
  if (fix && paths.includes(STDIN))
    throw new UsageError('--fix: standard input is not a file that can be changed; name the files');
}
