import * as fc from 'fast-check';
import { allowedByMinute, Budget, DISRUPTION_REASONS } from '../../../src/disruption';
import { allowedDisruptions } from '../../../src/disruption/budgets/disruption-budgets';
import { HOUR, MINUTE } from '../builders';

const FROM = Date.UTC(2026, 0, 5);
const MINUTES = 7 * 1_440;

const schedules = [
  '0 5 * * mon',
  '30 22 * * fri',
  '*/45 6-9 * * *',
  '0 0 1 * *',
  '0 0 30 2 *',
  'soon',
  '0 0 * * sat-sun',
];
const budgets = fc.array(
  fc.record(
    {
      nodes: fc.constantFrom('0', '1', '3', '10%', '100%', '10 %'),
      reasons: fc.subarray([...DISRUPTION_REASONS]),
      window: fc.record({
        schedule: fc.constantFrom(...schedules),
        duration: fc.constantFrom(10 * MINUTE, 90_500, 20 * HOUR, 164 * HOUR),
      }),
    },
    { requiredKeys: ['nodes'] },
  ),
  { maxLength: 3 },
);

describe('allowedByMinute', () => {
  test('is what the engine allows in each minute', () => {
    fc.assert(
      fc.property(
        budgets,
        fc.constantFrom(...DISRUPTION_REASONS),
        fc.integer({ min: 0, max: 30 }),
        (drawn, reason, nodes) => {
          const list = drawn.map(({ window, ...rest }): Budget => ({ ...rest, ...window }));
          const minutes = Array.from({ length: MINUTES / 7 }, (_, index) => index * 7);
          const calendar = allowedByMinute(list, nodes, reason, FROM, MINUTES);
          expect(minutes.map((minute) => calendar[minute])).toEqual(
            minutes.map((minute) => allowedDisruptions(list, nodes, reason, FROM + minute * MINUTE)),
          );
        },
      ),
      { numRuns: 40, seed: 47 },
    );
  });
});
