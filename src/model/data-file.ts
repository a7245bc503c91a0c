import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../data/');

/**
 * Reads and parses a file of data/. No other code reads this folder, so that a build for browsers needs to replace only
 * this module. The path holds from src/ and from lib/.
 *
 * @param name for example `regions/us-east-1.json`
 * @throws Error if there is no such file
 */
export function readDataFile<T>(name: string): T {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as T;
}

export function hasDataFile(name: string): boolean {
  return existsSync(join(FOLDER, name));
}
