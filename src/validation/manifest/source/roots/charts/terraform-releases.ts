import { normalize } from 'path';
import { ChartRelease } from './chart-release';
import { SourceFile } from '../../../model';

/** How `helm_release` resources deploy charts of the repository: each uses the nearest folder that has its chart. */
export function terraformReleases(traces: readonly SourceFile[], charts: ReadonlySet<string>): ChartRelease[] {
  return traces.flatMap(({ path, trace }) =>
    (trace?.releases ?? []).flatMap(({ charts: candidates, ...release }): ChartRelease[] => {
      const chart = candidates.map(normalize).find((folder) => charts.has(folder));
      return chart === undefined ? [] : [{ ...release, chart, definedIn: path }];
    }),
  );
}
