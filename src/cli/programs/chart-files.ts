import { lstatSync, readdirSync, realpathSync, statSync } from 'fs';
import { join, relative } from 'path';
import { isForeignSchema } from './chart-schemas';
import { leadsInto } from '../../model';

const MOST_FILES = 20_000;

export interface ExaminedChart {
  /** Why helm must not read the chart. @default - it may */
  readonly problem?: string;
  /**
   * The first file with which helm could open other files or addresses, to validate the values.
   *
   * @default - there is none
   */
  readonly foreignSchema?: string;
}

/**
 * Examines the files of a chart before helm reads them: helm follows links wherever they lead, and templates can print
 * every file of the chart.
 *
 * @param root the repository of the chart
 */
export function examineChart(chart: string, root: string): ExaminedChart {
  const seen = new Set<string>();
  let files = 0;
  let foreignSchema: string | undefined;
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
      if (foreignSchema === undefined && stats.isFile() && isForeignSchema(path)) foreignSchema = shown;
      const problem = stats.isDirectory() ? problemIn(path) : undefined;
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  try {
    const problem = leadsInto(chart, root) ? problemIn(chart) : 'the chart is outside of the repository';
    return { problem, foreignSchema };
  } catch (error) {
    return { problem: `the chart cannot be read, ${(error as Error).message}` };
  }
}
