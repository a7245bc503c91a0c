/**
 * Writes lib/cli/bundle.js: everything that `check` and most other commands load, in one file. A process that lives for
 * less than a second would otherwise spend a quarter of its time on finding, reading and compiling six hundred files.
 * Run after `jsii`. The modules are the compiled ones; only the folder in which each looks for its data is changed. The
 * first line is a digest of the rest, under which the command line caches V8's compiled code.
 */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, Plugin } from 'esbuild';

const LIB = join(__dirname, '../lib');
const BUNDLE = join(LIB, 'cli', 'bundle.js');
/** Not bundled: only a few commands and inputs need these modules. */
const RARELY_NEEDED = [join(LIB, 'conversion'), join(LIB, 'validation', 'report', 'html', 'page'), 'cli-table3', '@bufbuild/cel'];

/** Rewrites `__dirname`, so that bundled modules still find the data next to their own file. */
const folders: Plugin = {
  name: 'folders',
  setup: ({ onLoad }) => onLoad({ filter: /\.js$/ }, async ({ path }) => {
    if (!path.startsWith(LIB)) return undefined;
    const fromBundle = relative(dirname(BUNDLE), dirname(path)).replaceAll('\\', '/');
    const text = await readFile(path, 'utf8');
    return { contents: text.replaceAll('__dirname', `require("node:path").join(__dirname, ${JSON.stringify(fromBundle)})`) };
  }),
};

/** A library imports it eagerly and rarely uses it. Loading it takes 1 % of a short command. */
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
  // One non-ASCII character would double the memory that V8 needs for the text. esbuild does not escape those in
  // patterns.
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
