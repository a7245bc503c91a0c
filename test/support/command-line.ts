import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, BuildOptions, Plugin } from 'esbuild';

const ROOT = join(__dirname, '../..');

/** Bundled modules find the data next to their own source file. */
const folders: Plugin = {
  name: 'folders',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/](src|test|examples)[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('__dirname', JSON.stringify(dirname(path))),
      loader: 'ts',
    })),
};

/**
 * Bundles the command line of the sources, for tests that run it in a process of its own. It starts like the package,
 * with compiled code that an earlier process has cached. The suites of a worker share one bundle.
 *
 * @returns the path of an executable file called karpenter-constructs, beside a folder lib with bundle.js
 */
export function buildCommandLine(): Promise<string> {
  built ??= commandLine();
  return built;
}

let built: Promise<string> | undefined;

async function commandLine(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
  await Promise.all([
    bundle({
      stdin: { contents: "export * as cli from './src/cli/process';", resolveDir: ROOT },
      outfile: join(folder, 'lib/bundle.js'),
      // The name of the cache has this digest. Nothing else has a cache in this folder.
      banner: { js: `// ${'0'.repeat(64)}` },
      plugins: [folders],
    }),
    bundle({ entryPoints: [join(ROOT, 'src/cli/start.ts')], outfile: join(folder, 'lib/cli/start.js') }),
  ]);
  const file = join(folder, 'karpenter-constructs');
  writeFileSync(file, '#!/usr/bin/env node\nrequire("./lib/cli/start").start();\n');
  chmodSync(file, 0o755);
  return file;
}

/** Bundles a source file and the packages that it uses, except those that users install. */
export function bundleSource(entry: string, outfile: string): Promise<void> {
  return bundle({ entryPoints: [join(ROOT, entry)], outfile, plugins: [folders] });
}

/** Bundles a program whose imports are relative to the root of the project, like `bundleSource`. */
export function bundleText(contents: string, outfile: string): Promise<void> {
  return bundle({ stdin: { contents, resolveDir: ROOT }, outfile, plugins: [folders] });
}

async function bundle(program: BuildOptions): Promise<void> {
  await build({
    ...program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    external: ['aws-cdk-lib', '@aws-cdk/*', 'cdk8s', 'constructs', '@aws-sdk/*'],
  });
}
