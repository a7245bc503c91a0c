import { Duration } from 'cdk8s';
import { newChart, newSetup, specOf } from './fixtures';
import { DisruptionReason } from '../../src/nodes';
import { MaintenanceWindow, MaintenanceWindowOptions, WeekDay } from '../../src/setups';

function budgetsOf(maintenanceWindow?: MaintenanceWindow): unknown[] {
  const chart = newChart();
  newSetup(chart, { maintenanceWindow });
  return specOf(chart, 'general').disruption.budgets.slice(1);
}

describe('a maintenance window', () => {
  test('is from 02:00 to 06:00 UTC every day by default', () => {
    expect(budgetsOf()).toEqual([
      { nodes: '0', schedule: '0 6 * * 0,1,2,3,4,5,6', duration: '20h', reasons: ['Drifted'] },
    ]);
  });

  test('on one day forbids drift in the rest of the week', () => {
    expect(
      budgetsOf(MaintenanceWindow.weekly({ weekDays: [WeekDay.SATURDAY], startHour: 22, duration: Duration.hours(8) })),
    ).toEqual([{ nodes: '0', schedule: '0 6 * * 0', duration: '160h', reasons: ['Drifted'] }]);
  });

  test('on several days has a budget for each length of the time between windows', () => {
    const weekDays = [WeekDay.FRIDAY, WeekDay.MONDAY, WeekDay.TUESDAY];
    expect(budgetsOf(MaintenanceWindow.weekly({ weekDays, startHour: 1, duration: Duration.minutes(90) }))).toEqual([
      { nodes: '0', schedule: '30 2 * * 1', duration: '22h30m', reasons: ['Drifted'] },
      { nodes: '0', schedule: '30 2 * * 2,5', duration: '70h30m', reasons: ['Drifted'] },
    ]);
  });

  test('can cover consolidation', () => {
    const reasons = [DisruptionReason.DRIFTED, DisruptionReason.UNDERUTILIZED];
    const window = MaintenanceWindow.weekly({ startHour: 0, duration: Duration.hours(4), reasons });
    expect(budgetsOf(window)).toMatchObject([{ reasons: ['Drifted', 'Underutilized'] }]);
  });

  test('that is always open forbids nothing', () => {
    const allDay = MaintenanceWindow.weekly({ startHour: 0, duration: Duration.hours(24) });
    expect([MaintenanceWindow.anyTime(), allDay].map(budgetsOf)).toEqual([[], []]);
  });

  test.each<[string, Partial<MaintenanceWindowOptions>, string]>([
    [
      'an hour that is known only at deployment',
      { startHour: -1.8881545897087827e289 },
      'startHour: must be a whole hour from 0 to 23 in UTC, got a token, whose value is known only at deployment; write for example 2',
    ],
    ['hour 24', { startHour: 24 }, 'startHour: must be a whole hour from 0 to 23 in UTC, got 24; write for example 2'],
    [
      '25 hours',
      { duration: Duration.hours(25) },
      'duration: must be whole minutes, at most 24 hours, got 1500 minutes; write for example Duration.hours(4)',
    ],
    ['no days', { weekDays: [] }, 'weekDays: must have at least one day, got []; leave it out for every day'],
    [
      'no reasons, because Karpenter would then ignore the window',
      { reasons: [] },
      'reasons: must have at least one reason, got []; leave it out for DisruptionReason.DRIFTED',
    ],
  ])('refuses %s', (_, options, message) => {
    expect(() => MaintenanceWindow.weekly({ startHour: 2, duration: Duration.hours(1), ...options })).toThrow(
      new Error(`MaintenanceWindow.weekly.${message}`),
    );
  });
});
