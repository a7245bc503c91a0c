/**
 * Writes lib/bundle.js: all compiled modules and the libraries that they use, in one file. Removes the modules that are
 * in it, so that lib/ holds what is published. See decisions 9 and 17. Run after `jsii`.
 *
 * The modules are the compiled ones; only the folder in which each looks for its data is changed. Each module is run on
 * first use. The first line is a digest of the rest, under which the command line caches V8's compiled code.
 *
 * Also writes lib/index.js, which loads the bundle, the compressed code of HTML reports with charts,
 * lib/cli/rule-pages.json.br, which only `rules` reads, and NOTICE.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, Plugin } from 'esbuild';
import { bundlePage } from './bundle-page';
import { optionalPlus, writeReleasesOfPlus } from './cdk8s-plus-releases';
import { packagesOf, writeNotice } from './notice';
import { packRulePages } from './pack-rule-pages';
import { packageIndex, submodulesOf } from './package-index';
import { removeBundledFiles } from './published-files';
import { withShortImports, withShortLoaders, withShortLocals } from './short-names';

const ROOT = join(__dirname, '../..');
const LIB = join(ROOT, 'lib');
const BUNDLE = join(LIB, 'bundle.js');
/** Runs in the main thread of a terminal, beside the bundle in a thread of its own. */
const SUPERVISOR = join(LIB, 'cli', 'terminal', 'supervise.js');
/** Users install the peers and the AWS SDK. Only HTML reports with charts need the page. */
const EXTERNAL = [
  'aws-cdk-lib',
  'cdk8s',
  'constructs',
  '@aws-sdk/*',
  join(LIB, 'validation', 'report', 'html', 'page'),
];
/** What lib/index.js, the command line and the benchmarks load. */
const EXPORTED = submodulesOf(readFileSync(join(LIB, 'index.d.ts'), 'utf8'));
const GETTERS = [
  ...[...EXPORTED, 'validation', 'cli'].map((name) => `get ${name}() { return require('./${name}'); }`),
  "get resilientWorkloads() { return require('./workloads/private/classes-of-release').resilientWorkloads; }",
  "get Cdk8sValidation() { return require('./plugins/cdk8s-cli').Cdk8sValidation; }",
];
const ENTRY = `module.exports = { ${GETTERS.join(', ')} };`;

/** Rewrites `__dirname`, so that bundled modules still find the data next to their own file. */
const folders: Plugin = {
  name: 'folders',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(LIB)) return undefined;
      const fromBundle = relative(dirname(BUNDLE), dirname(path)).replaceAll('\\', '/');
      const text = await readFile(path, 'utf8');
      return {
        contents: await withShortLocals(
          withShortImports(text).replaceAll(
            '__dirname',
            `require("node:path").join(__dirname, ${JSON.stringify(fromBundle)})`,
          ),
        ),
      };
    }),
};

/** What the manifests are read with: the ES module of the library leaves out the rest, which is as large again. */
const YAML_EVENTS = 'COLLECTION_STYLE, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException';
const yamlEvents: Plugin = {
  name: 'yaml-events',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^js-yaml$/ }, ({ path, namespace }) =>
      namespace === 'yaml-events' ? undefined : { path, namespace: 'yaml-events' },
    );
    onLoad({ filter: /./, namespace: 'yaml-events' }, ({ path }) => ({
      contents: `export { ${YAML_EVENTS} } from ${JSON.stringify(path)};`,
      resolveDir: ROOT,
    }));
  },
};

/** A library imports it eagerly and rarely uses it. Loading it takes 1 % of a short command. */
const LOADED_ON_USE = 'node:child_process';
const onUse: Plugin = {
  name: 'on-use',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:child_process$/ }, ({ namespace }) => ({
      path: LOADED_ON_USE,
      ...(namespace === 'on-use' ? { external: true } : { namespace: 'on-use' }),
    }));
    onLoad({ filter: /./, namespace: 'on-use' }, ({ path }) => {
      const wanted = `require(${JSON.stringify(path)})`;
      return { contents: `module.exports = new Proxy({}, { get: (_, name) => ${wanted}[name] });` };
    });
  },
};

const shortLibraries: Plugin = {
  name: 'short-libraries',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      return { contents: await withShortLocals(await readFile(path, 'utf8')) };
    }),
};

/**
 * Names the packages whose code is in the text, since a text without white space has no comments that name files. The
 * digest is first, because the command line reads only it.
 */
function writeWithDigest(bundled: string, files: readonly string[]): void {
  // One non-ASCII character would double the memory that V8 needs for the text. esbuild does not escape those in
  // patterns.
  const packages = packagesOf(files).map(({ name }) => name);
  const text = `// Contains code of ${packages.join(', ')}.\n${withShortLoaders(bundled)}`.replace(
    /[^\x00-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  writeFileSync(BUNDLE, `// ${createHash('sha256').update(text).digest('hex')}\n${text}`);
}

/**
 * Returns the paths of the bundled files.
 *
 * @param names whether the local names are shortened: not if a stack trace should show the function's name
 */
async function bundle(
  contents: string,
  outfile: string,
  plugins: Plugin[],
  write: (text: string, files: readonly string[]) => void,
  names: 'short' | 'whole',
): Promise<string[]> {
  const {
    outputFiles: [output],
    metafile,
  } = await build({
    stdin: { contents, resolveDir: LIB, sourcefile: 'bundle.js' },
    outfile,
    bundle: true,
    minifyIdentifiers: names === 'short',
    minifySyntax: names === 'short',
    minifyWhitespace: true,
    // An uncaught error prints the whole line. Each line end takes room, because it separates what is repeated.
    lineLimit: names === 'short' ? undefined : 2000,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: EXTERNAL,
    plugins,
    logLevel: 'warning',
  });
  const files = Object.keys(metafile.inputs);
  write(output.text, files);
  return files;
}

async function bundleLibrary(): Promise<void> {
  const files = [
    ...(await bundle(
      // Only the imports of ES modules, which the compiled files do not have, leave out what is not used.
      `export * from ${JSON.stringify(join(ROOT, 'src', 'cli', 'terminal', 'supervise'))};`,
      SUPERVISOR,
      [],
      (text) => writeFileSync(SUPERVISOR, text),
      'short',
    )),
    ...(await bundle(
      ENTRY,
      BUNDLE,
      [folders, onUse, optionalPlus, yamlEvents, shortLibraries],
      writeWithDigest,
      'whole',
    )),
  ];
  writeFileSync(join(LIB, 'index.js'), packageIndex(EXPORTED));
  removeBundledFiles(LIB);
  writeReleasesOfPlus(LIB);
  packRulePages(join(LIB, 'cli', 'rule-pages.json.br'));
  writeNotice(join(ROOT, 'NOTICE'), packagesOf([...files, ...(await bundlePage())]));
}

bundleLibrary().catch((error: unknown) => {
  console.error(`bundle-lib: ${(error as Error).message}`);
  process.exitCode = 1;
});
