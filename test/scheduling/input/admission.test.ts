import { RequirementSpec } from '../../../src/model';
import { PodShape, SchedulingSession, solveInput } from '../../../src/scheduling';
import { CATALOG, input, isIn, node, ofTypes, planOf, pods, pool } from '../builders';

const SMALL = { cpu: '100m', memory: '64Mi' };
const NODE_POOL = 'karpenter.sh/nodepool';
const ABSENT: RequirementSpec = { key: NODE_POOL, operator: 'DoesNotExist' };
const NOT_OTHER: RequirementSpec = { key: NODE_POOL, operator: 'NotIn', values: ['other'] };
const REFUSED = /^configured to not run on a Karpenter provisioned node: /;

const prefers = (...terms: RequirementSpec[]): Partial<PodShape> => ({
  preferredNodeAffinity: terms.map((term, index) => ({ weight: 100 - index, term: { matchExpressions: [term] } })),
});
const requires = (...terms: RequirementSpec[]): Partial<PodShape> => ({
  requiredNodeAffinity: terms.map((term) => ({ matchExpressions: [term] })),
});
const planFor = (more: Partial<PodShape>, settings = {}) =>
  planOf({
    pools: [pool([ofTypes('m5.large')]), pool([ofTypes('m5.large')], { name: 'other' })],
    pods: [pods('web', 1, SMALL, more)],
    settings,
  });

describe('node affinity on karpenter.sh/nodepool', () => {
  test.each<[title: string, more: Partial<PodShape>]>([
    ['that prefers the absence of the label', prefers(ABSENT)],
    [
      'that requires all but one pool, and prefers that one',
      { ...requires(NOT_OTHER), ...prefers(isIn(NODE_POOL, 'other')) },
    ],
    [
      'that requires one pool, and prefers another one',
      { ...requires(isIn(NODE_POOL, 'default')), ...prefers(isIn(NODE_POOL, 'other')) },
    ],
    [
      'that selects one pool, and prefers another one',
      { nodeSelector: { [NODE_POOL]: 'default' }, ...prefers(isIn(NODE_POOL, 'other')) },
    ],
    [
      'that requires two pools at once',
      { nodeSelector: { [NODE_POOL]: 'default' }, ...requires(isIn(NODE_POOL, 'other')) },
    ],
  ])('refuses a pod %s', (_, more) => {
    for (const preferencePolicy of ['Respect', 'Ignore'] as const) {
      const plan = planFor(more, { preferencePolicy });
      expect(plan.nodeClaims).toEqual([]);
      expect(plan.unschedulable.map(({ pod, reasons }) => [pod, reasons[0].message])).toEqual([
        ['default/web-0', expect.stringMatching(REFUSED)],
      ]);
    }
  });

  test('names the preference and the requirement that exclude each other', () => {
    const plan = planFor({ ...requires(isIn(NODE_POOL, 'default')), ...prefers(isIn(NODE_POOL, 'other')) });
    expect(plan.unschedulable[0].reasons[0].message).toBe(
      'configured to not run on a Karpenter provisioned node: ' +
        'karpenter.sh/nodepool In [other] is its heaviest preference, which Karpenter counts as required here, ' +
        'and karpenter.sh/nodepool In [default] is required; remove the preference',
    );
  });

  test.each<[title: string, more: Partial<PodShape>]>([
    ['whose heaviest preference is another label', prefers(isIn('topology.kubernetes.io/zone', 'us-east-1b'), ABSENT)],
    [
      'whose second required term excludes the preference',
      { ...requires(isIn(NODE_POOL, 'other', 'default'), NOT_OTHER), ...prefers(isIn(NODE_POOL, 'other')) },
    ],
    ['that prefers a pool', prefers(isIn(NODE_POOL, 'other'))],
  ])('schedules a pod %s', (_, more) => {
    expect(planFor(more).nodeClaims).toHaveLength(1);
  });

  test('does not evaluate a pod that requires the absence of the label, or of that before 0.32', () => {
    const old: RequirementSpec = { key: 'karpenter.sh/provisioner-name', operator: 'DoesNotExist' };
    for (const absent of [ABSENT, old])
      expect(planFor(requires(absent)).notEvaluated.map(({ causes }) => causes)).toEqual([
        ['configured to not run on a Karpenter node'],
      ]);
    expect(planFor(requires(old, NOT_OTHER)).unschedulable).toHaveLength(1);
  });

  test('schedules a running pod that needs a new node, because Karpenter validates only pending pods', () => {
    const web = { ...pods('web', 1, SMALL, prefers(ABSENT)), rescheduled: true };
    expect(planOf({ pools: [pool([ofTypes('m5.large')])], pods: [web] }).nodeClaims).toHaveLength(1);
  });

  test('refuses the pending pod in a session that has rescheduled the same pod', () => {
    const web = pods('web', 1, SMALL, prefers(ABSENT));
    const session = new SchedulingSession(CATALOG);
    for (const group of [{ ...web, rescheduled: true }, web, { ...web, rescheduled: true }]) {
      const query = input({
        pools: [pool([ofTypes('m5.large')])],
        pods: [group],
        nodes: [node('a', { cpu: '2', memory: '4Gi' })],
      });
      expect(session.solve(query).ignored).toEqual(solveInput(query, CATALOG).ignored);
      expect(session.solve(query).ignored).toHaveLength(group === web ? 1 : 0);
    }
  });
});
