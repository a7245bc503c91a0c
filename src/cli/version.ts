import { readFileSync } from 'fs';
import { join } from 'path';

/** The version of this package. */
export function packageVersion(): string {
  const file = join(__dirname, '..', '..', 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
