import { CronSchedule } from '../../src/model';

const JANUARY = Date.UTC(2024, 0, 1);
const firings = (text: string, days = 1) =>
  CronSchedule.tryParse(text)!
    .firings(JANUARY, JANUARY + days * 86_400_000)
    .map((time) => new Date(time).toISOString().slice(0, 16));

describe('CronSchedule', () => {
  test.each([
    '0 9 * * mon-fri',
    '*/15 * * * *',
    '5/10 0 1,15 JAN-mar ?',
    '@daily',
    '@yearly',
    ' 0  9 * * 1 ',
    '*-5 * * * *',
    ', 1 1 1 1',
    '+5 0 1 1 0',
  ])('reads %j like Karpenter', (text) => {
    expect(CronSchedule.tryParse(text)).toBeDefined();
  });

  test.each([
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 7',
    '5-1 * * * *',
    '1-2-3 * * * *',
    '*/0 * * * *',
    '*/x * * * *',
    '1/2/3 * * * *',
    '@dailyx',
    '@Daily',
    '@every',
    'a b c d e',
    '-1 * * * *',
    `${'1,'.repeat(1000)}1 * * * *`,
  ])('returns undefined for %j', (text) => {
    expect(CronSchedule.tryParse(text)).toBeUndefined();
  });

  test.each<[string, string[]]>([
    ['0 9 * * *', ['2024-01-01T09:00']],
    ['*/30 9-10 * * *', ['2024-01-01T09:00', '2024-01-01T09:30', '2024-01-01T10:00', '2024-01-01T10:30']],
    ['50/5 23 * * *', ['2024-01-01T23:50', '2024-01-01T23:55']],
    ['0 0 * * sun', []],
    ['@midnight', ['2024-01-01T00:00']],
  ])('%s fires on a Monday at %j', (text, times) => {
    expect(firings(text)).toEqual(times);
  });

  test('fires on either day if both day fields are set, and on the day of the only one that is set', () => {
    expect(firings('0 0 3 * tue', 9)).toEqual(['2024-01-02T00:00', '2024-01-03T00:00', '2024-01-09T00:00']);
    expect(firings('0 0 3 * *', 9)).toEqual(['2024-01-03T00:00']);
    expect(firings('0 0 */2 * tue', 9)).toEqual([
      '2024-01-01T00:00',
      '2024-01-02T00:00',
      '2024-01-03T00:00',
      '2024-01-05T00:00',
      '2024-01-07T00:00',
      '2024-01-09T00:00',
    ]);
  });

  test.each([
    ['0 9 * * *', '2024-01-01T09:00:00', '2024-01-02T09:00:00'],
    ['0 9 * * *', '2024-01-01T08:59:59', '2024-01-01T09:00:00'],
    ['0 0 29 2 *', '2024-03-01T00:00:00', '2028-02-29T00:00:00'],
  ])('%s fires next after %s at %s', (text, after, next) => {
    expect(CronSchedule.tryParse(text)!.nextAfter(Date.parse(`${after}Z`))).toBe(Date.parse(`${next}Z`));
  });

  test('never fires on a day that does not exist', () => {
    expect(CronSchedule.tryParse('0 0 31 2 *')!.nextAfter(JANUARY)).toBeUndefined();
  });

  test('includes the start of a time span, and excludes its end', () => {
    const schedule = CronSchedule.tryParse('0 * * * *')!;
    expect(schedule.firings(JANUARY, JANUARY + 3_600_000)).toEqual([JANUARY]);
    expect(schedule.firings(JANUARY + 1, JANUARY + 3_600_001)).toEqual([JANUARY + 3_600_000]);
  });
});
