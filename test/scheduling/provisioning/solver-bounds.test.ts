import { smallestChanges } from '../../../src/scheduling';
import { check } from '../../../src/validation';
import { deployment, NODE_CLASS, nodePool } from '../../validation/setup';
import { CATALOG, input, ofTypes, planOf, pods, pool } from '../builders';

const SCENE = {
  pools: [pool([ofTypes('m5.large')])],
  pods: [pods('web', 200, { cpu: '500m' }), pods('huge', 1, { cpu: '100' })],
};
/** Enough steps for the pools, but too few for the pods. */
const FEW = { solverBounds: { steps: 5000 } };
const REASON = 'the problem needs more than 5000 solver steps; check fewer pods or NodePools at once';

test('solver bounds › evaluate no pod if a bound is exceeded, and name the bound', () => {
  const plan = planOf({ ...SCENE, settings: FEW });
  expect(plan.notEvaluated.map(({ group, pods: { length }, causes }) => ({ group, length, causes }))).toEqual([
    { group: 0, length: 200, causes: [REASON] },
    { group: 1, length: 1, causes: [REASON] },
  ]);
  expect([plan.nodeClaims, plan.unschedulable]).toEqual([[], []]);
});

test('solver bounds › still list what the pools can launch', () => {
  expect(planOf({ ...SCENE, settings: FEW }).pools).toEqual(planOf(SCENE).pools);
});

test('solver bounds › propose no change for pods that are not evaluated', () => {
  expect(smallestChanges(input({ ...SCENE, settings: FEW }), CATALOG)).toEqual(new Map());
});

test('solver bounds › are reported by check for each pod', () => {
  const verdict = check(
    [
      {
        path: 'a.yaml',
        text: [NODE_CLASS, nodePool(['m5.large']), deployment('web', 40, 'cpu: 500m, memory: 1Gi')].join('---\n'),
      },
    ],
    FEW,
  );
  expect(verdict.notEvaluated).toHaveLength(40);
  expect(verdict.notEvaluated[0]).toEqual({ pod: 'default/web-0', what: [REASON] });
  expect(verdict.summary).toMatchObject({ pods: 40, scheduledPods: 0 });
});
