import { correctedSchedule } from '../../../src/contract/warnings/corrected-schedule';

describe('correctedSchedule', () => {
  test.each([
    ['0 0 * * sat-sun', '0 0 * * sat,sun'],
    ['0 0 * * fri-mon', '0 0 * * fri-sat,sun-mon'],
    ['0 22-6 * * *', '0 22-23,0-6 * * *'],
    ['0 9 * * 7', '0 9 * * sun'],
    ['0 9 * * 5-7', '0 9 * * 5-sat,sun'],
    ['0 9 * * mon,sat-sun', '0 9 * * mon,sat,sun'],
  ])('returns for %s the schedule that was meant', (written, meant) => {
    expect(correctedSchedule(written)).toBe(meant);
  });

  test.each(['0 9 * * mon-fri', '0 9 * * funday', '@every 1h', '0 0 9 * * mon', '61 0 * * *'])(
    'returns nothing for %s',
    (written) => {
      expect(correctedSchedule(written)).toBeUndefined();
    },
  );
});
