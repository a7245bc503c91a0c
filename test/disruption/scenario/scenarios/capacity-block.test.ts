import { DEFAULT_NODE_CLASS, ReservationFacts } from '../../../../src/catalog';
import { ClusterPod, PodDisruptionBudget, runScenario, ScenarioReport } from '../../../../src/disruption';
import { Label } from '../../../../src/model';
import { input, isIn, ofTypes } from '../../../scheduling/builders';
import { anyPool, clusterOf, machine, MINUTE, NodeMore, NOW, pod } from '../../builders';

const ID = 'cr-0123';
const BLOCK: ReservationFacts = {
  id: ID,
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  type: 'capacity-block',
  interruptible: false,
  expiring: false,
};
const LABELS = { app: 'web' };
const NEVER: PodDisruptionBudget = {
  namespace: 'default',
  name: 'web',
  selector: { matchLabels: LABELS },
  maxUnavailable: 0,
};

const web = (name: string, more: Partial<ClusterPod> = {}) =>
  pod(name, { cpu: '1500m' }, { ...more, more: { labels: LABELS } });

function reserved(
  name: string,
  more: NodeMore = {},
  labels: Readonly<Record<string, string>> = { [Label.CAPACITY_RESERVATION_TYPE]: 'capacity-block' },
) {
  return machine(name, 'm5.large', [web(`web-${name}`)], {
    capacityType: 'reserved',
    labels: { [Label.CAPACITY_RESERVATION_ID]: ID, ...labels },
    ...more,
  });
}

function end(
  nodes: ReturnType<typeof machine>[],
  capacityTypes: string[],
  pdbs: readonly PodDisruptionBudget[] = [],
  reservation = BLOCK,
): ScenarioReport[] {
  const pools = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, ...capacityTypes)] })];
  const nodeClasses = [{ ...DEFAULT_NODE_CLASS, reservations: [reservation] }];
  const scheduling = input({ pools, pods: [], nodeClasses });
  return runScenario('capacity-block', clusterOf(nodes, { pools, pdbs, scheduling }), { start: NOW });
}

const events = ({ timeline }: ScenarioReport) =>
  timeline.filter(({ what }) => !what.startsWith('Deployment')).map(({ second, what }) => [second, what]);

describe('capacity-block', () => {
  test('drains the nodes 40 minutes before the block ends, and launches others outside of it', () => {
    const [report] = end([reserved('a')], ['reserved', 'on-demand']);
    expect(report.subject).toBe(`capacity block ${ID}`);
    expect(events(report)).toEqual([
      [0, `capacity block ${ID} ends in 40 min`],
      [0, 'a drains'],
      [0, 'default-new-0 is launched (m5.large, on-demand, us-east-1a)'],
      [10, 'a is terminated'],
      [60, 'default-new-0 is up'],
    ]);
    expect(report).toMatchObject({ pending: [], stuck: [], after: { nodes: 1 } });
  });

  test('leaves pods pending if the NodePool allows nothing else', () => {
    const [report] = end([reserved('a')], ['reserved']);
    expect(report).toMatchObject({ pending: ['default/web-new-0'], after: { nodes: 0 } });
  });

  test('terminates nodes that cannot be drained after ten minutes', () => {
    const [report] = end([reserved('a')], ['reserved', 'on-demand'], [NEVER]);
    expect(events(report)).toContainEqual([600, 'a is taken away']);
    expect(report.stuck).toEqual([]);
  });

  test('deletes pods earlier if the node has a shorter terminationGracePeriod', () => {
    const bounded = reserved('a', {
      claim: { createdAt: NOW - MINUTE, initializedAt: NOW - MINUTE, terminationGracePeriod: 2 * MINUTE },
    });
    const [report] = end([bounded], ['reserved', 'on-demand'], [NEVER]);
    expect(events(report)).toContainEqual([Math.ceil(92.7 + 10), 'a is terminated']);
  });

  test('returns a report for each block, and none for other nodes', () => {
    const other = reserved('b', {
      labels: { [Label.CAPACITY_RESERVATION_ID]: 'cr-0000', [Label.CAPACITY_RESERVATION_TYPE]: 'capacity-block' },
    });
    const reports = end([reserved('a'), other, reserved('c'), machine('d', 'm5.large')], ['reserved', 'on-demand']);
    expect(reports.map(({ subject, before }) => [subject, before.nodes])).toEqual([
      ['capacity block cr-0000', 4],
      [`capacity block ${ID}`, 4],
    ]);
    expect(end([machine('d', 'm5.large')], ['reserved'])).toEqual([]);
  });

  test('takes the type of the reservation from the node class if the node has no label for it', () => {
    expect(end([reserved('a', {}, {})], ['reserved'])).toHaveLength(1);
    expect(end([reserved('a', {}, {})], ['reserved'], [], { ...BLOCK, type: 'default' })).toEqual([]);
  });
});
