import { runScenario } from '../../../src/disruption';
import { clusterOf, NOW } from '../builders';
import { single } from './web-workload';

const CLUSTER = clusterOf(Array.from({ length: 12 }, (_, index) => single(`node-${index}`)));
const consolidated = (maxWork?: number) => runScenario('consolidation', CLUSTER, { start: NOW, maxWork })[0];

describe('the bound on the work of a simulation', () => {
  test('stops the simulation, and the report has what happened up to then', () => {
    const whole = consolidated();
    const stopped = consolidated(150);
    expect(whole).toMatchObject({ unfinished: false });
    expect(whole.stopped).toBeUndefined();
    expect(stopped).toMatchObject({ unfinished: true, stopped: true });
    expect(stopped.seconds).toBeLessThan(whole.seconds);
    expect(whole.timeline.slice(0, stopped.timeline.length)).toEqual(stopped.timeline);
  });

  test('stops within a pass that tries many nodes', () => {
    expect(consolidated(13)).toMatchObject({ stopped: true, timeline: [] });
  });

  test('counts work the same way every time', () => {
    for (const maxWork of [1, 40, 150, 400]) expect(consolidated(maxWork)).toEqual(consolidated(maxWork));
  });
});
