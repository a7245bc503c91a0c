import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'fs';
import { dirname, join, normalize } from 'path';
import { asRecord } from '../../../contract';
import { leadsInto, parseYaml, repositoryRoot, valueText } from '../../../model';
import { examineChart } from '../chart-files';

/** A chart with the dependencies that the repository has. Dependencies that only a download would give are left out. */
export interface CompletedChart {
  /** The names of the dependencies that are left out. */
  readonly leftOut: readonly string[];
  /** Charts of the repository that became a part of the chart, by their folder in it. */
  readonly places: ReadonlyMap<string, string>;
}

/** Charts that name each other with `file://` would be copied without end. */
const MAX_DEPTH = 5;
/** Charts that each name ten others would be copied 100,000 times. */
const MAX_CHARTS = 50;
const SAFE_NAME = /^[a-z0-9][\w.-]*$/i;

/**
 * Copies a chart to an empty folder, together with the charts that its dependencies name with `file://`. Dependencies
 * that are in no folder are removed from the copy.
 *
 * @param chart which helm may read
 * @param charts the folders of charts that the input has; others have to be in the repository of the chart
 */
export function completeChart(chart: string, folder: string, charts: ReadonlySet<string>): CompletedChart {
  const leftOut = new Set<string>();
  const places = new Map<string, string>();
  copy(chart, '', 0);
  return { leftOut: [...leftOut], places };

  function copy(from: string, inside: string, depth: number): void {
    const target = join(folder, inside);
    cpSync(from, target, { recursive: true, dereference: true, filter: (path) => !/[/\\]\.git$/.test(path) });
    const file = join(target, 'Chart.yaml');
    const description = asRecord(parseYaml(readFileSync(file, 'utf8'))) ?? {};
    if (!Array.isArray(description.dependencies)) return;
    const present = chartsIn(join(target, 'charts'));
    const kept = description.dependencies.filter((entry) => {
      const { name: raw, repository } = asRecord(entry) ?? {};
      const name = valueText(raw ?? '');
      if (present.some((one) => isArchiveOrFolderOf(one, name))) return true;
      const local = localChart(from, repository, charts);
      if (local === undefined || depth >= MAX_DEPTH || places.size >= MAX_CHARTS || !SAFE_NAME.test(name)) {
        leftOut.add(name);
        return false;
      }
      const own = join(inside, 'charts', name);
      mkdirSync(join(folder, own), { recursive: true });
      places.set(own, local);
      copy(local, own, depth + 1);
      return true;
    });
    writeInCopy(folder, join(inside, 'Chart.yaml'), JSON.stringify({ ...description, dependencies: kept }));
  }
}

/**
 * Writes a file of a copied chart. A link is replaced, and not followed to the file of the repository: some versions of
 * Node.js copy links as links.
 *
 * @throws Error if the file's folder leads out of the copy
 */
export function writeInCopy(folder: string, inside: string, text: string): void {
  const path = join(folder, inside);
  if (!leadsInto(dirname(path), realpathSync(folder))) throw new Error(`${inside} leads out of the copy`);
  rmSync(path, { force: true });
  writeFileSync(path, text, { flag: 'wx' });
}

/** The folder of a dependency with `file://`, if it is a chart of the repository that helm may read. */
function localChart(chart: string, repository: unknown, charts: ReadonlySet<string>): string | undefined {
  if (typeof repository !== 'string' || !repository.startsWith('file://')) return undefined;
  const folder = normalize(join(chart, repository.slice('file://'.length)));
  const root = repositoryRoot(chart);
  const isAllowed = charts.has(folder) || leadsInto(folder, root);
  if (!isAllowed || !existsSync(join(folder, 'Chart.yaml'))) return undefined;
  const ownRoot = leadsInto(folder, root) ? root : repositoryRoot(folder);
  return examineChart(folder, ownRoot).problem === undefined ? folder : undefined;
}

/** The names of the charts in a folder, and those of their archives. */
function chartsIn(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder);
}

function isArchiveOrFolderOf(entry: string, name: string): boolean {
  return entry === name || (entry.startsWith(`${name}-`) && /^v?\d[^/]*\.tgz$/.test(entry.slice(name.length + 1)));
}
