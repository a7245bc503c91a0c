import { deployment, judge, nodeClass, nodePool, PoolFields, requiredAffinity, types } from './helper';
import { BudgetTooSmallToRoll } from '../../../src/validation/rules/budget-too-small-to-roll';

const rule = new BudgetTooSmallToRoll();
const apart = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } }] } } };
const judged = (budgets: object[], fields: PoolFields = {}) => judge(rule, [
  nodeClass(), nodePool('default', { requirements: [types('m5.large')], disruption: { consolidateAfter: '1m', budgets }, ...fields }), deployment('web', apart, { replicas: 20 }),
]);
/** Open from Saturday at midnight for an hour. */
const ALMOST_ALWAYS = { nodes: '0', schedule: '0 1 * * sat', duration: '167h' };

describe('KARP-418 budget-too-small-to-roll', () => {
  test('fails where a roll takes longer than the nodes live, and shows the sum', () => {
    const { states, findings } = judged([{ nodes: '1' }, ALMOST_ALWAYS], { expireAfter: '240h' });
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].evidence).toEqual({ nodes: 20, allowedAtATime: 1, secondsPerNode: 330, openPercent: 0.6, days: 12.9 });
  });

  test('passes where it is done before a month, or where none ever goes', () => {
    expect(judged([{ nodes: '1' }, ALMOST_ALWAYS]).states).toEqual(['pass NodePool/default']);
    expect(judged([{ nodes: '10%' }]).states).toEqual(['pass NodePool/default']);
    expect(judged([{ nodes: '0' }]).states).toEqual(['pass NodePool/default']);
    expect(judged([{ nodes: '100%' }], { expireAfter: '5m' }).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated where the budget is known only at deployment', () => {
    expect(judged([{ nodes: '${Nodes}' }]).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply to pools without nodes', () => {
    const elsewhere = deployment('web', requiredAffinity([{ key: 'team', operator: 'Exists' }]));
    expect(judge(rule, [nodeClass(), nodePool('default'), elsewhere]).outcomes).toEqual([]);
  });
});
