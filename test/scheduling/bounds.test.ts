import { CATALOG, input, ofTypes, planOf, pods, pool } from './builders';
import { smallestChanges } from '../../src/scheduling';
import { check } from '../../src/validation';
import { deployment, NODE_CLASS, nodePool } from '../validation/setup';

const SCENE = { pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 200, { cpu: '500m' }), pods('huge', 1, { cpu: '100' })] };
/** Enough for the pool, and too little for the pods. */
const FEW = { solverBounds: { steps: 5000 } };
const REASON = 'the problem needs more than 5000 solver steps; check fewer pods or NodePools at once';

test('where the solver runs into a bound no pod is evaluated, and the reason is the bound', () => {
  const plan = planOf({ ...SCENE, settings: FEW });
  expect(plan.notEvaluated.map(({ group, pods: { length }, what }) => ({ group, length, what }))).toEqual([
    { group: 0, length: 200, what: [REASON] }, { group: 1, length: 1, what: [REASON] },
  ]);
  expect([plan.nodeClaims, plan.unschedulable]).toEqual([[], []]);
});

test('what the pools can launch is known all the same', () => {
  expect(planOf({ ...SCENE, settings: FEW }).pools).toEqual(planOf(SCENE).pools);
});

test('no change is proposed for pods that were not evaluated', () => {
  expect(smallestChanges(input({ ...SCENE, settings: FEW }), CATALOG)).toEqual(new Map());
});

test('check says which bound it was, of each pod', () => {
  const verdict = check([{ path: 'a.yaml', text: [NODE_CLASS, nodePool(['m5.large']), deployment('web', 40, 'cpu: 500m, memory: 1Gi')].join('---\n') }], FEW);
  expect(verdict.notEvaluated).toHaveLength(40);
  expect(verdict.notEvaluated[0]).toEqual({ pod: 'default/web-0', what: [REASON] });
  expect(verdict.summary).toMatchObject({ pods: 40, scheduledPods: 0 });
});
