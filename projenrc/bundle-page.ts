/**
 * Bundles the chart code of the HTML report into lib/validation/report/html/page.js, with only the used parts of the
 * chart library, whose package is a hundred times larger. Run after `jsii` and before `bundle-cli.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, Plugin } from 'esbuild';

const PAGE = join(__dirname, '../lib/validation/report/html/page.js');
const MODULES = join(__dirname, '../node_modules');

/** The chart types and components that the page uses. A missing one draws nothing. */
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

/** Notices that the licences of the bundled libraries require. */
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
  // Already in the package; the renderer loads it.
  external: ['picocolors'],
  plugins: [parts],
  banner: { js: notices() },
  logLevel: 'warning',
}).then(({ outputFiles: [bundle] }) => writeFileSync(PAGE, bundle.text)).catch((error: unknown) => {
  console.error(`bundle-page: ${(error as Error).message}`);
  process.exitCode = 1;
});
