import { readNamedFile } from '../../model';
import { UsageError } from '../io';
import { quoted } from '../options/choice-option';
import type { RootFlags } from '../options/root-options';
import type { GivenValues } from '../programs/helm/helm-template';

const MOST_BYTES = 1024 * 1024;

/**
 * The values for charts that the command line names.
 *
 * @throws UsageError if a file cannot be read, or a value has no key
 */
export function givenValues({ values = [], set = [] }: Pick<RootFlags, 'values' | 'set'>): GivenValues {
  const pair = set.find((text) => !/^[^=]+=/.test(text));
  if (pair !== undefined)
    throw new UsageError(`--set: ${quoted(pair)} has no key and value; write for example --set replicaCount=3`);
  return { set, values: values.map(readValues) };
}

function readValues(file: string): string {
  try {
    return readNamedFile(file, MOST_BYTES).toString('utf8');
  } catch (error) {
    throw new UsageError(`--values: ${file} cannot be read, ${(error as Error).message}; name a file of Helm values`);
  }
}
