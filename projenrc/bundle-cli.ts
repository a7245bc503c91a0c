/**
 * Writes lib/cli/bundle.js, all that `check` and most other commands load in one file: a process that lives for less than a second
 * otherwise spends a quarter of it on finding, reading and compiling six hundred. Run after `jsii`. The modules are the compiled ones,
 * unchanged but for the folder that each looks for its data in.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, Plugin } from 'esbuild';

const LIB = join(__dirname, '../lib');
const BUNDLE = join(LIB, 'cli', 'bundle.js');
/** Loaded where they are, by the few commands and inputs that need them. */
const RARELY_NEEDED = [join(LIB, 'conversion'), 'cli-table3', '@bufbuild/cel'];

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

build({
  entryPoints: [join(LIB, 'cli', 'index.js')],
  outfile: BUNDLE,
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: RARELY_NEEDED,
  plugins: [folders],
  logLevel: 'warning',
}).catch(() => { process.exitCode = 1; });
