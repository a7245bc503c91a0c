import { budgetTooSmallToRoll } from '../../../../../src/validation/rules/disruption/budgets/budget-too-small-to-roll';
import { deployment, judge, nodeClass, nodePool, PoolFields, requiredAffinity, types } from '../../judge';

const rule = budgetTooSmallToRoll;
const apart = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  },
};
const judged = (budgets: object[], fields: PoolFields = {}) =>
  judge(rule, [
    nodeClass(),
    nodePool('default', {
      requirements: [types('m5.large')],
      disruption: { consolidateAfter: '1m', budgets },
      ...fields,
    }),
    deployment('web', apart, { replicas: 20 }),
  ]);
/** Allows disruption only from midnight to 1:00 on Saturdays. */
const OPEN_ONE_HOUR_A_WEEK = { nodes: '0', schedule: '0 1 * * sat', duration: '167h' };

describe('KARP-418 budget-too-small-to-roll', () => {
  test('reports a rollout that takes longer than nodes live, and shows the numbers', () => {
    const { states, findings } = judged([{ nodes: '1' }, OPEN_ONE_HOUR_A_WEEK], { expireAfter: '240h' });
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].evidence).toEqual({
      nodes: 20,
      allowedAtATime: 1,
      secondsPerNode: 330,
      openPercent: 0.6,
      days: 12.9,
    });
  });

  test('passes a rollout within a month, and budgets that never or always allow it', () => {
    expect(judged([{ nodes: '1' }, OPEN_ONE_HOUR_A_WEEK]).states).toEqual(['pass NodePool/default']);
    expect(judged([{ nodes: '10%' }]).states).toEqual(['pass NodePool/default']);
    expect(judged([{ nodes: '0' }]).states).toEqual(['pass NodePool/default']);
    expect(judged([{ nodes: '100%' }], { expireAfter: '5m' }).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated if the budget is known only at deployment', () => {
    expect(judged([{ nodes: '${Nodes}' }]).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply to NodePools without nodes', () => {
    const elsewhere = deployment('web', requiredAffinity([{ key: 'team', operator: 'Exists' }]));
    expect(judge(rule, [nodeClass(), nodePool('default'), elsewhere]).outcomes).toEqual([]);
  });
});
