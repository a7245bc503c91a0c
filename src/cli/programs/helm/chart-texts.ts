import { existsSync, readdirSync } from 'fs';
import { join, normalize } from 'path';
import { readRegularText } from '../../../model';
import type { ChartFile } from '../../../validation';

const MOST_FILES = 500;
const MOST_BYTES = 1024 * 1024;
const MOST_DEPTH = 8;
/** Files that helm makes manifests of, with the definitions that they include. */
const TEMPLATE = /\.(?:ya?ml|tpl)$/;

/**
 * The templates and default values of a chart and its subcharts. A chart with more files than are read has none.
 *
 * @param chart which helm may read
 * @param places the folders of charts that helm has read as a part of this one, by their place in it
 * @param changed texts that differ from those on the disk, by their paths
 */
export function filesOfChart(
  chart: string,
  places: ReadonlyMap<string, string>,
  changed: ReadonlyMap<string, string>,
): ChartFile[] {
  const files: ChartFile[] = [];
  try {
    for (const [inside, folder] of [['', chart] as const, ...places]) addChart(inside, folder, 0);
  } catch {
    return [];
  }
  return files.length > MOST_FILES ? [] : files;

  function addChart(inside: string, folder: string, depth: number): void {
    for (const name of ['Chart.yaml', 'values.yaml']) if (existsSync(join(folder, name))) add(inside, folder, name);
    addTemplates(join(inside, 'templates'), join(folder, 'templates'), depth);
    if (depth >= MOST_DEPTH) return;
    for (const name of foldersIn(join(folder, 'charts')))
      if (existsSync(join(folder, 'charts', name, 'Chart.yaml')))
        addChart(join(inside, 'charts', name), join(folder, 'charts', name), depth + 1);
  }

  function addTemplates(inside: string, folder: string, depth: number): void {
    if (!existsSync(folder) || depth > MOST_DEPTH) return;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) addTemplates(join(inside, entry.name), join(folder, entry.name), depth + 1);
      else if (TEMPLATE.test(entry.name)) add(inside, folder, entry.name);
    }
  }

  function add(inside: string, folder: string, name: string): void {
    const path = join(folder, name);
    if (files.length > MOST_FILES) return;
    files.push({
      inside: join(inside, name),
      path,
      text: changed.get(normalize(path)) ?? readRegularText(path, MOST_BYTES),
    });
  }
}

/** The path in the chart of a file, as helm reads it. Undefined for a file of another folder. */
export function placeInside(path: string, chart: string, places: ReadonlyMap<string, string>): string | undefined {
  for (const [inside, folder] of [...[...places].reverse(), ['', chart] as const]) {
    const start = `${normalize(folder).replace(/(.)\/$/, '$1')}/`;
    if (path.startsWith(start)) return join(inside, path.slice(start.length));
  }
  return undefined;
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
