import { ClusterNode, runScenario, ScenarioName } from '../../../../src/disruption';
import { isScarcity } from '../../../../src/disruption/scenario/scenarios/scarcity';
import { Label } from '../../../../src/model';
import { isIn, ofTypes } from '../../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW } from '../../builders';
import { TIMES, web, WEB } from '../web-workload';

const TYPES = ['m5.large', 'c5.large', 'm5.xlarge'];

function report(
  name: ScenarioName,
  nodes: readonly ClusterNode[],
  capacityTypes = ['on-demand', 'spot'],
  zones = ['us-east-1a', 'us-east-1b'],
) {
  const requirements = [ofTypes(...TYPES), isIn(Label.CAPACITY_TYPE, ...capacityTypes), isIn(Label.ZONE, ...zones)];
  const cluster = clusterOf(nodes, { pools: [anyPool({ requirements })], replicas: new Map([[WEB, nodes.length]]) });
  return runScenario(name, cluster, { start: NOW, times: TIMES });
}

const spot = (name: string, more = {}) =>
  machine(name, 'm5.large', [web(`web-${name}`)], { capacityType: 'spot', ...more });
const onDemand = (name: string, type = 'm5.large') => machine(name, type, [web(`web-${name}`)]);

describe('no-spot', () => {
  test('falls back to on-demand, at its price, and says how long pods wait', () => {
    const [{ fallback, before, after, pending }] = report('no-spot', [spot('a'), onDemand('b')]);
    expect(fallback).toEqual({
      by: 'capacity type',
      nodes: [
        { value: 'on-demand', before: 1, after: 2 },
        { value: 'spot', before: 1, after: 0 },
      ],
      waitingPods: 1,
      longestWaitSeconds: 60,
    });
    expect([after.usdPerHour > before.usdPerHour, pending]).toEqual([true, []]);
  });

  test('leaves pods pending if the NodePool allows spot only', () => {
    const [{ pending, unplaced, fallback }] = report('no-spot', [spot('a')], ['spot']);
    expect([pending.length, fallback?.waitingPods]).toEqual([1, 0]);
    expect(unplaced.map(({ why }) => why)).toEqual(['nodepool requirements filtered out all available instance types']);
  });

  test('names the NodePool without capacity if another one refuses the pods', () => {
    const limitedTo = (...capacityTypes: string[]) => [ofTypes(...TYPES), isIn(Label.CAPACITY_TYPE, ...capacityTypes)];
    const taints = [{ key: 'team', value: 'data', effect: 'NoSchedule' as const }];
    const pools = [
      anyPool({ requirements: limitedTo('spot') }),
      anyPool({ name: 'data', requirements: limitedTo('on-demand'), taints }),
    ];
    const cluster = clusterOf([spot('a')], { pools, replicas: new Map([[WEB, 1]]) });
    const [{ unplaced }] = runScenario('no-spot', cluster, { start: NOW, times: TIMES });
    expect(unplaced.map(({ why }) => why)).toEqual([
      expect.stringMatching(/^did not tolerate taint .*; EC2 launches no instance type of NodePool default now$/),
    ]);
  });

  test('cannot happen without a spot node', () => {
    expect(report('no-spot', [onDemand('a')])).toEqual([]);
  });
});

describe('no-type', () => {
  test('launches another family', () => {
    const [{ fallback, subject }] = report('no-type m5', [onDemand('a')], ['on-demand']);
    expect(subject).toBe('m5');
    expect(fallback?.nodes).toEqual([
      { value: 'c5', before: 0, after: 1 },
      { value: 'm5', before: 1, after: 0 },
    ]);
  });

  test('is about each family with nodes if none is named', () => {
    expect(report('no-type', [onDemand('a'), onDemand('b', 'c5.large')]).map(({ subject }) => subject)).toEqual([
      'c5',
      'm5',
    ]);
  });
});

describe('subnet-full', () => {
  test('launches in another zone', () => {
    const [{ fallback, subject }] = report('subnet-full', [onDemand('a')]);
    expect([subject, fallback?.nodes]).toEqual([
      'us-east-1a',
      [
        { value: 'us-east-1a', before: 1, after: 0 },
        { value: 'us-east-1b', before: 0, after: 1 },
      ],
    ]);
  });

  test('leaves pods pending if there is no other zone', () => {
    expect(report('subnet-full', [onDemand('a')], ['on-demand'], ['us-east-1a'])[0].pending).toHaveLength(1);
  });
});

describe('quota', () => {
  test('keeps the first nodes that it allows, and launches no on-demand vCPUs beyond it', () => {
    const [{ pending, fallback }] = report('quota 4', [onDemand('a'), onDemand('b'), onDemand('c')], ['on-demand']);
    expect(fallback?.nodes).toEqual([{ value: 'on-demand', before: 3, after: 2 }]);
    expect(pending).toHaveLength(1);
  });

  test('falls back to spot, which has a quota of its own', () => {
    const [{ pending, fallback }] = report('quota 4', [onDemand('a'), onDemand('b'), onDemand('c')]);
    expect(pending).toEqual([]);
    expect(fallback?.nodes).toContainEqual({ value: 'spot', before: 0, after: 1 });
  });

  test('launches what is left of it', () => {
    const nodes = [onDemand('a'), onDemand('b', 'm5.xlarge')];
    const [{ pending, fallback }] = report('quota 5', nodes, ['on-demand']);
    expect([pending, fallback?.nodes]).toEqual([[], [{ value: 'on-demand', before: 2, after: 2 }]]);
  });

  test('cannot happen if the nodes have fewer vCPUs', () => {
    expect(report('quota 4', [onDemand('a')])).toEqual([]);
  });
});

describe('isScarcity', () => {
  test.each(['no-spot', 'no-type', 'no-type m7i-flex', 'quota 64', 'subnet-full', 'reservation-full'])(
    'knows %s',
    (name) => {
      expect(isScarcity(name)).toBe(true);
    },
  );
  test.each(['quota', 'quota x', 'no-type M7!', 'drift', 'no-spot m5'])('does not know %s', (name) => {
    expect(isScarcity(name)).toBe(false);
  });
});
