/**
 * Writes lib/cli/bundle.js, all that `check` and most other commands load in one file: a process that lives for less than a second
 * otherwise spends a quarter of it on finding, reading and compiling six hundred. Run after `jsii`. The modules are the compiled ones,
 * unchanged but for the folder that each looks for its data in. The first line is a digest of the rest: src/cli/compiled-module.ts keeps
 * what V8 makes of the file under that.
 */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, Plugin } from 'esbuild';

const LIB = join(__dirname, '../lib');
const BUNDLE = join(LIB, 'cli', 'bundle.js');
/** Loaded where they are, by the few commands and inputs that need them. */
const RARELY_NEEDED = [join(LIB, 'conversion'), join(LIB, 'validation', 'report', 'html', 'page'), 'cli-table3', '@bufbuild/cel'];

/** Modules that read data beside them find it from the folder of the bundle. */
const folders: Plugin = {
  name: 'folders',
  setup: ({ onLoad }) => onLoad({ filter: /\.js$/ }, async ({ path }) => {
    if (!path.startsWith(LIB)) return undefined;
    const fromBundle = relative(dirname(BUNDLE), dirname(path)).replaceAll('\\', '/');
    const text = await readFile(path, 'utf8');
    return { contents: text.replaceAll('__dirname', `require("node:path").join(__dirname, ${JSON.stringify(fromBundle)})`) };
  }),
};

/** A library names it at its beginning and hardly ever uses it, and it takes a hundredth of a short command to load. */
const LOADED_ON_USE = 'node:child_process';
const onUse: Plugin = {
  name: 'on-use',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:child_process$/ }, ({ namespace }) =>
      ({ path: LOADED_ON_USE, ...namespace === 'on-use' ? { external: true } : { namespace: 'on-use' } }));
    onLoad({ filter: /./, namespace: 'on-use' }, ({ path }) => {
      const wanted = `require(${JSON.stringify(path)})`;
      return { contents: `module.exports = new Proxy({}, { get: (_, name) => ${wanted}[name] });` };
    });
  },
};

function write(bundled: string): void {
  const folder = dirname(BUNDLE);
  // With one character that is not ASCII, V8 keeps all of the text in twice the memory; esbuild leaves those of patterns.
  const text = bundled.replace(/[^\x00-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  for (const kept of readdirSync(folder).filter((name) => name.endsWith('.cache'))) rmSync(join(folder, kept));
  writeFileSync(BUNDLE, `// ${createHash('sha256').update(text).digest('hex')}\n${text}`);
}

build({
  entryPoints: [join(LIB, 'cli', 'index.js')],
  outfile: BUNDLE,
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  external: RARELY_NEEDED,
  plugins: [folders, onUse],
  logLevel: 'warning',
}).then(({ outputFiles: [bundle] }) => write(bundle.text)).catch((error: unknown) => {
  console.error(`bundle-cli: ${(error as Error).message}`);
  process.exitCode = 1;
});
