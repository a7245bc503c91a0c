import { clusterOf, HOUR, machine, MINUTE, NOW } from './builders';
import { Budget } from '../../src/disruption';
import { allowedDisruptions, countedNodes, nextEnd, opening, remainingDisruptions } from '../../src/disruption/budgets';

const at = (text: string) => Date.parse(`${text}Z`);

describe('the nodes that budgets allow', () => {
  test.each<[string, readonly Budget[], number, number]>([
    ['a tenth of one is one', [{ nodes: '10%' }], 1, 1],
    ['a tenth of ten is one', [{ nodes: '10%' }], 10, 1],
    ['a tenth of eleven is two', [{ nodes: '10%' }], 11, 2],
    ['nothing of all is nothing', [{ nodes: '0%' }], 10, 0],
    ['none is none', [{ nodes: '0' }], 10, 0],
    ['all may go', [{ nodes: '100%' }], 10, 10],
    ['a count is itself, be there so many or not', [{ nodes: '5' }], 3, 5],
    ['the least of several is right', [{ nodes: '50%' }, { nodes: '3' }], 10, 3],
    ['without a budget there is no bound', [], 10, Infinity],
    ['a list of reasons limits these', [{ nodes: '1', reasons: ['Empty', 'Drifted'] }], 10, 1],
    ['and no other', [{ nodes: '1', reasons: ['Underutilized'] }], 10, Infinity],
    ['an empty list of reasons is for none', [{ nodes: '0', reasons: [] }], 10, Infinity],
    ['what is neither a count nor a percentage allows nothing', [{ nodes: '10 %' }, { nodes: '5' }], 10, 0],
    ['what cannot be read as cron allows nothing, whatever it is for', [{ nodes: '1', reasons: ['Underutilized'], schedule: 'soon', duration: HOUR }], 10, 0],
  ])('%s', (_, budgets, nodes, allowed) => {
    expect(allowedDisruptions(budgets, nodes, 'Empty', NOW)).toBe(allowed);
  });
});

describe('the window of a budget', () => {
  const office: Budget = { nodes: '0', schedule: '0 9 * * mon-fri', duration: 8 * HOUR };
  test.each<[string, Budget, string, boolean]>([
    ['opens with the hit', office, '2026-07-31T09:00:00', true],
    ['is closed before it', office, '2026-07-31T08:59:59', false],
    ['is open in its last second', office, '2026-07-31T16:59:59', true],
    ['is closed when its duration is over', office, '2026-07-31T17:00:00', false],
    ['is closed at the weekend', office, '2026-08-01T12:00:00', false],
    ['lasts over midnight', { nodes: '0', schedule: '0 22 * * *', duration: 8 * HOUR }, '2026-08-01T05:30:00', true],
    ['lasts as long as hits follow each other in time', { nodes: '0', schedule: '*/10 * * * *', duration: 11 * MINUTE }, '2026-08-01T05:39:59', true],
    ['takes macros', { nodes: '0', schedule: '@daily', duration: 10 * MINUTE }, '2026-08-01T00:05:00', true],
    ['has a day or a weekday, where both are written', { nodes: '0', schedule: '0 0 13 * fri', duration: HOUR }, '2026-07-31T00:30:00', true],
    ['has both, where one is written as any', { nodes: '0', schedule: '0 0 */1 * fri', duration: HOUR }, '2026-08-01T00:30:00', false],
    ['is always open where its day never comes: Karpenter finds no next hit, and takes that for one before now',
      { nodes: '0', schedule: '0 0 31 2 *', duration: HOUR }, '2026-08-01T12:00:00', true],
  ])('%s', (_, budget, now, isOpen) => {
    expect(allowedDisruptions([budget], 10, 'Empty', at(now))).toBe(isOpen ? 0 : Infinity);
  });

  test.each(['0 9 * * 7', '0 9 * *', '0 9 * * * *', '60 9 * * *', '*/0 9 * * *', '5-1 * * * *', '0 0 L * *', '@every 1h', 'TZ=Asia/Tokyo 0 9 * * *', '0 9 * * mon#1'])(
    'that Karpenter cannot parse closes the pool: %s', (schedule) => {
      expect(allowedDisruptions([{ nodes: '5', schedule, duration: HOUR }], 10, 'Empty', NOW)).toBe(0);
    });

  test.each<[string, string, boolean]>([
    ['30/15 * * * *', '2026-08-01T12:45:30', true],
    ['30/15 * * * *', '2026-08-01T12:15:30', false],
    ['0 12 * AUG Sat', '2026-08-01T12:00:30', true],
    ['0 12 ? * *', '2026-08-01T12:00:30', true],
    ['0 10-14/2 * * *', '2026-08-01T14:00:30', true],
    ['0 10-14/2 * * *', '2026-08-01T13:00:30', false],
  ])('reads %s as Karpenter does at %s', (schedule, now, isOpen) => {
    expect(allowedDisruptions([{ nodes: '0', schedule, duration: MINUTE }], 10, 'Empty', at(now))).toBe(isOpen ? 0 : Infinity);
  });
});

describe('the end of the hours of a budget', () => {
  test.each<[string, Partial<Budget>, number]>([
    ['is that of those that it has now', { schedule: '0 9 * * *', duration: 8 * HOUR }, NOW + 5 * HOUR],
    ['is that of the next', { schedule: '0 13 * * *', duration: HOUR }, NOW + 2 * HOUR],
    ['is that of the last of several that have no time between them', { schedule: '0 11,12,13 * * *', duration: HOUR }, NOW + 2 * HOUR],
    ['is never where it has none', {}, Infinity],
    ['is never where the schedule never hits', { schedule: '0 0 30 2 *', duration: HOUR }, Infinity],
    ['is asked for again later where they never end', { schedule: '* * * * *', duration: MINUTE }, NOW + 100 * MINUTE],
  ])('%s', (_, hours, end) => {
    expect(nextEnd({ nodes: '0', ...hours }, NOW)).toBe(end);
  });
});

describe('what remains of budgets', () => {
  const remaining = (nodes: Parameters<typeof clusterOf>[0], budget: string) =>
    remainingDisruptions(clusterOf(nodes, { disruption: { budgets: [{ nodes: budget }] } }), 'Empty', NOW).get('default');
  const many = (count: number) => Array.from({ length: count }, (_, number) => machine(`n${number}`, 'm5.large'));

  test('is what is allowed, while nothing is under way', () => {
    expect(remaining(many(11), '10%')).toBe(2);
  });

  test('is less by nodes that go and by those that are not ready, and never less than none', () => {
    expect(remaining([...many(2), machine('a', 'm5.large', [], { deleting: true }), machine('b', 'm5.large', [], { ready: false })], '3')).toBe(1);
    expect(remaining([...many(2), machine('a', 'm5.large', [], { deleting: true }), machine('b', 'm5.large', [], { ready: false })], '1')).toBe(0);
  });

  test('counts the nodes of other NodePools for those', () => {
    const nodes = [...many(10), ...['a', 'b', 'c'].map((name) => machine(name, 'm5.large', [], { pool: 'other', deleting: true }))];
    expect(remaining(nodes, '10%')).toBe(1);
    expect(countedNodes(clusterOf(nodes), 'default', 'Empty')).toEqual({ nodes: 10, disrupted: 0, those: [] });
  });

  test('counts neither nodes that are not up yet, nor those that are all but gone, nor those of others', () => {
    const gone = { createdAt: NOW, initializedAt: NOW, instanceTerminating: true };
    const others = [
      machine('a', 'm5.large', [], { initialized: false }), machine('b', 'm5.large', [], { claim: gone }), machine('c', 'm5.large', [], { claim: undefined }),
    ];
    expect(remaining([...many(2), ...others], '50%')).toBe(1);
  });
});

describe('when budgets next let a node go', () => {
  const night: Budget = { nodes: '0', schedule: '0 20 * * *', duration: 12 * HOUR };
  const day: Budget = { nodes: '0', schedule: '0 8 * * *', duration: 12 * HOUR };
  test.each<[string, readonly Budget[], number, number]>([
    ['now, where none is active', [night], 0, NOW],
    ['when the hours are over that it has', [day], 0, at('2026-08-01T20:00:00')],
    ['when those of all are over', [day, { nodes: '0', schedule: '0 19 1 * *', duration: 3 * HOUR }], 0, at('2026-08-01T22:00:00')],
    ['when more may go than go already', [{ nodes: '1', schedule: '0 8 * * *', duration: 12 * HOUR }], 1, at('2026-08-01T20:00:00')],
    ['never, where one has no hours', [day, { nodes: '0' }], 0, Infinity],
    ['never, where one follows the other', [day, night], 0, Infinity],
    ['never, where one follows itself', [{ nodes: '0', schedule: '@hourly', duration: 2 * HOUR }], 0, Infinity],
    ['never, where one cannot be read', [{ nodes: '1', reasons: ['Empty'], schedule: 'soon', duration: HOUR }], 0, Infinity],
    ['now, where it is for other reasons', [{ nodes: '0', reasons: ['Empty'] }], 0, NOW],
  ])('%s', (_, budgets, disrupted, expected) => {
    expect(opening(budgets, { nodes: 10, disrupted }, 'Drifted', NOW)).toBe(expected);
  });
});
