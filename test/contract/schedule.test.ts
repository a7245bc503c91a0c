import { isSchedule } from '../../src/contract/advice/schedule';

describe('a schedule', () => {
  test.each(['0 9 * * mon-fri', '*/15 * * * *', '5/10 0 1,15 JAN-mar ?', '@daily', '@yearly', ' 0  9 * * 1 ', '*-5 * * * *', ', 1 1 1 1', '+5 0 1 1 0'])(
    'is one that Karpenter can read: %j', (text) => {
      expect(isSchedule(text)).toBe(true);
    });

  test.each(['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 7', '5-1 * * * *', '1-2-3 * * * *', '*/0 * * * *', '*/x * * * *',
    '1/2/3 * * * *', '@dailyx', '@Daily', '@every', 'a b c d e', '-1 * * * *', `${'1,'.repeat(1000)}1 * * * *`])('is none: %j', (text) => {
    expect(isSchedule(text)).toBe(false);
  });
});
