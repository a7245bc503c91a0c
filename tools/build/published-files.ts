/** Removes from lib/ the files that lib/bundle.js replaces, so that lib/ holds what is published. */
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Modules that are loaded from their own file. The start of the command line is, because it loads the bundle. */
const SCRIPTS = [
  'index.js',
  'cli/start.js',
  'cli/terminal/supervise.js',
  'bundle.js',
  'validation/report/html/page.js',
];
const TYPES = ['index.d.ts'];
/** Not searched for references: each of them loads, of lib/, only scripts. */
const BUNDLES = new Set(['cli/terminal/supervise.js', 'bundle.js', 'validation/report/html/page.js']);
const REQUIRED = /\brequire\(['"](\.{1,2}\/[^'"]+)['"]\)/g;
const IMPORTED = /\bfrom '(\.{1,2}[^']*)'|\bimport\("(\.{1,2}[^"]*)"\)/g;
const SOURCE_MAP = /^\/\/# sourceMappingURL=.*\n?/m;

/** Peers that npm does not install. */
const OPTIONAL_IMPORT = /^import .* from '(?:aws-cdk-lib|cdk8s-plus-28)(?:\/[\w-]+)*';$/gm;

/** Modules with this name export functions between submodules, and nothing public. */
const INTERNALS = /^export \* from '\.\/internals';\n/m;

/**
 * Keeps the scripts, their modules, and the types that `index.d.ts` refers to. Removes source maps. Lets types compile
 * without the optional peers: TypeScript then takes the types of a missing peer as `any`.
 */
export function removeBundledFiles(lib: string): void {
  for (const file of filesIn(lib).filter((path) => path.endsWith('index.d.ts')))
    writeFileSync(file, readFileSync(file, 'utf8').replace(INTERNALS, ''));
  const kept = new Set([...closure(lib, SCRIPTS, REQUIRED, '.js'), ...closure(lib, TYPES, IMPORTED, '.d.ts')]);
  for (const path of filesIn(lib)) {
    if (!kept.has(path)) rmSync(path);
    else {
      const text = readFileSync(path, 'utf8').replace(SOURCE_MAP, '');
      writeFileSync(path, path.endsWith('.d.ts') ? text.replace(OPTIONAL_IMPORT, '// @ts-ignore\n$&') : text);
    }
  }
  removeEmptyFolders(lib);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The files, and all files that they refer to. */
function closure(lib: string, start: readonly string[], reference: RegExp, extension: string): Set<string> {
  const found = new Set<string>(start.map((name) => join(lib, name)));
  for (const file of found) {
    if (BUNDLES.has(file.slice(lib.length + 1))) continue;
    for (const [, first, second] of readFileSync(file, 'utf8').matchAll(reference))
      found.add(resolve(join(dirname(file), first ?? second), extension));
  }
  return found;
}

/** @throws Error if there is no such module */
function resolve(module: string, extension: string): string {
  const path = [`${module}${extension}`, join(module, `index${extension}`)].find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`${module}: no ${extension} file with this name in lib/`);
  return path;
}

function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
