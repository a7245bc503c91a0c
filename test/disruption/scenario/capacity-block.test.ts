import { DEFAULT_NODE_CLASS, ReservationFacts } from '../../../src/catalog';
import { ClusterPod, PodBudget, runScenario, ScenarioReport } from '../../../src/disruption';
import { Label } from '../../../src/model';
import { input, isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, clusterOf, machine, MINUTE, NodeMore, NOW, pod } from '../builders';

const ID = 'cr-0123';
const BLOCK: ReservationFacts = { id: ID, instanceType: 'm5.large', zone: 'us-east-1a', type: 'capacity-block', interruptible: false, expiring: false };
const LABELS = { app: 'web' };
const NEVER: PodBudget = { namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, maxUnavailable: 0 };

const web = (name: string, more: Partial<ClusterPod> = {}) => pod(name, { cpu: '1500m' }, { ...more, more: { labels: LABELS } });

function reserved(name: string, more: NodeMore = {}, labels: Readonly<Record<string, string>> = { [Label.CAPACITY_RESERVATION_TYPE]: 'capacity-block' }) {
  return machine(name, 'm5.large', [web(`web-${name}`)], { capacityType: 'reserved', labels: { [Label.CAPACITY_RESERVATION_ID]: ID, ...labels }, ...more });
}

function end(nodes: ReturnType<typeof machine>[], capacityTypes: string[], pdbs: readonly PodBudget[] = [], reservation = BLOCK): ScenarioReport[] {
  const pools = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, ...capacityTypes)] })];
  const nodeClasses = [{ ...DEFAULT_NODE_CLASS, reservations: [reservation] }];
  const scheduling = input({ pools, pods: [], nodeClasses });
  return runScenario('capacity-block', clusterOf(nodes, { pools, pdbs, scheduling }), { start: NOW });
}

const told = ({ timeline }: ScenarioReport) => timeline.filter(({ what }) => !what.startsWith('Deployment')).map(({ second, what }) => [second, what]);

describe('the end of a capacity block', () => {
  test('drains its nodes 40 minutes before, with others launched for their pods outside of the block', () => {
    const [report] = end([reserved('a')], ['reserved', 'on-demand']);
    expect(report.subject).toBe(`capacity block ${ID}`);
    expect(told(report)).toEqual([
      [0, `capacity block ${ID} ends in 40 minutes`],
      [0, 'a drains'],
      [0, 'default-new-0 is launched (m5.large, on-demand, us-east-1a)'],
      [10, 'a is gone'],
      [60, 'default-new-0 is up'],
    ]);
    expect(report).toMatchObject({ pending: [], stuck: [], after: { nodes: 1 } });
  });

  test('leaves pods without a node where the pool launches nothing else', () => {
    const [report] = end([reserved('a')], ['reserved']);
    expect(report).toMatchObject({ pending: ['default/web-new-0'], after: { nodes: 0 } });
  });

  test('takes nodes that never drain ten minutes later', () => {
    const [report] = end([reserved('a')], ['reserved', 'on-demand'], [NEVER]);
    expect(told(report)).toContainEqual([600, 'a is taken away']);
    expect(report.stuck).toEqual([]);
  });

  test('ends pods sooner where the node is to drain within its terminationGracePeriod', () => {
    const bounded = reserved('a', { claim: { createdAt: NOW - MINUTE, initializedAt: NOW - MINUTE, terminationGracePeriod: 2 * MINUTE } });
    const [report] = end([bounded], ['reserved', 'on-demand'], [NEVER]);
    expect(told(report)).toContainEqual([Math.ceil(92.7 + 10), 'a is gone']);
  });

  test('is of each block by itself, and of none for other nodes', () => {
    const other = reserved('b', { labels: { [Label.CAPACITY_RESERVATION_ID]: 'cr-0000', [Label.CAPACITY_RESERVATION_TYPE]: 'capacity-block' } });
    const reports = end([reserved('a'), other, reserved('c'), machine('d', 'm5.large')], ['reserved', 'on-demand']);
    expect(reports.map(({ subject, before }) => [subject, before.nodes])).toEqual([['capacity block cr-0000', 4], [`capacity block ${ID}`, 4]]);
    expect(end([machine('d', 'm5.large')], ['reserved'])).toEqual([]);
  });

  test('is told by the node class where the node has no label of the type', () => {
    expect(end([reserved('a', {}, {})], ['reserved'])).toHaveLength(1);
    expect(end([reserved('a', {}, {})], ['reserved'], [], { ...BLOCK, type: 'default' })).toEqual([]);
  });
});
