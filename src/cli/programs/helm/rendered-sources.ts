import { join } from 'path';
import type { SourceFile } from '../../../validation';

/** The comment that helm writes above each manifest: the name of the chart, and the path of the template in it. */
const SOURCE = /^# Source: [^/\s]+\/((?:[\w.-]+\/)*[\w.-]+)\r?$/m;
const SEPARATOR = /^---\r?$/m;

/** What helm prints, divided by the templates that the manifests are made from. */
export function sourcesOf(text: string, chart: string): SourceFile[] {
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
      path: `${isInside(path) ? join(chart, path) : chart} (helm template)`,
      text: parts.join('---'),
      isFound: true,
      isGenerated: true,
    }));
}

/** Templates can write such comments, too. */
function isInside(path: string): boolean {
  return path !== '' && !path.split('/').includes('..');
}
