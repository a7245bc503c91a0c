import { basename, extname } from 'path';
import { asRecord } from '../../contract';
import { readRegularText } from '../../model';

const MOST_BYTES = 16 * 1024 * 1024;
/** References that a schema cannot hide: helm knows the schemas of these drafts. */
const KNOWN_DRAFT = /^https?:\/\/json-schema\.org\//;
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

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
  return key === '$schema' && !KNOWN_DRAFT.test(text);
}
