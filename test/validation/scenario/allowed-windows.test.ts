import * as fc from 'fast-check';
import { allowedByMinute } from '../../../src/disruption';
import { allowingBudgets, parseWindows } from '../../../src/validation';
import { zoneOffset } from '../../../src/validation/scenario/time-zone';

const MINUTE = 60_000;
const DAY = 1_440;
const WEEK = 7 * DAY;
/** Sundays, 00:00 UTC. */
const [WINTER, SUMMER] = [Date.UTC(2026, 0, 4), Date.UTC(2026, 5, 7)];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const windowText = fc
  .record({
    days: fc.subarray(DAYS, { minLength: 1, maxLength: 3 }),
    start: fc.nat(DAY - 1),
    length: fc.integer({ min: 1, max: DAY - 1 }),
  })
  .map(({ days, start, length }) => `${days.join(',')} ${clock(start)}-${clock((start + length) % DAY)}`);

/** For each minute of the local week whether it is within a window. */
function minutesInside(texts: readonly string[]): boolean[] {
  const windows = texts.flatMap((text) => parseWindows(text)!);
  return Array.from({ length: WEEK }, (_, minute) =>
    windows.some(({ start, minutes }) => (minute - start + WEEK) % WEEK < minutes),
  );
}

describe('budgets for "only then"', () => {
  test('allow disruptions in exactly the minutes of the windows, over a week of UTC', () => {
    fc.assert(
      fc.property(fc.array(windowText, { minLength: 1, maxLength: 2 }), (texts) => {
        const { budgets } = allowingBudgets(
          texts.flatMap((text) => parseWindows(text)!),
          'UTC',
        );
        const inside = minutesInside(texts);
        const limits = allowedByMinute(budgets, 10, 'Drifted', WINTER, WEEK);
        expect(inside.map((_, minute) => limits[minute] > 0)).toEqual(inside);
      }),
      { numRuns: 20, seed: 47 },
    );
  });

  test.each(['Europe/Berlin', 'America/St_Johns', 'Asia/Kolkata', 'Australia/Lord_Howe'])(
    'never allow a disruption outside of the windows of %s, in summer and in winter',
    (timeZone) => {
      const texts = ['mon-thu 22:30-03:00', 'sat 10:00-18:00'];
      const { budgets } = allowingBudgets(
        texts.flatMap((text) => parseWindows(text)!),
        timeZone,
      );
      const inside = minutesInside(texts);
      for (const sunday of [WINTER, SUMMER]) {
        const limits = allowedByMinute(budgets, 10, 'Drifted', sunday, WEEK);
        const allowed = [...limits.keys()]
          .filter((minute) => limits[minute] > 0)
          .map((minute) => sunday + minute * MINUTE);
        const local = allowed.map(
          (instant) => ((instant - sunday) / MINUTE + zoneOffset(timeZone, instant) + WEEK) % WEEK,
        );
        expect(local.filter((minute) => !inside[minute])).toEqual([]);
        expect(allowed.length).toBeGreaterThan(WEEK / 10);
      }
    },
  );

  test('say that a time zone with daylight saving time has less of each window', () => {
    expect(allowingBudgets(parseWindows('mon 01:00-05:00')!, 'Europe/Berlin').notes).toEqual([
      'Europe/Berlin is UTC+1 or UTC+2, and schedules are in UTC: only the times are allowed that are within the windows all year',
    ]);
    expect(allowingBudgets(parseWindows('mon 01:00-05:00')!, 'Asia/Kolkata').notes).toEqual([]);
  });

  test('are refused if the change of the clocks leaves nothing', () => {
    expect(() => allowingBudgets(parseWindows('mon 01:00-02:00')!, 'Europe/Berlin')).toThrow(
      'no time is within the windows both in summer and in winter (UTC+1, UTC+2)',
    );
  });
});

describe('parseWindows', () => {
  test.each([
    ['mon 01:00-05:00', [[1, 60, 240]]],
    [
      'fri-sun 22:00-04:00',
      [
        [5, 1_320, 360],
        [6, 1_320, 360],
        [0, 1_320, 360],
      ],
    ],
    [
      'Sat,Sun 0:00-24:00',
      [
        [6, 0, 1_440],
        [0, 0, 1_440],
      ],
    ],
  ])('reads %s', (text, windows) => {
    expect(parseWindows(text)).toEqual(
      windows.map(([day, minute, minutes]) => ({ start: day * DAY + minute, minutes })),
    );
  });

  test.each([
    'mon',
    'monday 01:00-05:00',
    'mon 1-5',
    'mon 05:00-05:00',
    'mon 24:00-05:00',
    'mon 01:60-05:00',
    'mon-tue-wed 01:00-05:00',
    '* 01:00-02:00',
  ])('refuses %s', (text) => {
    expect(parseWindows(text)).toBeUndefined();
  });
});
