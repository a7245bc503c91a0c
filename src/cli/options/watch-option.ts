import { existsSync } from 'fs';
import { resolve } from 'path';
import { filesOfFlags } from './acknowledge-options';
import { CatalogFlag } from './shared-options';
import { constructsFileCandidates, findConstructsFile } from '../input/constructs-file';
import { STDIN } from '../input/source-files';
import { UsageError } from '../io';

/** The options of `check` that matter, as commander parses them. */
export interface WatchFlags {
  readonly watch?: boolean;
  readonly fix?: boolean;
  readonly writeBaseline?: string;
  readonly output?: string;
  readonly settings?: string;
  readonly crds?: string;
  readonly baseline?: string;
  readonly schedulerConfig?: string;
  readonly load?: string;
  readonly cluster?: readonly string[];
  readonly catalog?: readonly CatalogFlag[];
}

/** @throws UsageError if there is nothing to watch, or if the command would change the watched files */
export function requireWatchable(flags: WatchFlags, paths: readonly string[]): void {
  if ([...paths, ...(flags.cluster ?? [])].includes(STDIN))
    throw new UsageError('--watch: standard input does not change; name files or folders');
  if (flags.fix)
    throw new UsageError('--watch: --fix changes the watched files; run check --fix once, then check --watch');
  if (flags.writeBaseline !== undefined)
    throw new UsageError('--watch: a baseline is written once; omit --watch or --write-baseline');
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new UsageError(`${missing}: no such file or folder`);
}

/** The paths whose changes have an effect on the result. The project's file may name some of them. */
export function watchedPaths(flags: WatchFlags, paths: readonly string[]): string[] {
  const { settings, crds, baseline, schedulerConfig, load, cluster = [], catalog = [] } = flags;
  const files = [settings, crds, baseline, schedulerConfig, load].filter((file) => file !== undefined);
  return [
    ...paths,
    ...cluster,
    ...files,
    ...catalog.map(({ file }) => file),
    ...constructsFileCandidates(paths),
    ...filesOfConstructsFile(paths),
  ];
}

/** None if the file is invalid: then the run says why. */
function filesOfConstructsFile(paths: readonly string[]): string[] {
  try {
    const file = findConstructsFile(paths);
    return file === undefined ? [] : filesOfFlags(file);
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** Whether the command writes the file. */
export function isOutput({ output }: WatchFlags, file: string): boolean {
  return output !== undefined && resolve(output) === resolve(file);
}
