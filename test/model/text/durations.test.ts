import { clockText, durationText, roundedDurationText } from '../../../src/model';

describe('durationText', () => {
  test.each([
    [0, '0 s'],
    [0.5, '0.5 s'],
    [60, '1 min'],
    [90, '90 s'],
    [120, '2 min'],
    [630, '10 min 30 s'],
    [780, '13 min'],
    [5400, '1 h 30 min'],
    [86_400, '1 day'],
    [720 * 3600, '30 days'],
    [90_061, '1 day 1 h 1 min 1 s'],
  ])('of %s seconds is %s', (seconds, text) => expect(durationText(seconds)).toBe(text));
});

describe('roundedDurationText', () => {
  test.each([
    [44.6, '45 s'],
    [140, '2 min 20 s'],
    [797, '13 min'],
    [3599, '1 h'],
    [3900, '1 h 5 min'],
    [86_399, '1 day'],
    [273_700, '3 days 4 h'],
  ])('of %s seconds is %s', (seconds, text) => expect(roundedDurationText(seconds)).toBe(text));
});

test('clockText has hours, minutes and seconds', () => {
  expect([clockText(80), clockText(90_061)]).toEqual(['00:01:20', '25:01:01']);
});
