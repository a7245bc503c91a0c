import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, Plugin } from 'esbuild';

const ROOT = join(__dirname, '../..');

/** Bundled modules find the data next to their own source file. */
const folders: Plugin = {
  name: 'folders',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/](src|test)[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('__dirname', JSON.stringify(dirname(path))),
      loader: 'ts',
    })),
};

/**
 * Bundles the command line of the sources, for tests that run it in a process of its own.
 *
 * @returns the path of an executable file called karpenter-constructs
 */
export async function buildCommandLine(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
  await bundleSource('src/cli/process.ts', join(folder, 'bundle.js'));
  const file = join(folder, 'karpenter-constructs');
  writeFileSync(file, '#!/usr/bin/env node\nrequire("./bundle.js").runAsProcess();\n');
  chmodSync(file, 0o755);
  return file;
}

/** Bundles a source file and the packages that it uses, except those that users install. */
export async function bundleSource(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [join(ROOT, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    plugins: [folders],
    external: ['aws-cdk-lib', 'cdk8s', 'constructs', '@aws-sdk/*'],
  });
}
