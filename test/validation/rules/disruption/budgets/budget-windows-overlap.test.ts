import { budgetWindowsOverlap } from '../../../../../src/validation/rules/disruption/budgets/budget-windows-overlap';
import { judge, nodeClass, nodePool } from '../../judge';

const findingsOf = (...budgets: object[]) =>
  judge(budgetWindowsOverlap, [nodeClass(), nodePool('default', { disruption: { budgets } })]).findings;
const texts = (schedule: string, duration: string, nodes = '0') =>
  findingsOf({ nodes, schedule, duration }).map(({ message, remedy }) => `${message}; ${remedy}`);

describe('KARP-446 budget-windows-overlap', () => {
  test('names the hours of all windows, and the schedule of one', () => {
    const [finding] = findingsOf({ nodes: '10%' }, { nodes: '0', schedule: '0 9-17 * * mon-fri', duration: '8h' });
    expect(finding).toMatchObject({
      path: ['spec', 'disruption', 'budgets', 1, 'schedule'],
      message:
        'schedule "0 9-17 * * mon-fri" begins 9 windows of 8h that overlap: no disruption is allowed ' +
        'from 09:00 to 01:00 of the next day UTC, not only from 09:00 to 17:00',
      remedy: 'write schedule: "0 9 * * mon-fri", if 09:00 to 17:00 is meant',
      fix: { safe: false, edits: [{ value: '0 9 * * mon-fri' }] },
    });
  });

  test('reports windows of several days, steps and other limits', () => {
    expect(texts('0 0 * * sat,sun', '48h')).toEqual([
      expect.stringMatching(/from Saturday 00:00 to Tuesday 00:00 UTC.*write schedule: "0 0 \* \* sat"/),
    ]);
    expect(texts('*/15 20-23 * * *', '6h', '20%')).toEqual([
      expect.stringMatching(
        /begins 16 windows of 6h.*nodes: "20%" applies.*20:00 to 05:45 of the next day.*"0 20 \* \* \*"/,
      ),
    ]);
  });

  test.each([
    ['0 9 * * mon-fri', '8h'],
    ['0 0 * * sat,sun', '24h'],
    ['0 9-16 * * *', '1h'],
    ['* 9 * * mon-fri', '8h'],
    ['0 9-17 * * *', '2h'],
    ['0 * * * *', '2h'],
    ['bad', '2h'],
  ])('passes "%s" for %s', (schedule, duration) => {
    expect(texts(schedule, duration)).toEqual([]);
  });
});
