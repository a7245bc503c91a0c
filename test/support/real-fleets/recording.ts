/** What tests need of the recording of a fleet, which is one line of JSON for each sample and event. */

import type { RealFleet } from './fleets';

export interface Figures {
  readonly nodes: number;
  readonly usdPerHour: number;
}

/** One command of Karpenter's disruption controller. */
export interface Command {
  /** From the first command until this one is decided, in seconds. */
  readonly second: number;
  readonly decision: 'delete' | 'replace';
  /** How many nodes are disrupted and launched. */
  readonly nodes: number;
  readonly replacements: number;
  /** Until all disrupted nodes are gone, in seconds. @default - they were there at the end */
  readonly duration?: number;
}

export interface Recording {
  readonly firstPass: Figures;
  /** Before any step of the fleet. */
  readonly settled: Figures & { readonly pendingPods: number };
  /** Nodes of the settled fleet by instance type and capacity type. */
  readonly types: Readonly<Record<string, number>>;
  /** How many NodeClaims were created at once, by second. */
  readonly waves: ReadonlyArray<readonly [second: number, claims: number]>;
  /** After the dump, for a fleet with a scenario. */
  readonly disruption?: {
    readonly commands: readonly Command[];
    /** From the dump until the first command, in seconds. */
    readonly firstAfter?: number;
    /** From the first command until the end of the recording, in seconds. */
    readonly recorded: number;
    readonly end: Figures;
    readonly lowestRunning: number;
  };
}

interface Claim {
  readonly name: string;
  readonly created: string;
  readonly type: string;
  readonly ct: string;
  readonly price: number;
  readonly conditions: readonly string[];
}

interface Sample {
  readonly t: number;
  readonly claims: readonly Claim[];
  readonly pending: Readonly<Record<string, number>>;
  readonly running: number;
}

interface LogEntry {
  readonly message: string;
  readonly decision: 'delete' | 'replace';
  readonly 'disrupted-nodes': ReadonlyArray<{ readonly NodeClaim: { readonly name: string } }>;
  readonly 'replacement-node-count': number;
}

interface Event {
  readonly t: number;
  readonly event: string;
  readonly log?: LogEntry;
  readonly objects?: readonly object[];
}

/** The events of steps that change or record a settled fleet. */
const STEPS = new Set(['scale', 'patch', 'dump']);
/** Claims of one pass are created within this time. */
const PASS_SECONDS = 3;

const cents = (usd: number) => Math.round(usd * 10_000) / 10_000;
const tenths = (seconds: number) => Math.round(seconds * 10) / 10;

function figuresOf(claims: readonly Claim[]): Figures {
  return { nodes: claims.length, usdPerHour: cents(claims.reduce((sum, { price }) => sum + price, 0)) };
}

function countsOf(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of [...keys].sort()) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

function wavesOf(claims: readonly Claim[]): Array<[number, number]> {
  const seconds = claims.map(({ created }) => Date.parse(created) / 1000).sort((a, b) => a - b);
  const waves: Array<[number, number]> = [];
  for (const second of seconds) {
    const last = waves[waves.length - 1];
    if (last && second - seconds[0] - last[0] <= PASS_SECONDS) last[1]++;
    else waves.push([second - seconds[0], 1]);
  }
  return waves;
}

/** The objects of the dump of a recording, for `check --cluster`; undefined if there is none. */
export function dumpOf(lines: readonly object[]): readonly object[] | undefined {
  return (lines as readonly Event[]).find(({ event }) => event === 'dump')?.objects;
}

/** @throws Error if nothing was launched, or if a node was not ready in the end */
export function recordingOf({ scenario }: RealFleet, lines: readonly object[]): Recording {
  const samples = (lines as readonly Sample[]).filter(({ claims }) => claims !== undefined);
  const until = (lines as readonly Event[]).find(({ event }) => STEPS.has(event))?.t ?? Infinity;
  const settled = samples.filter(({ t }) => t <= until).pop();
  if (!settled || settled.claims.length === 0) throw new Error('no node was launched');
  if (settled.claims.some(({ conditions }) => !conditions.includes('Initialized')))
    throw new Error('the recording ends before its nodes are ready');
  const waves = wavesOf(settled.claims);
  const first = [...settled.claims].sort((a, b) => Date.parse(a.created) - Date.parse(b.created)).slice(0, waves[0][1]);
  return {
    firstPass: figuresOf(first),
    settled: {
      ...figuresOf(settled.claims),
      pendingPods: Object.values(settled.pending).reduce((sum, count) => sum + count, 0),
    },
    types: countsOf(settled.claims.map(({ type, ct }) => `${type} ${ct}`)),
    waves,
    ...(scenario ? { disruption: disruptionOf(lines, samples) } : {}),
  };
}

function disruptionOf(lines: readonly object[], samples: readonly Sample[]): NonNullable<Recording['disruption']> {
  const events = lines as readonly Event[];
  const from = events.find(({ event }) => event === 'dump')?.t ?? 0;
  const decided = events.filter(({ t, log }) => t >= from && log?.message === 'disrupting node(s)');
  const start = decided[0]?.t ?? from;
  const later = samples.filter(({ t }) => t >= from);
  const last = later[later.length - 1];
  return {
    commands: decided.map(({ t, log }) => commandOf(t, start, log!, later)),
    ...(decided.length > 0 ? { firstAfter: tenths(start - from) } : {}),
    recorded: tenths(last.t - start),
    end: figuresOf(last.claims),
    lowestRunning: Math.min(...later.map(({ running }) => running)),
  };
}

function commandOf(t: number, start: number, log: LogEntry, samples: readonly Sample[]): Command {
  const names = new Set(log['disrupted-nodes'].map(({ NodeClaim }) => NodeClaim.name));
  const gone = samples.find((sample) => sample.t >= t && !sample.claims.some(({ name }) => names.has(name)));
  return {
    second: tenths(t - start),
    decision: log.decision,
    nodes: names.size,
    replacements: log['replacement-node-count'],
    ...(gone ? { duration: tenths(gone.t - t) } : {}),
  };
}
