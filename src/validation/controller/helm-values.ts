import { asRecord } from '../../contract';
import { parseYaml, readNamedFile } from '../../model';
import { CheckOptions } from '../check-options';

const MOST_BYTES = 1024 * 1024;

/**
 * Reads a file of Helm values of Karpenter's chart, for `CheckOptions.controllerValues`.
 *
 * @throws Error if the file cannot be read, or is not a YAML map
 */
export function readHelmValues(file: string): NonNullable<CheckOptions['controllerValues']> {
  const text = textOf(file);
  const values = asRecord(parsed(file, text));
  if (!values)
    throw new Error(
      `${file}: must be a YAML map with the Helm values of Karpenter; write keys such as settings: at the top level`,
    );
  return { file, values, text };
}

function textOf(file: string): string {
  try {
    return readNamedFile(file, MOST_BYTES).toString('utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): Error {
  return new Error(
    `${file}: cannot be read (${(error as Error).message.split('\n')[0]}); write the path of Karpenter's Helm values`,
    { cause: error },
  );
}
