import * as fc from 'fast-check';
import { Budget, budgetsAllowingOnly, WeeklyWindow, weeklyWindowsOf } from '../../../src/disruption';
import { allowedDisruptions } from '../../../src/disruption/budgets/disruption-budgets';
import { HOUR, MINUTE } from '../builders';

const DAY = 1_440;
const WEEK = 7 * DAY;
/** A Sunday, 00:00 UTC. */
const SUNDAY = Date.UTC(2026, 2, 1);
const MONDAY_1_TO_5: WeeklyWindow = { start: DAY + 60, minutes: 240 };

/** The minutes of a week in which the budgets allow any disruption. */
function allowedMinutes(budgets: readonly Budget[]): boolean[] {
  return Array.from(
    { length: WEEK },
    (_, minute) => allowedDisruptions(budgets, 10, 'Drifted', SUNDAY + minute * MINUTE) > 0,
  );
}

function minutesOf(windows: readonly WeeklyWindow[]): boolean[] {
  const isInside = Array.from({ length: WEEK }, () => false);
  for (const { start, minutes } of windows)
    for (let minute = start; minute < start + minutes; minute++) isInside[minute % WEEK] = true;
  return isInside;
}

describe('budgetsAllowingOnly', () => {
  test.each<[string, readonly WeeklyWindow[], readonly Budget[]]>([
    [
      'forbids the rest of the week by one budget',
      [MONDAY_1_TO_5],
      [{ nodes: '0', schedule: '0 5 * * mon', duration: 164 * HOUR }],
    ],
    [
      'joins equal gaps of several days',
      [1, 2, 3, 4, 5].map((day) => ({ start: day * DAY + 60, minutes: 240 })),
      [
        { nodes: '0', schedule: '0 5 * * mon-thu', duration: 20 * HOUR },
        { nodes: '0', schedule: '0 5 * * fri', duration: 68 * HOUR },
      ],
    ],
    [
      'writes * for every day',
      Array.from({ length: 7 }, (_, day) => ({ start: day * DAY + 150, minutes: 90 })),
      [{ nodes: '0', schedule: '0 4 * * *', duration: 22 * HOUR + 30 * MINUTE }],
    ],
    ['forbids every minute without a window', [], [{ nodes: '0' }]],
    ['needs no budget if the windows cover the week', [{ start: 300, minutes: WEEK }], []],
  ])('%s', (_, windows, budgets) => {
    expect(budgetsAllowingOnly(windows)).toEqual(budgets);
  });

  test('limits the budgets to the given reasons', () => {
    expect(budgetsAllowingOnly([MONDAY_1_TO_5], ['Drifted'])).toEqual([
      { nodes: '0', reasons: ['Drifted'], schedule: '0 5 * * mon', duration: 164 * HOUR },
    ]);
  });

  test('allows disruptions in exactly the minutes of the windows', () => {
    const window = fc.record({ start: fc.nat(WEEK - 1), minutes: fc.integer({ min: 1, max: 3 * DAY }) });
    fc.assert(
      fc.property(fc.array(window, { maxLength: 6 }), (windows) => {
        expect(allowedMinutes(budgetsAllowingOnly(windows))).toEqual(minutesOf(windows));
      }),
      { numRuns: 25, seed: 47 },
    );
  });
});

describe('weeklyWindowsOf', () => {
  test('returns a window for each firing', () => {
    expect(weeklyWindowsOf({ nodes: '1', schedule: '0 1 * * mon,wed', duration: 4 * HOUR })).toEqual([
      MONDAY_1_TO_5,
      { start: 3 * DAY + 60, minutes: 240 },
    ]);
  });

  test('joins overlapping windows, across the end of the week too', () => {
    expect(weeklyWindowsOf({ nodes: '1', schedule: '0 */12 * * sat,sun', duration: 13 * HOUR })).toEqual([
      { start: 6 * DAY, minutes: 2 * DAY + 60 },
    ]);
  });

  test.each<[string, Budget]>([
    ['without a schedule', { nodes: '1' }],
    ['with an invalid schedule', { nodes: '1', schedule: 'soon', duration: HOUR }],
    ['for some days of the month', { nodes: '1', schedule: '0 1 1 * *', duration: HOUR }],
    ['for some months', { nodes: '1', schedule: '0 1 * 1-6 mon', duration: HOUR }],
    ['with parts of a minute', { nodes: '1', schedule: '0 1 * * mon', duration: 90_500 }],
  ])('is undefined for a budget %s', (_, budget) => {
    expect(weeklyWindowsOf(budget)).toBeUndefined();
  });

  test('inverted twice, budgets have the minutes of the first', () => {
    const meant: Budget = { nodes: '0', schedule: '30 22 * * fri', duration: 5 * HOUR };
    const inverse = budgetsAllowingOnly(weeklyWindowsOf(meant)!);
    expect(inverse).toEqual([{ nodes: '0', schedule: '30 3 * * sat', duration: 163 * HOUR }]);
    expect(allowedMinutes(inverse).map((isAllowed) => !isAllowed)).toEqual(allowedMinutes([meant]));
  });
});
