import { matchesEventPattern } from '../../../src/contract';

const pattern = { source: ['aws.ec2'], 'detail-type': ['A', 'B'], detail: { state: ['stopped'], of: { kind: ['x'] } } };
const event = {
  source: 'aws.ec2',
  'detail-type': 'B',
  detail: { state: 'stopped', of: { kind: 'x', more: 1 } },
  account: '1',
};

describe('matchesEventPattern', () => {
  test('matches an event with an allowed value in every field, and with other fields', () => {
    expect(matchesEventPattern(pattern, event)).toBe(true);
  });

  test.each<[string, unknown]>([
    ['another value', { ...event, source: 'aws.ecs' }],
    ['a value in another case', { ...event, 'detail-type': 'b' }],
    ['a missing field', { source: 'aws.ec2', 'detail-type': 'A' }],
    ['another nested value', { ...event, detail: { ...event.detail, of: { kind: 'y' } } }],
    ['a string instead of an object', { ...event, detail: { ...event.detail, of: 'x' } }],
    ['a value that is not a string', { ...event, detail: { ...event.detail, state: null } }],
    ['no event', undefined],
  ])('does not match with %s', (_, otherEvent) => {
    expect(matchesEventPattern(pattern, otherEvent)).toBe(false);
  });

  test('matches an array with one allowed value', () => {
    expect(
      matchesEventPattern(pattern, {
        ...event,
        detail: { state: ['running', 'stopped'], of: [{ kind: 'y' }, { kind: 'x' }] },
      }),
    ).toBe(true);
  });

  test('ignores inherited properties', () => {
    expect(
      matchesEventPattern(
        { source: ['aws.ec2'], 'detail-type': ['A'], detail: { constructor: { name: ['Object'] } } },
        { ...event, 'detail-type': 'A' },
      ),
    ).toBe(false);
  });
});
