/**
 * Builds the playground of the documentation site, a page that checks manifests in the browser, into
 * docs/public/playground/. `npx projen playground` runs it. All files but index.html are in a folder named by a digest
 * of them, so that a browser never mixes files of two builds.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync, build, Metafile, Plugin } from 'esbuild';
import { chartParts } from './chart-parts';
import { licencesOf, packagesOf } from './notice';
import { NEWEST_KARPENTER_VERSION } from '../../src/contract';
import { CLIENT } from '../../src/validation/report/html/client.generated';
import { STYLE } from '../../src/validation/report/html/style';
import { COLORS } from '../../src/validation/report/html/style/colors';

const ROOT = join(__dirname, '../..');
const SOURCE = join(ROOT, 'browser', 'playground');
const DATA = join(ROOT, 'data');
const MODULES = join(ROOT, 'node_modules');
/** Modules of Node.js that the engine imports, and what replaces them in a browser. */
const NODE_MODULES = ['crypto', 'fs', 'net', 'path', 'url', 'util'];

const COMMON = {
  bundle: true,
  write: false,
  minify: true,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  charset: 'ascii',
  metafile: true,
  logLevel: 'warning',
} as const;

/** Reads data/ from what the page has fetched, instead of from the disk. */
const fetchedData: Plugin = {
  name: 'fetched-data',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/data-file$/ }, ({ importer }) =>
      importer.startsWith(join(ROOT, 'src')) ? { path: join(SOURCE, 'engine', 'data-file.ts') } : undefined,
    ),
};

const regions = readdirSync(join(DATA, 'regions')).sort();
/** Files that every check may read. Those of regions are fetched when they are needed. */
const baseFiles = [
  'catalog.json',
  'karpenter-cel.json',
  'kubelet-configuration.json',
  'kubernetes-fields.json',
  ...readdirSync(join(DATA, 'karpenter-api'))
    .sort()
    .map((name) => `karpenter-api/${name}`),
];
const regionFiles = regions.map((name) => `regions/${name}`);

function dataText(name: string): string {
  return readFileSync(join(DATA, name), 'utf8');
}

/** The minor versions of Karpenter, newest first. The newest is the default. */
function versions(): string[] {
  const [major, minor] = NEWEST_KARPENTER_VERSION.split('.').map(Number);
  return [NEWEST_KARPENTER_VERSION, ...Array.from({ length: minor }, (_, index) => `${major}.${minor - 1 - index}`)];
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/**
 * The page, its worker and the report in it may load files of the same origin only. The report has an inline script and
 * style, which are named by their hashes, and style attributes. The worker and the report are blobs, because only then
 * this policy applies to them, too.
 */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' ${hashSource(CLIENT)}`,
  'worker-src blob:',
  'frame-src blob:',
  "connect-src 'self'",
  `style-src 'self' ${hashSource(STYLE)}`,
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function gzipped(text: string): Uint8Array {
  return gzipSync(text, { level: 9 });
}

/** The licences of the packages in a bundle, as they require. */
function licences({ inputs }: Metafile): string {
  const own = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
  return `${licencesOf(packagesOf(Object.keys(inputs)))}\n${'-'.repeat(80)}\nLICENSE\n\n${own}`;
}

/**
 * @param output a folder, which is emptied
 */
export async function buildPlayground(output: string): Promise<void> {
  const engine = await build({
    ...COMMON,
    entryPoints: [join(SOURCE, 'engine', 'worker.ts')],
    alias: Object.fromEntries(
      NODE_MODULES.flatMap((name) =>
        [name, `node:${name}`].map((specifier) => [specifier, join(SOURCE, 'node', `${name}.ts`)]),
      ),
    ),
    inject: [join(SOURCE, 'node', 'buffer.ts')],
    define: { DATA_FILES: JSON.stringify([...baseFiles, ...regionFiles]) },
    plugins: [fetchedData, chartParts(MODULES)],
  });
  const page = buildSync({
    ...COMMON,
    entryPoints: [join(SOURCE, 'main.ts')],
    loader: { '.yaml': 'text' },
    define: {
      REGIONS: JSON.stringify(regions.map((name) => name.replace('.json', ''))),
      VERSIONS: JSON.stringify(versions()),
    },
  });
  const assets = new Map<string, string | Uint8Array>([
    ['engine.js', engine.outputFiles[0].text],
    ['main.js', page.outputFiles[0].text],
    ['style.css', `${COLORS}${readFileSync(join(SOURCE, 'style.css'), 'utf8')}`],
    ['licences.txt', licences(engine.metafile)],
    ['base.json.gz', gzipped(JSON.stringify(Object.fromEntries(baseFiles.map((name) => [name, dataText(name)]))))],
    ...regionFiles.map((name): [string, Uint8Array] => [`data/${name}.gz`, gzipped(dataText(name))]),
  ]);
  const digest = createHash('sha256');
  for (const [name, content] of assets) digest.update(name).update(content);
  const folder = digest.digest('hex').slice(0, 12);
  if (existsSync(output)) rmSync(output, { recursive: true });
  for (const [name, content] of assets) {
    const path = join(output, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const html = readFileSync(join(SOURCE, 'index.html'), 'utf8')
    .replaceAll('%ASSETS%', folder)
    .replaceAll('%POLICY%', POLICY)
    .replaceAll('%VERSION%', NEWEST_KARPENTER_VERSION);
  writeFileSync(join(output, 'index.html'), html);
}

if (require.main === module) {
  buildPlayground(join(ROOT, 'docs', 'public', 'playground')).catch((error: unknown) => {
    console.error(`build-playground: ${(error as Error).message}`);
    process.exitCode = 1;
  });
}
