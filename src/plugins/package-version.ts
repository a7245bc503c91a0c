import { readFileSync } from 'fs';
import { join } from 'path';

/** Of this package, as its package.json has it. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string }).version;
}
