import { relative } from 'path';
import { SourceFile } from '../../../model';
import { environmentOf, wordsOf } from '../environments';

/** The values of one environment, from files beside the chart. */
export interface EnvironmentValues {
  /** Base values of all environments, then those of this one. */
  readonly files: readonly SourceFile[];
  /** The file that only this environment has. */
  readonly own: SourceFile;
}

/** Where charts have the values of their environments. The first group is the name of the environment. */
const PATTERNS: ReadonlyArray<{ readonly pattern: RegExp; readonly isAnyName: boolean }> = [
  { pattern: /^values[-._]([^/]+)\.ya?ml$/, isAnyName: true },
  { pattern: /^([^/]+)[-._]values\.ya?ml$/, isAnyName: false },
  { pattern: /^values\/([^/]+)\.ya?ml$/, isAnyName: false },
  { pattern: /^(?:envs?|environments?)\/([^/]+)\/values\.ya?ml$/, isAnyName: true },
  { pattern: /^(?:envs?|environments?)\/([^/]+)\.ya?ml$/, isAnyName: true },
];
/** Words of files whose values all environments have. */
const BASES = ['base', 'common', 'default', 'defaults', 'global', 'shared'];
/** Words of files that nobody deploys. */
const OTHERS = ['example', 'examples', 'sample', 'schema', 'secret', 'secrets', 'template'];
/** Environments that a chart has beside the one that its default values describe. */
const NOT_DEPLOYED_ALONE = ['dev', 'test', 'sandbox', 'demo'];
const MOST_ENVIRONMENTS = 20;

/** The environments of a chart, by its value files. None if it has its default values only. */
export function environmentValues(chart: string, files: readonly SourceFile[]): EnvironmentValues[] {
  const named = files.flatMap((file) => {
    const name = file.unreadable === undefined ? environmentName(relative(chart, file.path)) : undefined;
    return name === undefined ? [] : [{ file, name }];
  });
  const isBase = (name: string) => wordsOf(name).every((word) => BASES.includes(word));
  const bases = named.filter(({ name }) => isBase(name)).map(({ file }) => file);
  return named
    .filter(({ name }) => !isBase(name))
    .slice(0, MOST_ENVIRONMENTS)
    .map(({ file }) => ({ files: [...bases, file], own: file }));
}

/** Whether the default values describe a deployment of their own, because the value files are those of development. */
export function hasDefaultsOfItsOwn(chart: string, environments: readonly EnvironmentValues[]): boolean {
  return environments.every(({ own }) => {
    const environment = environmentOf(relative(chart, own.path));
    return environment === undefined || NOT_DEPLOYED_ALONE.includes(environment);
  });
}

function environmentName(path: string): string | undefined {
  for (const { pattern, isAnyName } of PATTERNS) {
    const name = pattern.exec(path)?.[1];
    if (name === undefined || wordsOf(name).some((word) => OTHERS.includes(word))) continue;
    const isBase = wordsOf(name).every((word) => BASES.includes(word));
    if (isAnyName || isBase || environmentOf(name) !== undefined) return name;
  }
  return undefined;
}
