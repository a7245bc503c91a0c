import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUEUE_EVENTS, SAMPLES } from './samples';
import { Interruption, INTERRUPTIONS, interruptionOf, interruptionOfKind, karpenterEvents } from '../../../src/contract';

describe('interruptionOf', () => {
  const { events }: { events: Readonly<Record<string, string>> } = JSON.parse(readFileSync(join(__dirname, '../../conformance/facts.json'), 'utf8'));

  test.each(Object.entries(QUEUE_EVENTS))('takes %s for what Karpenter takes it for', (name, event) => {
    expect(interruptionOf(event)?.kind ?? 'no_op').toBe(events[name]);
  });

  test('drops what a release does not know yet', () => {
    const [event] = SAMPLES.CapacityReservationInterruptionRule;
    expect(interruptionOf(event, '1.9.3')).toBeUndefined();
    expect(interruptionOf(event, '1.10.0')).toBe(interruptionOfKind('capacity_reservation_interrupted'));
  });

  test.each([undefined, null, 'text', {}, { detail: null }])('drops %p', (event) => expect(interruptionOf(event)).toBeUndefined());
});

describe('the table of interruptions', () => {
  test('covers exactly the events that have a rule', () => {
    const rules = (events: readonly (string | undefined)[]) => [...new Set(events)].filter((rule) => rule !== undefined).sort();
    expect(rules(INTERRUPTIONS.map(({ event }) => event?.rule))).toEqual(rules(karpenterEvents().map(({ rule }) => rule)));
  });

  test.each(INTERRUPTIONS.map((each) => [each.kind, each] as const))('hears of %s by an event or by looking', (_, { event, poll }) => {
    expect(event === undefined).toBe(poll !== undefined);
  });

  test('names what there is where a kind is asked for that there is none of', () => {
    expect(() => interruptionOfKind('flood')).toThrow('kind: not one of Karpenter\'s, got "flood"; write spot_interrupted, ');
  });

  test('is the table of the documentation', () => {
    const page = readFileSync(join(__dirname, '../../../docs/interruption.md'), 'utf8');
    for (const each of INTERRUPTIONS) expect(page).toContain(`${rowOf(each)}\n`);
  });
});

const ACTIONS: Record<Interruption['action'], string> = {
  CordonAndDrain: 'drains the node', ForcefulTermination: 'ends the node at once, whatever its pods', NoAction: 'only records it',
};
const UNAVAILABLE: Record<NonNullable<Interruption['unavailable']>, string> = {
  'spot-offering': ', and launches no spot of its type in its zone for 3 minutes',
  'capacity-reservation': ', and launches nothing into the reservation for 3 minutes',
  'capacity-block': ', and launches nothing into it any more',
};

function rowOf({ kind, event, accepted, poll, action, unavailable, since }: Interruption): string {
  const { 'source': source = [], 'detail-type': [type] = [], detail } = event?.pattern ?? {};
  const state = (accepted?.detail as { state?: readonly string[] } | undefined)?.state;
  const narrowed = state ? `, state ${state.join(' or ')}` : detail ? `, service ${detail.service as never}, category ${detail.eventTypeCategory as never}` : '';
  const heard = poll ? `${poll.finds} | \`${poll.call}\` every ${poll.everySeconds} seconds` : `\`${type}\`${narrowed} | \`${source[0]}\``;
  return `| \`${kind}\` | ${heard} | ${ACTIONS[action]}${unavailable ? UNAVAILABLE[unavailable] : ''} | ${since.replace(/\.0$/, '')} |`;
}
