import { judge, nodePool } from './helper';
import { BudgetNeverAllows } from '../../../src/validation/rules/budget-never-allows';

const rule = new BudgetNeverAllows();
const judged = (budgets: object[] | undefined) => judge(rule, [nodePool('default', { disruption: { consolidateAfter: '1m', budgets } })]);
const ALWAYS = { nodes: '0' };

describe('KARP-417 budget-never-allows', () => {
  test.each<[string, object[], string[]]>([
    ['none at any time', [ALWAYS], ['Drifted', 'Empty', 'Underutilized']],
    ['no percent of them', [{ nodes: '0%' }], ['Drifted', 'Empty', 'Underutilized']],
    ['none that has drifted', [{ nodes: '10%' }, { ...ALWAYS, reasons: ['Drifted'] }], ['Drifted']],
    ['none day and night', [{ ...ALWAYS, schedule: '@daily', duration: '24h' }], ['Drifted', 'Empty', 'Underutilized']],
    ['none by day, and none by night', [{ ...ALWAYS, schedule: '0 8 * * *', duration: '12h' }, { ...ALWAYS, schedule: '0 20 * * *', duration: '12h' }],
      ['Drifted', 'Empty', 'Underutilized']],
    ['none on a day that never comes, which for Karpenter is each', [{ ...ALWAYS, schedule: '0 0 31 2 *', duration: '1h' }], ['Drifted', 'Empty', 'Underutilized']],
    ['something at a time that Karpenter cannot read', [{ nodes: '5', schedule: '0 9 * * 7', duration: '1h' }], ['Drifted', 'Empty', 'Underutilized']],
    ['none for a week from each Monday on', [{ ...ALWAYS, schedule: '@weekly', duration: '168h' }], ['Drifted', 'Empty', 'Underutilized']],
  ])('fails for budgets that allow %s', (_, budgets, reasons) => {
    const { states, findings } = judged(budgets);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0]).toMatchObject({ severity: undefined, evidence: { reasons } });
  });

  test('warns where only savings are given up', () => {
    const [finding] = judged([{ ...ALWAYS, reasons: ['Underutilized'] }]).findings;
    expect(finding).toMatchObject({ severity: 'warning', message: expect.stringContaining('for the reason Underutilized: nodes are never consolidated') });
  });

  test.each<[string, object[] | undefined]>([
    ['the default', undefined],
    ['no budget at all', []],
    ['a budget about nothing', [{ ...ALWAYS, reasons: [] }]],
    ['a gap of an hour a day', [{ ...ALWAYS, schedule: '0 1 * * *', duration: '23h' }]],
    ['hours within those of another one, which count once', [
      { ...ALWAYS, schedule: '0 1 * * *', duration: '23h' }, { ...ALWAYS, schedule: '0 2 * * *', duration: '1h' }, { ...ALWAYS, schedule: '0 3 * * *', duration: '2h' },
    ]],
    ['office hours', [{ ...ALWAYS, schedule: '0 9 * * mon-fri', duration: '8h' }]],
  ])('passes %s', (_, budgets) => {
    expect(judged(budgets).states).toEqual(['pass NodePool/default']);
  });

  test.each<[string, object]>([
    ['a static pool', { replicas: 3, disruption: { consolidateAfter: '1m', budgets: [{ ...ALWAYS, reasons: ['Empty', 'Underutilized'] }] } }],
    ['one that never consolidates', { disruption: { consolidateAfter: 'Never', budgets: [{ ...ALWAYS, reasons: ['Empty', 'Underutilized'] }] } }],
    ['one that removes empty nodes alone', { disruption: { consolidateAfter: '1m', consolidationPolicy: 'WhenEmpty', budgets: [{ ...ALWAYS, reasons: ['Underutilized'] }] } }],
  ])('passes budgets about what %s does not do anyway', (_, fields) => {
    expect(judge(rule, [nodePool('default', fields)]).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated where it is known only at deployment', () => {
    expect(judged([{ nodes: '${Nodes}' }]).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, []).outcomes).toEqual([]);
  });
});
