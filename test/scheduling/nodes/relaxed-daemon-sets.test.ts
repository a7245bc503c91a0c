import { RequirementSpec } from '../../../src/model';
import { DaemonSetSpec, ExistingNode } from '../../../src/scheduling';
import { CATALOG, daemonSet, isIn, node, ofTypes, planOf, pods, pool } from '../builders';

const ARCH = 'kubernetes.io/arch';
const AMOUNT = { cpu: '1500m', memory: '64Mi' };
const REQUEST = 1500n;

function oneOf(...terms: RequirementSpec[]): DaemonSetSpec {
  return daemonSet('agent', AMOUNT, { requiredNodeAffinity: terms.map((term) => ({ matchExpressions: [term] })) });
}

/** Daemonset overhead by instance type, in millicores. */
function overheads(agent: DaemonSetSpec, ...types: string[]): Record<string, bigint> {
  const [view] = planOf({ pools: [pool([ofTypes(...types)])], pods: [], daemonSets: [agent] }).pools;
  return Object.fromEntries(view.instanceTypes.map((type, at) => [type, view.daemonOverhead[at].get('cpu') ?? 0n]));
}

/** Karpenter's order of types is arbitrary; the tests assume catalog order. */
describe('ORed node affinity terms of a daemonset', () => {
  const [AMD, ARM] = ['m5.2xlarge', 'm6g.2xlarge'];

  test('use the first term for types before the first type that does not meet it', () => {
    expect(CATALOG.names.indexOf(AMD)).toBeLessThan(CATALOG.names.indexOf(ARM));
    expect(overheads(oneOf(isIn(ARCH, 'amd64'), isIn(ARCH, 'arm64')), AMD, ARM)).toEqual({
      [AMD]: REQUEST,
      [ARM]: REQUEST,
    });
  });

  test('drop a term after the first type that does not meet it', () => {
    expect(overheads(oneOf(isIn(ARCH, 'arm64'), isIn(ARCH, 'amd64')), AMD, ARM)).toEqual({ [AMD]: REQUEST, [ARM]: 0n });
  });

  test('never drop the last term', () => {
    expect(overheads(oneOf(isIn('team', 'none'), isIn(ARCH, 'arm64')), AMD, ARM)).toEqual({
      [AMD]: 0n,
      [ARM]: REQUEST,
    });
  });

  test('keep terms dropped for the next pool', () => {
    const agent = oneOf(isIn(ARCH, 'arm64'), isIn(ARCH, 'amd64'));
    const pools = [
      pool([ofTypes(AMD)], { name: 'first', weight: 2 }),
      pool([ofTypes(ARM)], { name: 'second', weight: 1 }),
    ];
    const [first, second] = planOf({ pools, pods: [], daemonSets: [agent] }).pools;
    expect([first.daemonOverhead[0].get('cpu'), second.daemonOverhead[0].get('cpu')]).toEqual([REQUEST, undefined]);
  });
});

describe('daemonset on an existing node', () => {
  const web = pods('web', 2, { cpu: '500m' }, { tolerations: [{ operator: 'Exists' }] });
  const filled = (agent: DaemonSetSpec, more: Partial<ExistingNode>, types: string) => {
    const { filledNodes } = planOf({
      pools: [pool([ofTypes(types)])],
      pods: [web],
      daemonSets: [agent],
      nodes: [node('n1', { cpu: '2', memory: '4Gi' }, more)],
    });
    return filledNodes.flatMap((each) => each.pods).length;
  };

  test('uses only the first remaining term', () => {
    const agent = oneOf(isIn(ARCH, 'arm64'), isIn(ARCH, 'amd64'));
    expect(filled(agent, { labels: { [ARCH]: 'amd64' } }, 'm5.2xlarge')).toBe(1);
    expect(filled(agent, { labels: { [ARCH]: 'amd64' } }, 'm6g.2xlarge')).toBe(2);
  });

  test('ignores PreferNoSchedule taints', () => {
    expect(
      filled(daemonSet('agent', AMOUNT), { taints: [{ key: 'spot', effect: 'PreferNoSchedule' }] }, 'm5.2xlarge'),
    ).toBe(1);
  });

  test('respects PreferNoSchedule taints if no pool has an instance type, because Karpenter then has relaxed no daemonset', () => {
    expect(
      filled(daemonSet('agent', AMOUNT), { taints: [{ key: 'spot', effect: 'PreferNoSchedule' }] }, 'no.such'),
    ).toBe(2);
  });
});
