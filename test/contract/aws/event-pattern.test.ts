import { matchesEventPattern } from '../../../src/contract';

const pattern = { 'source': ['aws.ec2'], 'detail-type': ['A', 'B'], 'detail': { state: ['stopped'], of: { kind: ['x'] } } };
const event = { 'source': 'aws.ec2', 'detail-type': 'B', 'detail': { state: 'stopped', of: { kind: 'x', more: 1 } }, 'account': '1' };

describe('matchesEventPattern', () => {
  test('takes an event that has one of the values of every field, whatever else it has', () => {
    expect(matchesEventPattern(pattern, event)).toBe(true);
  });

  test.each<[string, unknown]>([
    ['another value', { ...event, source: 'aws.ecs' }],
    ['a value in other letters', { ...event, 'detail-type': 'b' }],
    ['a field missing', { 'source': 'aws.ec2', 'detail-type': 'A' }],
    ['another value deep down', { ...event, detail: { ...event.detail, of: { kind: 'y' } } }],
    ['a text in place of an object', { ...event, detail: { ...event.detail, of: 'x' } }],
    ['a value that is no text', { ...event, detail: { ...event.detail, state: null } }],
    ['nothing at all', undefined],
  ])('takes no event with %s', (_, other) => {
    expect(matchesEventPattern(pattern, other)).toBe(false);
  });

  test('matches an array if one value fits', () => {
    expect(matchesEventPattern(pattern, { ...event, detail: { state: ['running', 'stopped'], of: [{ kind: 'y' }, { kind: 'x' }] } })).toBe(true);
  });

  test('does not find fields that every object inherits', () => {
    expect(matchesEventPattern({ 'source': ['aws.ec2'], 'detail-type': ['A'], 'detail': { constructor: { name: ['Object'] } } }, { ...event, 'detail-type': 'A' })).toBe(false);
  });
});
