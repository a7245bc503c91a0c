/**
 * Puts what draws charts into lib/validation/report/html/page.js: of the library, which as a package is a hundred times larger, only what the page
 * uses. Run after `jsii`, before `bundle-cli.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, Plugin } from 'esbuild';

const PAGE = join(__dirname, '../lib/validation/report/html/page.js');
const MODULES = join(__dirname, '../node_modules');

/** The kinds of charts, and what stands around them: one that is missing here draws nothing. */
const PARTS = `
import { use } from 'echarts/core';
import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
use([BarChart, LineChart, GridComponent, LegendComponent, SVGRenderer]);
export { init } from 'echarts/core';
`;

const parts: Plugin = {
  name: 'parts',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^echarts$/ }, () => ({ path: 'echarts', namespace: 'parts' }));
    onLoad({ filter: /./, namespace: 'parts' }, () => ({ contents: PARTS, resolveDir: MODULES }));
  },
};

/** What their licences ask for. */
function notices(): string {
  const texts = ['echarts/NOTICE', 'zrender/LICENSE'].map((file) => `${file}\n\n${readFileSync(join(MODULES, file), 'utf8').trim()}`);
  return `/*\nThis file contains parts of Apache ECharts (Apache License 2.0) and ZRender.\n\n${texts.join('\n\n').replaceAll('*/', '* /')}\n*/`;
}

build({
  entryPoints: [PAGE],
  bundle: true,
  write: false,
  minify: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // In the package already, and loaded by whoever renders.
  external: ['picocolors'],
  plugins: [parts],
  banner: { js: notices() },
  logLevel: 'warning',
}).then(({ outputFiles: [bundle] }) => writeFileSync(PAGE, bundle.text)).catch((error: unknown) => {
  console.error(`bundle-page: ${(error as Error).message}`);
  process.exitCode = 1;
});
