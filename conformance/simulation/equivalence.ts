import { SimulationAnswer, SimulationEvent } from './answer';

/** Tolerance in seconds: our timeline and the API server's timestamps have whole seconds. */
const TOLERANCE = 2;

/** A sentence about the first difference; undefined if there is none. */
export function firstDifference(theirs: SimulationAnswer, ours: SimulationAnswer): string | undefined {
  const [expected, actual] = [theirs, ours].map(renamed);
  return (
    ofEvents(expected.events, actual.events) ??
    ofWorkloads(expected, actual) ??
    (expected.pending === actual.pending
      ? undefined
      : `${actual.pending} pods are pending at the end instead of ${expected.pending}`) ??
    (expected.nodes.join() === actual.nodes.join()
      ? undefined
      : `nodes at the end are ${listed(actual.nodes)} instead of ${listed(expected.nodes)}`)
  );
}

/**
 * Renumbers nodes that are launched at the same time by their type, because the order of their numbers has no meaning.
 */
function renamed({ events, workloads, pending, nodes }: SimulationAnswer): SimulationAnswer {
  const launches = events
    .filter(({ what }) => what.includes(' is launched '))
    .map(({ second, what }) => ({ second, name: what.split(' ')[0], as: what.replace(/^\S+ /, '') }));
  const sorted = [...launches].sort((a, b) => a.second - b.second || (a.as < b.as ? -1 : Number(a.as > b.as)));
  const names = new Map(sorted.map(({ name }, index) => [name, name.replace(/\d+$/, String(index))]));
  const rename = (text: string) => text.replace(/\S+-new-\d+/g, (name) => names.get(name) ?? name);
  return {
    events: events.map(({ second, what }) => ({ second, what: inOrder(rename(what)) })),
    workloads,
    pending,
    nodes: nodes.map(rename).sort(),
  };
}

const DECISION = /^(\w+ decides to \S+ )([^(]*)(.*)$/;

/** The event with the nodes of a command sorted by name. */
function inOrder(what: string): string {
  const [, start, nodes, rest] = DECISION.exec(what) ?? [];
  return start === undefined ? what : `${start}${nodes.trim().split(', ').sort().join(', ')}${rest ? ` ${rest}` : ''}`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

/** Compares events in the oracle's order: each needs an event with the same text at the same time. */
function ofEvents(expected: readonly SimulationEvent[], actual: readonly SimulationEvent[]): string | undefined {
  const left = [...actual];
  for (const { second, what } of expected) {
    const index = left.findIndex((event) => event.what === what);
    if (index < 0) return `${what} after ${second} s: never`;
    const [event] = left.splice(index, 1);
    if (Math.abs(event.second - second) > TOLERANCE) return `${what} after ${event.second} s instead of ${second} s`;
  }
  return left.length === 0 ? undefined : `${left[0].what} after ${left[0].second} s: Karpenter has no such event`;
}

function ofWorkloads(
  { workloads: expected }: SimulationAnswer,
  { workloads: actual }: SimulationAnswer,
): string | undefined {
  for (const name of Object.keys({ ...expected, ...actual })) {
    const [theirs, ours] = [expected[name], actual[name]].map(
      (figures) => figures && `${figures.lowestReady} ready at the minimum, ${figures.evictions} evictions`,
    );
    if (theirs !== ours) return `${name}: ${ours ?? 'not there'} instead of ${theirs ?? 'not there'}`;
  }
  return undefined;
}
