import { all, element } from './dom';
import { clockText, countText } from '../../src/model/text';

/** A slider under each chart of a scenario that tells the numbers at a time. */
export function startCourses(): void {
  for (const figure of all('figure[data-course]')) {
    const course = JSON.parse(figure.dataset.course!) as Array<[second: number, readyPods: number, nodes: number]>;
    const last = course[course.length - 1][0];
    const output = element('output');
    const slider = element('input', {
      type: 'range',
      min: '0',
      max: String(last),
      value: '0',
      'aria-label': 'Time of the scenario',
    }) as HTMLInputElement;
    const show = (): void => {
      const second = Number(slider.value);
      const [, ready, nodes] = course.reduce((before, entry) => (entry[0] <= second ? entry : before));
      output.textContent = `After ${clockText(second)}: ${countText(ready, 'pod')} ready, ${countText(nodes, 'node')}`;
    };
    slider.addEventListener('input', show);
    show();
    figure.append(element('div', { class: 'scrub' }, slider, output));
  }
}
