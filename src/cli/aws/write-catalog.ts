import { mkdirSync } from 'fs';
import { dirname } from 'path';
import { leadsInto, repositoryRoot } from '../../model';
import { UsageError } from '../io';
import { replaceWholeFile } from '../output/whole-file';

/**
 * Replaces a catalogue as a whole.
 *
 * @throws UsageError if the file cannot be written
 */
export function writeCatalog(file: string, text: string): void {
  try {
    if (leadsInto(file, repositoryRoot(file))) mkdirSync(dirname(file), { recursive: true });
    replaceWholeFile(file, text);
  } catch (error) {
    throw new UsageError(`--output: cannot be written, ${(error as Error).message}; name a writable file or folder`);
  }
}
