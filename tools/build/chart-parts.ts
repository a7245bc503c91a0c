import { Plugin } from 'esbuild';

/** The chart types and components that the HTML report uses. A missing one draws nothing. */
const PARTS = `
import { use } from 'echarts/core';
import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
use([BarChart, LineChart, GridComponent, LegendComponent, SVGRenderer]);
export { init } from 'echarts/core';
`;

/**
 * Bundles only the used parts of the chart library, whose package is a hundred times larger.
 *
 * @param modules the folder of node modules
 */
export function chartParts(modules: string): Plugin {
  return {
    name: 'chart-parts',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^echarts$/ }, () => ({ path: 'echarts', namespace: 'chart-parts' }));
      onLoad({ filter: /./, namespace: 'chart-parts' }, () => ({ contents: PARTS, resolveDir: modules }));
    },
  };
}
