import { budgetCronTimezone } from '../../../../../src/validation/rules/disruption/budgets/budget-cron-timezone';
import { judge, nodeClass, nodePool } from '../../judge';

const rule = budgetCronTimezone;
const OFFICE = { nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h' };
const pool = (...budgets: object[]) => [nodeClass(), nodePool('default', { disruption: { budgets } })];

describe('KARP-420 budget-cron-timezone', () => {
  test.each([
    [
      'ap-northeast-2',
      'in ap-northeast-2 (Asia/Seoul) it forbids disruption from 18:00 to 02:00',
      '09:00 in Asia/Seoul is 00:00 UTC',
    ],
    [
      'us-west-2',
      'in us-west-2 (America/Los_Angeles) it forbids disruption from 01:00 to 09:00 in January and 02:00 to 10:00 in July',
      '09:00 in America/Los_Angeles is 17:00 UTC',
    ],
    [
      'ap-southeast-2',
      'in ap-southeast-2 (Australia/Sydney) it forbids disruption from 20:00 to 04:00',
      '09:00 in Australia/Sydney is 22:00 UTC of the day before',
    ],
    [
      'ap-south-1',
      'in ap-south-1 (Asia/Kolkata) it forbids disruption from 14:30 to 22:30',
      '09:00 in Asia/Kolkata is 03:30 UTC',
    ],
  ])('reports office hours in UTC that are not office hours in %s', (region, message, remedy) => {
    const { findings } = judge(rule, pool(OFFICE), { region });
    expect(findings[0].message).toContain(message);
    expect(findings[0].remedy).toContain(remedy);
  });

  test.each(['eu-west-1', 'eu-central-1', 'af-south-1'])('passes in %s', (region) => {
    expect(judge(rule, pool(OFFICE), { region }).states).toEqual(['pass NodePool/default']);
  });

  test.each<[string, object]>([
    ['on every day', { ...OFFICE, schedule: '0 9 * * *' }],
    ['at night', { ...OFFICE, schedule: '0 22 * * mon-fri' }],
    ['for an hour', { ...OFFICE, duration: '1h' }],
    ['that allow some nodes', { ...OFFICE, nodes: '1' }],
    ['without a schedule', { nodes: '10%' }],
  ])('does not apply to budgets %s', (_, budget) => {
    expect(judge(rule, pool(budget), { region: 'us-west-2' }).outcomes).toEqual([]);
  });

  test('is not evaluated if no region is given', () => {
    expect(judge(rule, pool(OFFICE)).states).toEqual(['not-evaluated NodePool/default']);
  });
});
