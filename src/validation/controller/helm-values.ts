import { readFileSync } from 'fs';
import { parse } from 'yaml';
import { asRecord } from '../../contract';
import { CheckOptions } from '../options';

/**
 * The values of Karpenter's chart in a file, for `CheckOptions.controllerValues`.
 *
 * @throws Error if it cannot be read, or is no YAML of values
 */
export function readHelmValues(file: string): NonNullable<CheckOptions['controllerValues']> {
  const values = asRecord(parsed(file));
  if (!values) throw new Error(`${file}: must hold the Helm values of Karpenter, got something else; write keys such as settings: at the top`);
  return { file, values };
}

function parsed(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: cannot be read, ${(error as Error).message.split('\n')[0]}; name the file of Karpenter's Helm values`, { cause: error });
  }
}
