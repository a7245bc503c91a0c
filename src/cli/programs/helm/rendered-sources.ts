import { join } from 'path';
import type { SourceFile } from '../../../validation';

/** The comment that helm writes above each manifest: the name of the chart, and the path of the template in it. */
const SOURCE = /^# Source: [^/\s]+\/((?:[\w.-]+\/)*[\w.-]+)\r?$/m;
const SEPARATOR = /^---\r?$/m;

/**
 * What helm prints, divided by the templates that the manifests are made from.
 *
 * @param places the folders of charts that helm has read as a part of this one, by their place in it @default - none
 */
export function sourcesOf(text: string, chart: string, places: ReadonlyMap<string, string> = new Map()): SourceFile[] {
  const byTemplate = new Map<string, string[]>();
  let template = '';
  for (const part of text.split(SEPARATOR)) {
    // A manifest without a comment is from the template of the manifest above it.
    template = SOURCE.exec(part)?.[1] ?? template;
    byTemplate.set(template, [...(byTemplate.get(template) ?? []), part]);
  }
  return [...byTemplate]
    .filter(([, parts]) => parts.some((part) => part.trim() !== ''))
    .map(([path, parts]) => ({
      path: `${isInside(path) ? placeOf(path) : chart} (helm template)`,
      text: parts.join('---'),
      isFound: true,
      isGenerated: true,
    }));

  function placeOf(path: string): string {
    // The innermost chart is the last one.
    const outer = [...places.keys()].reverse().find((inside) => path.startsWith(`${inside}/`));
    return outer === undefined ? join(chart, path) : join(places.get(outer)!, path.slice(outer.length + 1));
  }
}

/** Templates can write such comments, too. */
function isInside(path: string): boolean {
  return path !== '' && !path.split('/').includes('..');
}
