import { budgetWindowAssumedToCoverExpiry } from '../../../../../src/validation/rules/disruption/budgets/budget-window-assumed-to-cover-expiry';
import { judge, nodePool, PoolFields } from '../../judge';

const rule = budgetWindowAssumedToCoverExpiry;
const OFFICE_HOURS = { nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h' };
const judged = (budgets: object[], fields: PoolFields = {}) =>
  judge(rule, [nodePool('default', { ...fields, disruption: { consolidateAfter: '1m', budgets } })]);

describe('KARP-405 budget-window-assumed-to-cover-expiry', () => {
  test('reports a window without disruption in which nodes expire, and its share of the time', () => {
    const { states, findings } = judged([{ nodes: '10%' }, OFFICE_HOURS]);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].evidence).toEqual({ expireAfter: '720h', blockedPercent: 24 });
    expect(findings[0].path).toEqual(['spec', 'disruption', 'budgets', 1]);
  });

  test('takes the expiry of EKS Auto Mode after 14 days, and does not advise to switch it off', () => {
    const [finding] = judged([OFFICE_HOURS], {
      nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' },
    }).findings;
    expect(finding.message).toContain('budgets do not apply to expiry after 14 days');
    expect(finding.remedy).toBe('protect the pods with PodDisruptionBudgets');
  });

  test('does not apply before 1.0, where budgets limit expiry', () => {
    const disruption = { consolidateAfter: '1m', budgets: [OFFICE_HOURS] };
    expect(judge(rule, [nodePool('default', { disruption })], { servingVersion: '0.37.0' }).outcomes).toEqual([]);
  });

  test('does not apply to a window for consolidation only', () => {
    expect(judged([{ ...OFFICE_HOURS, reasons: ['Underutilized', 'Empty'] }]).outcomes).toEqual([]);
    expect(judged([{ ...OFFICE_HOURS, reasons: ['Drifted'] }]).findings).toHaveLength(1);
  });

  test('passes a window in which few nodes expire', () => {
    const sunday = { nodes: '0', schedule: '0 22 * * 0', duration: '6h' };
    expect(judged([sunday]).states).toEqual(['pass NodePool/default']);
    expect(judged([{ ...sunday, duration: '17h' }]).states).toEqual(['fail NodePool/default']);
  });

  test('passes nodes that never expire', () => {
    expect(judged([OFFICE_HOURS], { expireAfter: 'Never' }).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated if the schedule is known only at deployment', () => {
    expect(judged([{ ...OFFICE_HOURS, schedule: '${Schedule}' }]).states).toEqual(['not-evaluated NodePool/default']);
  });

  test.each([
    [[{ ...OFFICE_HOURS, duration: undefined }]],
    [[{ ...OFFICE_HOURS, duration: '1d' }]],
    [[{ ...OFFICE_HOURS, nodes: 0 }]],
    [[null as unknown as object]],
  ])('is not evaluated for %j, which the API server rejects', (budgets) => {
    expect(judged(budgets).whys).toEqual(['the NodePool is invalid as written']);
  });

  test.each([[[]], [[{ nodes: '0' }]], [[{ ...OFFICE_HOURS, nodes: '1' }]]])('does not apply to %j', (budgets) => {
    expect(judged(budgets).outcomes).toEqual([]);
  });
});
