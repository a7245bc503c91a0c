import { isAbsolute, join } from 'path';
import { examineChart } from './chart-files';
import { asRecord } from '../../contract';
import { leadsInto, valueText } from '../../model';
import type { RootFlags } from '../options/root-options';

/** The fields of a chart that are texts. kustomize hands over some of them without a flag before them. */
const TEXTS = ['name', 'releasename', 'version', 'repo', 'nametemplate', 'namespace', 'kubeversion', 'valuesfile'];

/**
 * Why kustomize must not render the charts of a kustomization: helm would load plugins, take a name for an option, or
 * read outside of the repository. Undefined if it may.
 *
 * @param content with keys in lower case
 */
export function problemOfHelmCharts(
  content: Readonly<Record<string, unknown>>,
  folder: string,
  root: string,
  { allowNetwork = false }: RootFlags,
): string | undefined {
  if (content.helmchartinflationgenerator !== undefined)
    return `${folder} has a helmChartInflationGenerator, which runs a program that it names; write helmCharts`;
  const charts = Array.isArray(content.helmcharts) ? content.helmcharts : [];
  if ([content.helmglobals, ...charts].some(hasKeyTwice))
    return `helmCharts or helmGlobals of ${folder} has a key twice`;
  const globals = lowered(content.helmglobals);
  if (globals.confighome !== undefined)
    return `${folder} has helmGlobals.configHome, from which helm loads plugins; remove it`;
  const chartHome = typeof globals.charthome === 'string' ? globals.charthome : 'charts';
  const home = isAbsolute(chartHome) ? chartHome : join(folder, chartHome);
  if (!leadsInto(home, root)) return `helmGlobals.chartHome of ${folder} is outside of the repository`;
  for (const chart of charts.map(lowered)) {
    const option = [...TEXTS.map((key) => chart[key]), chart.apiversions, chart.additionalvaluesfiles]
      .flat()
      .find((text) => typeof text === 'string' && text.trim().startsWith('-'));
    if (option !== undefined)
      return `helmCharts of ${folder} has ${JSON.stringify(option)}, which helm would take for an option`;
    if (allowNetwork) continue;
    if (chart.repo !== undefined)
      return `helmCharts of ${folder} names a repo, which needs the network; pass --allow-network`;
    const { problem, foreignSchema } = examineChart(join(home, valueText(chart.name)), root);
    if (problem !== undefined) return problem;
    if (foreignSchema !== undefined)
      return `${foreignSchema} of a chart of ${folder} may refer to schemas on the network; pass --allow-network`;
  }
  return undefined;
}

/** kustomize takes keys in any case, so two of them may be one field. */
function hasKeyTwice(value: unknown): boolean {
  return Object.keys(lowered(value)).length !== Object.keys(asRecord(value) ?? {}).length;
}

function lowered(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(asRecord(value) ?? {}).map(([key, part]) => [key.toLowerCase(), part]));
}
