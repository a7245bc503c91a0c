import { budgetLeavesReasonOpen } from '../../../../../src/validation/rules/disruption/budgets/budget-leaves-reason-open';
import { budgetNeverAllows } from '../../../../../src/validation/rules/disruption/budgets/budget-never-allows';
import { deployment, judge, nodePool } from '../../judge';

const rule = budgetLeavesReasonOpen;
const pool = (budgets: object[] | undefined) =>
  nodePool('default', { disruption: { consolidateAfter: '1m', budgets } });
const judged = (...budgets: object[]) => judge(rule, [pool(budgets)]);
const WINDOW = { nodes: '30%', schedule: '0 1 * * mon', duration: '4h' };
const EMPTY = { nodes: '30%', reasons: ['Empty'] };

describe('KARP-430 budget-leaves-reason-open', () => {
  test('reports a window that seems to allow disruption, and writes the budgets for the other hours', () => {
    const [finding] = judged(WINDOW, EMPTY).findings;
    expect(finding).toMatchObject({
      path: ['spec', 'disruption', 'budgets', 0],
      remedy:
        'add { nodes: "0", schedule: "0 5 * * mon", duration: 164h, reasons: [Drifted, Underutilized] } to allow Drifted and Underutilized in the window only',
      evidence: { reasons: ['Drifted', 'Underutilized'] },
    });
    expect(finding.message).toMatch(
      /^outside "0 1 \* \* mon" for 4h, no budget limits Drifted and Underutilized: up to 100%/,
    );
  });

  test('passes with the budgets of its remedy, which still allow disruption', () => {
    const inverse = { nodes: '0', schedule: '0 5 * * mon', duration: '164h', reasons: ['Drifted', 'Underutilized'] };
    expect(judged(WINDOW, EMPTY, inverse, { nodes: '50%' }).states).toEqual(['pass NodePool/default']);
    expect(judged(WINDOW, EMPTY, inverse).states).toEqual(['pass NodePool/default']);
    expect(judge(budgetNeverAllows, [pool([WINDOW, EMPTY, inverse])]).states).toEqual(['pass NodePool/default']);
  });

  test('joins the windows of several budgets', () => {
    const { remedy } = judged(
      { ...WINDOW, schedule: '0 0 * * *', duration: '6h' },
      { ...WINDOW, schedule: '0 4 * * *', duration: '4h', reasons: ['Drifted', 'Underutilized'] },
    ).findings[0];
    expect(remedy).toContain('{ nodes: "0", schedule: "0 8 * * *", duration: 16h, reasons: [Drifted, Underutilized] }');
  });

  test('names no budgets if not every week is the same', () => {
    expect(judged({ ...WINDOW, schedule: '0 1 1 * *' }).findings[0].remedy).toBe(
      'add budgets with nodes: "0" and reasons [Drifted, Underutilized] for the other hours',
    );
  });

  test('reports a reason that no budget mentions', () => {
    expect(judged(EMPTY, { nodes: '1', reasons: ['Underutilized'] }).findings).toMatchObject([
      { path: ['spec', 'disruption', 'budgets'], remedy: 'add { nodes: "10%", reasons: [Drifted] }' },
    ]);
  });

  test('reports that only a freeze limits disruption', () => {
    const freeze = { ...WINDOW, nodes: '0' };
    const [{ message, remedy }] = judged(freeze).findings;
    expect(message).toMatch(/^outside their windows, no budget limits Drifted and Underutilized: up to 100%/);
    expect(remedy).toBe('add { nodes: "10%" }');
    expect(judged(freeze, { nodes: '10%' }).states).toEqual(['pass NodePool/default']);
  });

  test.each([
    ['a budget for all reasons beside the window', [WINDOW, { nodes: '10%' }]],
    ['a freeze, and a budget for all reasons', [{ ...WINDOW, nodes: '0' }, { nodes: '1' }]],
  ])('passes %s', (_, budgets) => {
    expect(judged(...budgets).states).toEqual(['pass NodePool/default']);
  });

  test('does not apply to the default budget, an empty list and other objects', () => {
    expect(judge(rule, [pool(undefined), pool([]), deployment('web')]).outcomes).toEqual([]);
  });
});
