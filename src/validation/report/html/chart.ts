// eslint-disable-next-line import/no-extraneous-dependencies -- projenrc/bundle-page.ts puts what is used of it into the package
import { EChartsCoreOption, init } from 'echarts';
import { Markup } from './markup';

/** Pixels. A browser scales it to the column that it stands in. */
const WIDTH = 720;
const GREY = '#8a8f98';

const AXIS = {
  axisLine: { lineStyle: { color: GREY } },
  axisTick: { lineStyle: { color: GREY } },
  axisLabel: { fontSize: 12 },
  splitLine: { lineStyle: { color: GREY, opacity: 0.25 } },
};

/** Of a grid: its distances from the edges are those of its labels. */
export const WITH_LABELS = { outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' };

export const LEGEND = { top: 0, left: 8, itemGap: 24, itemWidth: 14, itemHeight: 10, icon: 'roundRect' };

/**
 * A chart as SVG, drawn without a browser: the same option gives the same bytes.
 *
 * @param id of the chart in its page
 * @param label what it shows, for whoever cannot see it
 */
export function chart(id: string, label: string, height: number, option: EChartsCoreOption): Markup {
  const drawn = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  drawn.setOption({ animation: false, textStyle: { fontFamily: 'inherit' }, ...option });
  const svg = drawn.renderToSVGString();
  drawn.dispose();
  return new Markup(svg
    .replace(/ class="[^"]*"/g, '')
    .replace(/<style[^]*?<\/style>/g, '')
    // It numbers all that it has ever drawn in the process.
    .replace(/zr\d+-/g, `${id}-`)
    .replace(/^<svg width="\d+" height="\d+"/, `<svg role="img" aria-label="${label.replace(/[&<>"]/g, ' ')}"`));
}

export function valueAxis(more: object = {}): object {
  return { type: 'value', ...AXIS, ...more };
}

export function categoryAxis(more: object = {}): object {
  return { type: 'category', ...AXIS, ...more };
}
