import { basename, extname } from 'path';
import { asRecord } from '../../contract';
import { readRegularText } from '../../model';

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
export function isForeignSchema(path: string): boolean {
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
