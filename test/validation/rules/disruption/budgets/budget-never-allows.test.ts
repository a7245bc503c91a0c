import { budgetNeverAllows } from '../../../../../src/validation/rules/disruption/budgets/budget-never-allows';
import { judge, nodePool } from '../../judge';

const rule = budgetNeverAllows;
const judged = (budgets: object[] | undefined) =>
  judge(rule, [nodePool('default', { disruption: { consolidateAfter: '1m', budgets } })]);
const ALWAYS = { nodes: '0' };

const WINDOW = { nodes: '20%', schedule: '0 22 * * sat', duration: '6h' };

describe('KARP-417 budget-never-allows', () => {
  test('writes the inverse of a window that is meant to allow disruption', () => {
    const [{ remedy, fix }] = judged([ALWAYS, WINDOW]).findings;
    expect(remedy).toBe(
      'write { nodes: "0", schedule: "0 4 * * sun", duration: 162h } instead of { nodes: "0" }, to allow disruption in the window only',
    );
    const [removal, addition] = fix!.edits;
    expect(removal).toMatchObject({ operation: 'remove', path: ['spec', 'disruption', 'budgets', 0] });
    expect(judged([WINDOW, (addition as { value: object }).value]).states).toEqual(['pass NodePool/default']);
    const drifted = judged([
      { ...WINDOW, reasons: ['Drifted'] },
      { ...ALWAYS, reasons: ['Drifted'] },
    ]);
    expect(drifted.findings[0].remedy).toContain('duration: 162h, reasons: [Drifted] } instead of');
  });

  test.each<[string, object[], string[]]>([
    ['no node', [ALWAYS], ['Drifted', 'Empty', 'Underutilized']],
    ['0%', [{ nodes: '0%' }], ['Drifted', 'Empty', 'Underutilized']],
    ['no drifted node', [{ nodes: '10%' }, { ...ALWAYS, reasons: ['Drifted'] }], ['Drifted']],
    [
      'no node during the whole day',
      [{ ...ALWAYS, schedule: '@daily', duration: '24h' }],
      ['Drifted', 'Empty', 'Underutilized'],
    ],
    [
      'no node by day and no node by night',
      [
        { ...ALWAYS, schedule: '0 8 * * *', duration: '12h' },
        { ...ALWAYS, schedule: '0 20 * * *', duration: '12h' },
      ],
      ['Drifted', 'Empty', 'Underutilized'],
    ],
    [
      'no node on a date that never occurs, which Karpenter treats as always',
      [{ ...ALWAYS, schedule: '0 0 31 2 *', duration: '1h' }],
      ['Drifted', 'Empty', 'Underutilized'],
    ],
    [
      'no node for a week from each Monday',
      [{ ...ALWAYS, schedule: '@weekly', duration: '168h' }],
      ['Drifted', 'Empty', 'Underutilized'],
    ],
  ])('reports budgets that allow %s', (_, budgets, reasons) => {
    const { states, findings } = judged(budgets);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0]).toMatchObject({ severity: undefined, evidence: { reasons } });
  });

  test('advises a shorter duration only if the duration closes the gap', () => {
    const remedyOf = (fields: object) => judged([{ ...ALWAYS, ...fields }]).findings[0].remedy;
    expect(remedyOf({ schedule: '@daily', duration: '24h' })).toContain(
      '24h from each start of "@daily", leave no gap',
    );
    expect(remedyOf({ schedule: '0 0 31 2 *', duration: '1h' })).not.toContain('shorter duration');
    expect(remedyOf({})).not.toContain('shorter duration');
  });

  test('reports a warning if only consolidation is blocked', () => {
    const [finding] = judged([{ ...ALWAYS, reasons: ['Underutilized'] }]).findings;
    expect(finding).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('for the reason Underutilized: nodes are never consolidated'),
    });
  });

  test.each<[string, object[] | undefined]>([
    ['the default', undefined],
    ['no budget at all', []],
    ['a budget with an empty list of reasons', [{ ...ALWAYS, reasons: [] }]],
    ['a gap of an hour a day', [{ ...ALWAYS, schedule: '0 1 * * *', duration: '23h' }]],
    [
      'overlapping windows, which count once',
      [
        { ...ALWAYS, schedule: '0 1 * * *', duration: '23h' },
        { ...ALWAYS, schedule: '0 2 * * *', duration: '1h' },
        { ...ALWAYS, schedule: '0 3 * * *', duration: '2h' },
      ],
    ],
    ['office hours', [{ ...ALWAYS, schedule: '0 9 * * mon-fri', duration: '8h' }]],
  ])('passes %s', (_, budgets) => {
    expect(judged(budgets).states).toEqual(['pass NodePool/default']);
  });

  test.each<[string, object]>([
    [
      'a static pool',
      {
        replicas: 3,
        disruption: { consolidateAfter: '1m', budgets: [{ ...ALWAYS, reasons: ['Empty', 'Underutilized'] }] },
      },
    ],
    [
      'a NodePool that never consolidates',
      { disruption: { consolidateAfter: 'Never', budgets: [{ ...ALWAYS, reasons: ['Empty', 'Underutilized'] }] } },
    ],
    [
      'a NodePool that removes empty nodes only',
      {
        disruption: {
          consolidateAfter: '1m',
          consolidationPolicy: 'WhenEmpty',
          budgets: [{ ...ALWAYS, reasons: ['Underutilized'] }],
        },
      },
    ],
  ])('passes budgets that block only reasons that do not apply to %s', (_, fields) => {
    expect(judge(rule, [nodePool('default', fields)]).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated if the value is known only at deployment', () => {
    expect(judged([{ nodes: '${Nodes}' }]).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, []).outcomes).toEqual([]);
  });

  test('passes budgets that block only because Karpenter cannot parse a schedule, which KARP-100 reports', () => {
    expect(judged([{ nodes: '5', schedule: '0 9 * * 7', duration: '1h' }]).states).toEqual(['pass NodePool/default']);
  });
});
