import { lstatSync, readdirSync, realpathSync, statSync } from 'fs';
import { join, relative, basename, extname } from 'path';
import { asRecord } from '../../contract';
import { leadsInto, readRegularText } from '../../model';

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

const MOST_BYTES = 16 * 1024 * 1024;
/** The drafts that helm has inside. It would download any other. */
const KNOWN_DRAFT = /^https?:\/\/json-schema\.org\/(?:(?:draft-0[467]|draft\/2019-09|draft\/2020-12)\/)?schema#?$/;
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
const IDS = ['$id', 'id'];
/** Releases before 3.18 do not find a schema by such an id: they download it for each reference inside of it. */
const ID_WITH_FRAGMENT = /^[^#]+#./;

/**
 * Whether helm could open other files or addresses to validate values with this file of a chart. An archive of a chart
 * may have such a schema, too.
 */
function isForeignSchema(path: string): boolean {
  if (extname(path) === '.tgz') return true;
  if (basename(path) !== 'values.schema.json') return false;
  try {
    return hasForeignReference(JSON.parse(readRegularText(path, MOST_BYTES)));
  } catch {
    return true;
  }
}

function hasForeignReference(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasForeignReference);
  return Object.entries(asRecord(schema) ?? {}).some(
    ([key, value]) =>
      (typeof value === 'string' && isForeign(key, value)) || (value !== null && hasForeignReference(value)),
  );
}

function isForeign(key: string, text: string): boolean {
  if (REFERENCES.includes(key)) return !text.startsWith('#');
  if (IDS.includes(key)) return ID_WITH_FRAGMENT.test(text);
  return key === '$schema' && !KNOWN_DRAFT.test(text);
}
