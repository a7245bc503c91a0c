import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const GENERATED = [
  'node_modules',
  '.venv',
  '.git',
  'lib',
  'dist',
  'coverage',
  'test-reports',
  '.jsii',
  '.jsii.gz',
  'cdk.out',
  'package-lock.json',
];
/** Programs of the conformance suite, and pages of the site. */
const BUILT = ['conformance/bin', 'docs/api', 'docs/public/playground'];

/** Paths of the project's own files, relative to its root: neither installed nor generated ones. */
export function projectFiles(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !GENERATED.includes(entry.name))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return BUILT.includes(path) ? [] : projectFiles(path);
      return entry.isFile() ? [path] : [];
    });
}
