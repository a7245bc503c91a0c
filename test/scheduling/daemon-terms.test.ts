import { CATALOG, daemonSet, isIn, node, ofTypes, planOf, pods, pool } from './builders';
import { RequirementSpec } from '../../src/model';
import { DaemonSetSpec, ExistingNode } from '../../src/scheduling';

const ARCH = 'kubernetes.io/arch';
const AMOUNT = { cpu: '1500m', memory: '64Mi' };
const REQUEST = 1500n;

function oneOf(...terms: RequirementSpec[]): DaemonSetSpec {
  return daemonSet('agent', AMOUNT, { requiredNodeAffinity: terms.map((term) => ({ matchExpressions: [term] })) });
}

/** What the daemonset requests of each type of the pool, in millicores. */
function overheads(agent: DaemonSetSpec, ...types: string[]): Record<string, bigint> {
  const [view] = planOf({ pools: [pool([ofTypes(...types)])], pods: [], daemonSets: [agent] }).pools;
  return Object.fromEntries(view.instanceTypes.map((type, at) => [type, view.daemonOverhead[at].get('cpu') ?? 0n]));
}

/** Karpenter looks at the types in no order that means anything; here it is that of the catalogue. */
describe('of ORed terms of a daemonset', () => {
  const [AMD, ARM] = ['m5.2xlarge', 'm6g.2xlarge'];

  test('the first counts for types that come before any that does not meet it', () => {
    expect(CATALOG.names.indexOf(AMD)).toBeLessThan(CATALOG.names.indexOf(ARM));
    expect(overheads(oneOf(isIn(ARCH, 'amd64'), isIn(ARCH, 'arm64')), AMD, ARM)).toEqual({ [AMD]: REQUEST, [ARM]: REQUEST });
  });

  test('one that a type has not met is forgotten for the types after it', () => {
    expect(overheads(oneOf(isIn(ARCH, 'arm64'), isIn(ARCH, 'amd64')), AMD, ARM)).toEqual({ [AMD]: REQUEST, [ARM]: 0n });
  });

  test('the last is never forgotten', () => {
    expect(overheads(oneOf(isIn('team', 'none'), isIn(ARCH, 'arm64')), AMD, ARM)).toEqual({ [AMD]: 0n, [ARM]: REQUEST });
  });

  test('those forgotten over one pool are forgotten for the next', () => {
    const agent = oneOf(isIn(ARCH, 'arm64'), isIn(ARCH, 'amd64'));
    const pools = [pool([ofTypes(AMD)], { name: 'first', weight: 2 }), pool([ofTypes(ARM)], { name: 'second', weight: 1 })];
    const [first, second] = planOf({ pools, pods: [], daemonSets: [agent] }).pools;
    expect([first.daemonOverhead[0].get('cpu'), second.daemonOverhead[0].get('cpu')]).toEqual([REQUEST, undefined]);
  });
});

describe('on a node that is there', () => {
  const web = pods('web', 2, { cpu: '500m' }, { tolerations: [{ operator: 'Exists' }] });
  const filled = (agent: DaemonSetSpec, more: Partial<ExistingNode>, types: string) => {
    const { filledNodes } = planOf({ pools: [pool([ofTypes(types)])], pods: [web], daemonSets: [agent], nodes: [node('n1', { cpu: '2', memory: '4Gi' }, more)] });
    return filledNodes.flatMap((each) => each.pods).length;
  };

  test('only the first of the terms that the pools have left counts', () => {
    const agent = oneOf(isIn(ARCH, 'arm64'), isIn(ARCH, 'amd64'));
    expect(filled(agent, { labels: { [ARCH]: 'amd64' } }, 'm5.2xlarge')).toBe(1);
    expect(filled(agent, { labels: { [ARCH]: 'amd64' } }, 'm6g.2xlarge')).toBe(2);
  });

  test('a taint that would rather not have it keeps no daemonset away', () => {
    expect(filled(daemonSet('agent', AMOUNT), { taints: [{ key: 'spot', effect: 'PreferNoSchedule' }] }, 'm5.2xlarge')).toBe(1);
  });

  test('such a taint does where no pool has a type that it could launch, as Karpenter then has asked about no daemonset before', () => {
    expect(filled(daemonSet('agent', AMOUNT), { taints: [{ key: 'spot', effect: 'PreferNoSchedule' }] }, 'no.such')).toBe(2);
  });
});
