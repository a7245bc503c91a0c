// eslint-disable-next-line import/no-extraneous-dependencies -- tools/build/bundle-page.ts bundles the used parts
import { EChartsCoreOption, init } from 'echarts';
import { Markup } from './markup';

/** In pixels. A browser scales the chart to the width of its column. */
const WIDTH = 720;
const GREY = '#8a8f98';

const AXIS = {
  axisLine: { lineStyle: { color: GREY } },
  axisTick: { lineStyle: { color: GREY } },
  axisLabel: { fontSize: 12 },
  splitLine: { lineStyle: { color: GREY, opacity: 0.25 } },
};

/** Grid options: distances from the edges include the axis labels. */
export const WITH_LABELS = { outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' };

export const LEGEND = { top: 0, left: 8, itemGap: 24, itemWidth: 14, itemHeight: 10, icon: 'roundRect' };

/**
 * A chart as SVG, drawn without a browser. The same options give the same bytes.
 *
 * @param id of the chart, unique in its page
 * @param label describes the chart for screen readers
 */
export function chart(id: string, label: string, height: number, options: EChartsCoreOption): Markup {
  const renderer = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  renderer.setOption({ animation: false, textStyle: { fontFamily: 'inherit' }, ...options });
  const svg = renderer.renderToSVGString();
  renderer.dispose();
  return new Markup(
    svg
      .replace(/ class="[^"]*"/g, '')
      .replace(/<style[^]*?<\/style>/g, '')
      // ECharts numbers its charts per process; the id makes the output reproducible.
      .replace(/zr\d+-/g, `${id}-`)
      .replace(/^<svg width="\d+" height="\d+"/, `<svg role="img" aria-label="${label.replace(/[&<>"]/g, ' ')}"`),
  );
}

export function valueAxis(more: object = {}): object {
  return { type: 'value', ...AXIS, ...more };
}

export function categoryAxis(more: object = {}): object {
  return { type: 'category', ...AXIS, ...more };
}
