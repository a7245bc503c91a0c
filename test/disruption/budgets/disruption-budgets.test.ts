import { Budget } from '../../../src/disruption';
import { BudgetWindows, windowEnd } from '../../../src/disruption/budgets/budget-windows';
import {
  allowedDisruptions,
  budgetNodeCounts,
  nextAllowedDisruption,
  remainingDisruptions,
} from '../../../src/disruption/budgets/disruption-budgets';
import { DisruptionContext } from '../../../src/disruption/context';
import { clusterOf, HOUR, machine, MINUTE, NOW } from '../builders';

const at = (text: string) => Date.parse(`${text}Z`);

describe('allowedDisruptions', () => {
  test.each<[string, readonly Budget[], number, number]>([
    ['10% of 1 node allows 1', [{ nodes: '10%' }], 1, 1],
    ['10% of 10 nodes allows 1', [{ nodes: '10%' }], 10, 1],
    ['10% of 11 nodes allows 2', [{ nodes: '10%' }], 11, 2],
    ['0% allows 0', [{ nodes: '0%' }], 10, 0],
    ['0 allows 0', [{ nodes: '0' }], 10, 0],
    ['100% allows all', [{ nodes: '100%' }], 10, 10],
    ['a count is not bounded by the number of nodes', [{ nodes: '5' }], 3, 5],
    ['the strictest budget counts', [{ nodes: '50%' }, { nodes: '3' }], 10, 3],
    ['no budget allows any number', [], 10, Infinity],
    ['a budget limits its reasons', [{ nodes: '1', reasons: ['Empty', 'Drifted'] }], 10, 1],
    ['a budget does not limit other reasons', [{ nodes: '1', reasons: ['Underutilized'] }], 10, Infinity],
    ['an empty list of reasons limits nothing', [{ nodes: '0', reasons: [] }], 10, Infinity],
    ['an invalid value allows 0', [{ nodes: '10 %' }, { nodes: '5' }], 10, 0],
    [
      'an invalid schedule allows 0 for every reason',
      [{ nodes: '1', reasons: ['Underutilized'], schedule: 'soon', duration: HOUR }],
      10,
      0,
    ],
  ])('%s', (_, budgets, nodes, allowed) => {
    expect(allowedDisruptions(budgets, nodes, 'Empty', NOW)).toBe(allowed);
  });
});

describe('the window of a budget', () => {
  const office: Budget = { nodes: '0', schedule: '0 9 * * mon-fri', duration: 8 * HOUR };
  test.each<[string, Budget, string, boolean]>([
    ['is active from the hit of the schedule', office, '2026-07-31T09:00:00', true],
    ['is not active before the hit', office, '2026-07-31T08:59:59', false],
    ['is active in its last second', office, '2026-07-31T16:59:59', true],
    ['is not active when its duration is over', office, '2026-07-31T17:00:00', false],
    ['is not active on other weekdays', office, '2026-08-01T12:00:00', false],
    ['lasts over midnight', { nodes: '0', schedule: '0 22 * * *', duration: 8 * HOUR }, '2026-08-01T05:30:00', true],
    [
      'lasts as long as windows overlap',
      { nodes: '0', schedule: '*/10 * * * *', duration: 11 * MINUTE },
      '2026-08-01T05:39:59',
      true,
    ],
    ['supports macros', { nodes: '0', schedule: '@daily', duration: 10 * MINUTE }, '2026-08-01T00:05:00', true],
    [
      'matches a day or a weekday if both are restricted',
      { nodes: '0', schedule: '0 0 13 * fri', duration: HOUR },
      '2026-07-31T00:30:00',
      true,
    ],
    [
      'matches day and weekday if one of them starts with *',
      { nodes: '0', schedule: '0 0 */1 * fri', duration: HOUR },
      '2026-08-01T00:30:00',
      false,
    ],
    [
      'is always active if the schedule never hits, because Karpenter takes the missing hit for one in the past',
      { nodes: '0', schedule: '0 0 31 2 *', duration: HOUR },
      '2026-08-01T12:00:00',
      true,
    ],
  ])('%s', (_, budget, now, isActive) => {
    expect(allowedDisruptions([budget], 10, 'Empty', at(now))).toBe(isActive ? 0 : Infinity);
  });

  test.each([
    '0 9 * * 7',
    '0 9 * *',
    '0 9 * * * *',
    '60 9 * * *',
    '*/0 9 * * *',
    '5-1 * * * *',
    '0 0 L * *',
    '@every 1h',
    'TZ=Asia/Tokyo 0 9 * * *',
    '0 9 * * mon#1',
  ])('allows no node if Karpenter cannot parse the schedule %s', (schedule) => {
    expect(allowedDisruptions([{ nodes: '5', schedule, duration: HOUR }], 10, 'Empty', NOW)).toBe(0);
  });

  test.each<[string, string, boolean]>([
    ['30/15 * * * *', '2026-08-01T12:45:30', true],
    ['30/15 * * * *', '2026-08-01T12:15:30', false],
    ['0 12 * AUG Sat', '2026-08-01T12:00:30', true],
    ['0 12 ? * *', '2026-08-01T12:00:30', true],
    ['0 10-14/2 * * *', '2026-08-01T14:00:30', true],
    ['0 10-14/2 * * *', '2026-08-01T13:00:30', false],
  ])('is active as in Karpenter with the schedule %s at %s', (schedule, now, isActive) => {
    expect(allowedDisruptions([{ nodes: '0', schedule, duration: MINUTE }], 10, 'Empty', at(now))).toBe(
      isActive ? 0 : Infinity,
    );
  });
});

describe('windowEnd', () => {
  test.each<[string, Partial<Budget>, number]>([
    ['returns the end of the current window', { schedule: '0 9 * * *', duration: 8 * HOUR }, NOW + 5 * HOUR],
    ['returns the end of the next window', { schedule: '0 13 * * *', duration: HOUR }, NOW + 2 * HOUR],
    [
      'returns the end of the last of several windows without a gap',
      { schedule: '0 11,12,13 * * *', duration: HOUR },
      NOW + 2 * HOUR,
    ],
    ['returns infinity without a window', {}, Infinity],
    ['returns infinity if the schedule never hits', { schedule: '0 0 30 2 *', duration: HOUR }, Infinity],
    [
      'returns a time at which to ask again if the windows never end',
      { schedule: '* * * * *', duration: MINUTE },
      NOW + 100 * MINUTE,
    ],
  ])('%s', (_, hours, end) => {
    expect(windowEnd({ nodes: '0', ...hours }, NOW)).toBe(end);
  });
});

describe('remainingDisruptions', () => {
  const remaining = (nodes: Parameters<typeof clusterOf>[0], budget: string) =>
    remainingDisruptions(
      new DisruptionContext(clusterOf(nodes, { disruption: { budgets: [{ nodes: budget }] } }), NOW),
      'Empty',
    ).get('default');
  const many = (count: number) => Array.from({ length: count }, (_, number) => machine(`n${number}`, 'm5.large'));

  test('returns what the budgets allow while no node is disrupted', () => {
    expect(remaining(many(11), '10%')).toBe(2);
  });

  test('subtracts deleting nodes and nodes that are not ready, down to 0', () => {
    expect(
      remaining(
        [...many(2), machine('a', 'm5.large', [], { deleting: true }), machine('b', 'm5.large', [], { ready: false })],
        '3',
      ),
    ).toBe(1);
    expect(
      remaining(
        [...many(2), machine('a', 'm5.large', [], { deleting: true }), machine('b', 'm5.large', [], { ready: false })],
        '1',
      ),
    ).toBe(0);
  });

  test('ignores nodes of other NodePools', () => {
    const nodes = [
      ...many(10),
      ...['a', 'b', 'c'].map((name) => machine(name, 'm5.large', [], { pool: 'other', deleting: true })),
    ];
    expect(remaining(nodes, '10%')).toBe(1);
    expect(budgetNodeCounts(clusterOf(nodes), 'default', 'Empty')).toEqual({
      nodes: 10,
      disrupted: 0,
      disruptedNodes: [],
    });
  });

  test('ignores uninitialized nodes, terminating instances and unmanaged nodes', () => {
    const terminating = { createdAt: NOW, initializedAt: NOW, instanceTerminating: true };
    const others = [
      machine('a', 'm5.large', [], { initialized: false }),
      machine('b', 'm5.large', [], { claim: terminating }),
      machine('c', 'm5.large', [], { claim: undefined }),
    ];
    expect(remaining([...many(2), ...others], '50%')).toBe(1);
  });
});

describe('nextAllowedDisruption', () => {
  const night: Budget = { nodes: '0', schedule: '0 20 * * *', duration: 12 * HOUR };
  const day: Budget = { nodes: '0', schedule: '0 8 * * *', duration: 12 * HOUR };
  test.each<[string, readonly Budget[], number, number]>([
    ['returns now if no budget is active', [night], 0, NOW],
    ['returns the end of the current window', [day], 0, at('2026-08-01T20:00:00')],
    [
      'returns the end of the last window if several overlap',
      [day, { nodes: '0', schedule: '0 19 1 * *', duration: 3 * HOUR }],
      0,
      at('2026-08-01T22:00:00'),
    ],
    [
      'returns the end of a budget that is used up',
      [{ nodes: '1', schedule: '0 8 * * *', duration: 12 * HOUR }],
      1,
      at('2026-08-01T20:00:00'),
    ],
    ['returns infinity if a budget is always active', [day, { nodes: '0' }], 0, Infinity],
    ['returns infinity if two budgets alternate without a gap', [day, night], 0, Infinity],
    [
      'returns infinity if the windows of a budget overlap',
      [{ nodes: '0', schedule: '@hourly', duration: 2 * HOUR }],
      0,
      Infinity,
    ],
    [
      'returns infinity if a budget is invalid',
      [{ nodes: '1', reasons: ['Empty'], schedule: 'soon', duration: HOUR }],
      0,
      Infinity,
    ],
    ['returns now if the budget is for other reasons', [{ nodes: '0', reasons: ['Empty'] }], 0, NOW],
  ])('%s', (_, budgets, disrupted, expected) => {
    expect(nextAllowedDisruption(budgets, { nodes: 10, disrupted }, 'Drifted', NOW, new BudgetWindows())).toBe(
      expected,
    );
  });
});
