import { lstatSync, readdirSync, realpathSync, statSync } from 'fs';
import { join, relative } from 'path';
import { leadsInto } from '../../model';

const MOST_FILES = 20_000;

/**
 * Why helm must not read a chart: helm follows links wherever they lead, and templates can print every file of the
 * chart. Undefined if it may.
 *
 * @param root the repository of the chart
 */
export function problemOfChart(chart: string, root: string): string | undefined {
  const seen = new Set<string>();
  let files = 0;
  const problemIn = (folder: string): string | undefined => {
    const real = realpathSync(folder);
    if (seen.has(real)) return undefined;
    seen.add(real);
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      const shown = relative(chart, path);
      if (++files > MOST_FILES) return `the chart has more than ${MOST_FILES} files`;
      const isLink = lstatSync(path).isSymbolicLink();
      if (isLink && !leadsInto(path, root)) return `the link ${shown} of the chart leads out of the repository`;
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return `the link ${shown} of the chart leads nowhere`;
      if (!stats.isDirectory() && !stats.isFile()) return `${shown} of the chart is not a regular file`;
      const problem = stats.isDirectory() ? problemIn(path) : undefined;
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  try {
    return leadsInto(chart, root) ? problemIn(chart) : 'the chart is outside of the repository';
  } catch (error) {
    return `the chart cannot be read, ${(error as Error).message}`;
  }
}
