import { PlayAnswer, PlayEvent } from './answer';

/** Seconds: ours counts whole ones in its timeline, and the API server in its times. */
const NEAR = 2;

/** The first that differs, in a sentence; undefined where nothing does. */
export function difference(theirs: PlayAnswer, ours: PlayAnswer): string | undefined {
  const [expected, actual] = [theirs, ours].map(renamed);
  return ofEvents(expected.events, actual.events) ?? ofWorkloads(expected, actual)
    ?? (expected.pending === actual.pending ? undefined : `${actual.pending} pods wait in the end instead of ${expected.pending}`)
    ?? (expected.nodes.join() === actual.nodes.join() ? undefined : `nodes in the end are ${listed(actual.nodes)} instead of ${listed(expected.nodes)}`);
}

/** Which of several nodes that are launched at the same moment has which number says nothing: here it goes by what they are. */
function renamed({ events, workloads, pending, nodes }: PlayAnswer): PlayAnswer {
  const launches = events.filter(({ what }) => what.includes(' is launched ')).map(({ second, what }) => ({ second, name: what.split(' ')[0], as: what.replace(/^\S+ /, '') }));
  const sorted = [...launches].sort((a, b) => a.second - b.second || (a.as < b.as ? -1 : Number(a.as > b.as)));
  const names = new Map(sorted.map(({ name }, at) => [name, name.replace(/\d+$/, String(at))]));
  const rename = (text: string) => text.replace(/\S+-new-\d+/g, (name) => names.get(name) ?? name);
  return {
    events: events.map(({ second, what }) => ({ second, what: inOrder(rename(what)) })),
    workloads,
    pending,
    nodes: nodes.map(rename).sort(),
  };
}

const DECISION = /^(\w+ decides to \S+ )([^(]*)(.*)$/;

/** Nodes of a command by name. */
function inOrder(what: string): string {
  const [, start, nodes, rest] = DECISION.exec(what) ?? [];
  return start === undefined ? what : `${start}${nodes.trim().split(', ').sort().join(', ')}${rest ? ` ${rest}` : ''}`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

/** In the order of the oracle: each has one of the same words at the same time. */
function ofEvents(expected: readonly PlayEvent[], actual: readonly PlayEvent[]): string | undefined {
  const left = [...actual];
  for (const { second, what } of expected) {
    const at = left.findIndex((each) => each.what === what);
    if (at < 0) return `${what} after ${second} s: never`;
    const [own] = left.splice(at, 1);
    if (Math.abs(own.second - second) > NEAR) return `${what} after ${own.second} s instead of ${second} s`;
  }
  return left.length === 0 ? undefined : `${left[0].what} after ${left[0].second} s: not at all`;
}

function ofWorkloads({ workloads: expected }: PlayAnswer, { workloads: actual }: PlayAnswer): string | undefined {
  for (const name of Object.keys({ ...expected, ...actual })) {
    const [theirs, own] = [expected[name], actual[name]].map((one) => one && `${one.lowestReady} ready at the least, ${one.evictions} evictions`);
    if (theirs !== own) return `${name}: ${own ?? 'not there'} instead of ${theirs ?? 'not there'}`;
  }
  return undefined;
}
