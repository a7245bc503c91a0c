import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chartParts } from './chart-parts';
import { writeCompressedModule } from './compressed-module';

const PAGE = join(__dirname, '../../lib/validation/report/html/page.js');
/** Only imports of ES modules, which the compiled files do not have, leave out what is not used. */
const SOURCE = join(__dirname, '../../src/validation/report/html/page.ts');
const MODULES = join(__dirname, '../../node_modules');

/** Notices that the licences of the bundled libraries require. */
function notices(): string {
  const texts = ['echarts/NOTICE', 'zrender/LICENSE'].map(
    (file) => `${file}\n\n${readFileSync(join(MODULES, file), 'utf8').trim()}`,
  );
  return `/*\nThis file contains parts of Apache ECharts (Apache License 2.0) and ZRender.\n\n${texts.join('\n\n').replaceAll('*/', '* /')}\n*/`;
}

/**
 * Bundles the chart code of the HTML report into lib/validation/report/html/page.js, with only the used parts of the
 * chart library, whose package is a hundred times larger.
 *
 * @returns the paths of the bundled files
 */
export async function bundlePage(): Promise<string[]> {
  const {
    outputFiles: [bundle],
    metafile,
  } = await build({
    entryPoints: [SOURCE],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    plugins: [chartParts(MODULES)],
    logLevel: 'warning',
  });
  writeCompressedModule(PAGE, bundle.text, notices());
  return Object.keys(metafile.inputs);
}
