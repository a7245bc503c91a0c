import { existsSync, readdirSync, realpathSync } from 'fs';
import { basename, dirname, normalize, join, resolve } from 'path';
import { leadsInto, readRegularText, workTreeOf } from '../../model';
import type { NamedRelease, Root, SourceFile } from '../../validation';
import { UsageError } from '../io';
import { lazy } from '../lazy';
import { isMadeLater } from './files-made-later';
import { GitIgnore } from './gitignore';
import { givenValues } from './given-values';
import { quoted, suggestion } from '../options/choice-option';
import { RootFlags } from '../options/root-options';
import { GivenValues, helmTemplate, RenderedChart, RenderedRelease } from '../programs/helm/helm-template';
import { kustomizeRunner } from '../programs/kustomize-runner';
import { Programs } from '../programs/programs';

/** A root whose manifests can be judged, or the reason why there are none. */
export interface RenderedRoot extends Root {
  /** @default - the sources can be judged */
  readonly skipped?: string;
}

export interface RenderFlags extends RootFlags {
  /** Texts of files that differ from those on the disk, by their normal paths. @default - none */
  readonly changed?: ReadonlyMap<string, string>;
}

/** Files that are deployed together, or several roots. */
export type DividedFiles =
  | { readonly sources: readonly SourceFile[]; readonly notes: readonly string[]; readonly roots?: undefined }
  | { readonly roots: readonly RenderedRoot[] };

/**
 * Divides the files into the roots that `--root` names, or all. A single root that can be judged is no division.
 *
 * @throws UsageError if there is no root of a name
 */
export function dividedFiles(files: readonly SourceFile[], flags: RootFlags): DividedFiles {
  return divisionOf(renderedRoots(files, flags), files);
}

/** @param files the sources if there is no root, because nothing in them is judged */
export function divisionOf(roots: readonly RenderedRoot[], files: readonly SourceFile[]): DividedFiles {
  const [root] = roots;
  if (roots.length > 1 || root?.skipped !== undefined) return { roots };
  return { sources: root?.sources ?? files, notes: root?.notes ?? [] };
}

/**
 * The roots that `--root` names, or all, with charts rendered, and kustomizations that have more than is followed here.
 *
 * @throws UsageError if there is no root of a name
 */
export function renderedRoots(files: readonly SourceFile[], flags: RenderFlags): RenderedRoot[] {
  const programs = new Programs();
  const all = allRoots(files, flags, programs);
  const { validation } = lazy;
  const chosen = chosenRoots(all, flags).map(({ name }) => name);
  // The other roots tell the region and the release of Karpenter, whether they are chosen or not.
  const complete = validation.withKarpenterOfRepository(
    validation.withUnreadPools(validation.withSharedPools(all), files),
    files,
  );
  return flags.root === undefined ? complete : complete.filter((root) => chosen.some((name) => isOfName(root, name)));
}

/** Whether it is the root of that name, or one of the roots that it becomes with different sets of NodePools. */
function isOfName(root: Pick<Root, 'name'>, name: string): boolean {
  return root.name === name || root.name.startsWith(`${name} with `);
}

/**
 * All roots, with charts rendered.
 *
 * @param programs those of the whole run, whose time is limited together
 */
export function allRoots(files: readonly SourceFile[], flags: RenderFlags, programs: Programs): RenderedRoot[] {
  const runKustomize = flags.kustomize ? kustomizeRunner(flags, programs) : undefined;
  const given = givenValues(flags);
  const gitIgnore = new GitIgnore([]);
  const charts = new Set(
    files
      .filter(({ path }) => basename(path) === 'Chart.yaml' && existsSync(path))
      .map(({ path }) => realpathSync(dirname(path))),
  );
  const options = {
    repositories: repositoriesOf(files),
    runKustomize: runKustomize && onceEach(runKustomize),
    exists: (path: string) => existsSync(path) || isMadeLater(path, gitIgnore),
    hasOwnValues: given.values.length > 0,
    onDisk: { remotes: remotesOf(files), has: isInRepository, filesIn: filesInRepository, filesOf },
  };
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const input = { charts, textOf: (path: string) => texts.get(path), changed: flags.changed };
  const rendered = onceEach((release: RenderedRelease) => helmTemplate(release, given, programs, input));
  const render = ({ chart, name, namespace, values, parameters, ownParts, definedIn }: RenderedRelease) =>
    rendered({ chart, name, namespace, values, parameters, ownParts, definedIn });
  const divided = (deployers: readonly SourceFile[]) =>
    lazy.validation
      .rootsOf(files, { ...options, rendered: deployers })
      .map((root) => (root.release === undefined ? root : renderChart(root, root.release, flags, given, render)));
  let roots = divided([]);
  // A chart may make the Applications that deploy other charts.
  for (let round = 0, known = '[]'; round < MOST_ROUNDS; round++) {
    const deployers = lazy.validation.renderedDeployers(roots);
    const text = JSON.stringify(deployers);
    if (text === known) break;
    known = text;
    roots = divided(deployers);
  }
  return unrenderedOnce(roots.filter((root) => !isRenderedInOther(root, roots)));
}

/** Charts that make Applications for charts that make Applications, and so on, are followed this often. */
const MOST_ROUNDS = 3;

/** The function with its results kept, because a program takes long. */
function onceEach<Arguments extends readonly unknown[], Result>(
  run: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const results = new Map<string, Result>();
  return (...given) => {
    const key = JSON.stringify(given);
    if (!results.has(key)) results.set(key, run(...given));
    return results.get(key)!;
  };
}

/** Whether the chart is a part of one that is rendered, with the values that it gets there. */
function isRenderedInOther({ release }: RenderedRoot, roots: readonly RenderedRoot[]): boolean {
  const outer = release?.partOf;
  return outer !== undefined && roots.some((root) => root.release?.chart === outer && root.skipped === undefined);
}

/** A chart whose releases are not rendered for one reason is one root. */
function unrenderedOnce(roots: readonly RenderedRoot[]): RenderedRoot[] {
  const seen = new Set<string>();
  return roots.flatMap((root): RenderedRoot[] => {
    if (root.release === undefined || root.skipped === undefined) return [root];
    const { chart } = root.release;
    const key = JSON.stringify([chart, root.skipped]);
    if (seen.has(key)) return [];
    seen.add(key);
    const isOnly = roots.every(({ release, skipped }) => release?.chart !== chart || skipped === root.skipped);
    return [isOnly ? { ...root, name: chart } : root];
  });
}

/**
 * The roots that `--root` names, or all.
 *
 * @throws UsageError if there is no root of a name
 */
export function chosenRoots<Named extends Pick<Root, 'name'>>(
  roots: readonly Named[],
  { root: names }: RootFlags,
): Named[] {
  if (names === undefined) return [...roots];
  const chosen = names.map((name) => rootsNamed(roots, name));
  const unknown = names.find((_, index) => chosen[index].length === 0);
  if (unknown === undefined) return roots.filter((root) => chosen.some((some) => some.includes(root)));
  if (roots.length === 0)
    throw new UsageError(
      `--root: the input has no root ${quoted(unknown)}, because nothing in it is judged; omit --root`,
    );
  const shown = [...new Set(shortRootNames(roots))];
  throw new UsageError(
    `--root: the input has no root ${quoted(unknown)}; ${suggestion(unknown, shown.slice(0, MOST_NAMES))}`,
  );
}

/**
 * How to choose one of several roots, for an error message.
 *
 * @param names as tables shorten them
 */
export function chooseRoot(names: readonly string[]): string {
  const [first, ...others] = names.slice(0, MOST_NAMES).map((name) => (/\s/.test(name) ? quoted(name) : name));
  const more = others.length === 0 ? '' : ` (also ${others.join(', ')}${names.length > MOST_NAMES ? ', …' : ''})`;
  return `choose one with --root, such as --root ${first}${more}`;
}

/** The names of roots as tables shorten them. */
export function shortRootNames(roots: ReadonlyArray<Pick<Root, 'name'>>): string[] {
  return lazy.validation.shortNames(roots).map(({ name }) => name);
}

const MOST_NAMES = 5;

/** Roots of that name, as it is or as tables shorten it. Otherwise the roots whose path ends with it. */
function rootsNamed<Named extends Pick<Root, 'name'>>(roots: readonly Named[], name: string): Named[] {
  const wanted = normalize(name).replace(/(.)\/$/, '$1');
  const short = shortRootNames(roots);
  const exact = roots.filter((root, index) => [normalize(root.name), short[index]].includes(wanted));
  return exact.length > 0
    ? exact
    : roots.filter((root) => root.name.endsWith(`/${wanted}`) || root.name === `cluster ${name}`);
}

function renderChart(
  root: Root,
  release: NamedRelease,
  { helm }: RootFlags,
  given: GivenValues,
  render: (release: RenderedRelease) => RenderedChart,
): RenderedRoot {
  const { deploymentProblems = [] } = root;
  const notes = deploymentProblems.map(({ file, message }) => `${file.path}: ${message}`);
  if (!helm) return { ...root, notes, skipped: 'not rendered, because of --no-helm' };
  const result = render(release);
  if ('problem' in result) return { ...root, notes, skipped: result.problem };
  const { isForDevelopment = false, isOfOthers = false } = release;
  const hasDefaultValues =
    release.values.length + release.parameters.length + given.values.length + given.set.length === 0;
  const marks = {
    ...(isForDevelopment ? { isForDevelopment } : {}),
    ...(isOfOthers ? { isOfOthers } : {}),
    ...(hasDefaultValues ? { hasDefaultValues } : {}),
  };
  const { postRenderer } = release;
  const changed = postRenderer
    ? lazy.validation.looseBuild(result.sources, postRenderer)
    : { sources: result.sources, notes: [] };
  const isGiven = given.values.length + given.set.length > 0;
  return {
    ...root,
    sources: changed.sources.map((source, index) => ({
      ...source,
      ...marks,
      ...(index === 0 && deploymentProblems.length > 0 ? { deploymentProblems } : {}),
    })),
    notes: [
      ...(isGiven
        ? root.notes.map((note, index) => (index === 0 ? `${note}, and those of the options` : note))
        : root.notes),
      ...(result.note === undefined ? [] : [result.note]),
      ...changed.notes,
    ],
  };
}

const MOST_BYTES = 1024 * 1024;

/** The names of the remotes of the Git repositories that files belong to. */
function repositoriesOf(files: readonly SourceFile[]): ReadonlySet<string> {
  return new Set([...remotesOf(files)].map(lazy.validation.repositoryName));
}

/** Whether the repository of a file has a path; undefined without a repository, or with submodules. */
function isInRepository(file: string, path: string): boolean | undefined {
  const root = workTreeOf(file);
  return root === undefined || existsSync(join(root, '.gitmodules')) ? undefined : existsSync(join(root, path));
}

/** The names of the files directly in a folder of the repository that has the file. */
function filesInRepository(file: string, path: string): string[] | undefined {
  const root = workTreeOf(file);
  const folder = root === undefined ? undefined : join(root, path);
  if (root === undefined || folder === undefined || !existsSync(folder) || !leadsInto(folder, root)) return undefined;
  return filesOf(folder);
}

/** The names of the files directly in a folder of the input. */
function filesOf(folder: string): string[] | undefined {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  } catch {
    return undefined;
  }
}

function remotesOf(files: readonly SourceFile[]): ReadonlySet<string> {
  const folders = new Set(files.map(({ path }) => dirname(resolve(path))));
  const roots = new Set([...folders].flatMap((folder) => workTreeOf(folder) ?? []));
  return new Set([...roots].flatMap(remotesIn));
}

function remotesIn(folder: string): string[] {
  return [...configOf(folder).matchAll(/^\s*url\s*=\s*(\S+)/gm)].map(([, url]) => url);
}

/** Empty for a work tree beside its repository, and for a file that is not one of the repository. */
function configOf(folder: string): string {
  const file = join(folder, '.git', 'config');
  try {
    return leadsInto(file, folder) ? readRegularText(file, MOST_BYTES) : '';
  } catch {
    return '';
  }
}
