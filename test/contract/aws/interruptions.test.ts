import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUEUE_EVENTS, SAMPLES } from './samples';
import {
  Interruption,
  INTERRUPTIONS,
  interruptionOf,
  interruptionOfKind,
  karpenterEvents,
} from '../../../src/contract';

describe('interruptionOf', () => {
  const { events }: { events: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(__dirname, '../../conformance/facts.json'), 'utf8'),
  );

  test.each(Object.entries(QUEUE_EVENTS))('classifies %s as Karpenter does', (name, event) => {
    expect(interruptionOf(event)?.kind ?? 'no_op').toBe(events[name]);
  });

  test('returns undefined for an event that the release does not handle yet', () => {
    const [event] = SAMPLES.CapacityReservationInterruptionRule;
    expect(interruptionOf(event, '1.9.3')).toBeUndefined();
    expect(interruptionOf(event, '1.10.0')).toBe(interruptionOfKind('capacity_reservation_interrupted'));
  });

  test.each([undefined, null, 'text', {}, { detail: null }])('returns undefined for %p', (event) =>
    expect(interruptionOf(event)).toBeUndefined(),
  );
});

describe('INTERRUPTIONS', () => {
  test('covers exactly the events with a rule', () => {
    const rules = (events: readonly (string | undefined)[]) =>
      [...new Set(events)].filter((rule) => rule !== undefined).sort();
    expect(rules(INTERRUPTIONS.map(({ event }) => event?.rule))).toEqual(
      rules(karpenterEvents().map(({ rule }) => rule)),
    );
  });

  test.each(INTERRUPTIONS.map((interruption) => [interruption.kind, interruption] as const))(
    'detects %s either by an event or by polling',
    (_, { event, poll }) => {
      expect(event === undefined).toBe(poll !== undefined);
    },
  );

  test('throws for an unknown kind and lists the known kinds', () => {
    expect(() => interruptionOfKind('flood')).toThrow(
      'kind: must be one of Karpenter\'s interruption kinds, got "flood"; write spot_interrupted, ',
    );
  });

  test('equals the table in docs/interruption.md', () => {
    const page = readFileSync(join(__dirname, '../../../docs/interruption.md'), 'utf8');
    for (const interruption of INTERRUPTIONS) expect(page).toContain(`${rowOf(interruption)}\n`);
  });
});

const ACTIONS: Record<Interruption['action'], string> = {
  CordonAndDrain: 'drains the node',
  ForcefulTermination: 'ends the node at once, whatever its pods',
  NoAction: 'only records it',
};
const UNAVAILABLE: Record<NonNullable<Interruption['unavailableOffering']>, string> = {
  'spot-offering': ', and launches no spot of its type in its zone for 3 minutes',
  'capacity-reservation': ', and launches nothing into the reservation for 3 minutes',
  'capacity-block': ', and launches nothing into it any more',
};

function rowOf({ kind, event, additionalPattern, poll, action, unavailableOffering, since }: Interruption): string {
  const { source: source = [], 'detail-type': [type] = [], detail } = event?.pattern ?? {};
  const state = (additionalPattern?.detail as { state?: readonly string[] } | undefined)?.state;
  const narrowed = state
    ? `, state ${state.join(' or ')}`
    : detail
      ? `, service ${detail.service as never}, category ${detail.eventTypeCategory as never}`
      : '';
  const heard = poll
    ? `${poll.condition} | \`${poll.call}\` every ${poll.everySeconds} seconds`
    : `\`${type}\`${narrowed} | \`${source[0]}\``;
  return `| \`${kind}\` | ${heard} | ${ACTIONS[action]}${unavailableOffering ? UNAVAILABLE[unavailableOffering] : ''} | ${since.replace(/\.0$/, '')} |`;
}
