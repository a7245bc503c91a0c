import { Command, Option } from 'commander';
import type { DeletionTarget, ScarcityName, ScenarioOptions, ScenarioTimes } from '../../disruption';
import { parseGoDuration } from '../../model';
import type { SimulatedScenario } from '../../validation';
import { UsageError } from '../io';
import { quoted, suggestion } from './choice-option';

/** The options as commander parses them. */
export interface ScenarioFlags {
  /** Without duplicates. */
  readonly scenario?: readonly SimulatedScenario[];
  readonly times?: Partial<ScenarioTimes>;
  readonly at?: number;
  readonly of?: DeletionTarget;
}

/** Equal to SCENARIO_NAMES of src/validation, which is not loaded for `--help`. */
const SCENARIOS: readonly SimulatedScenario[] = [
  'consolidation',
  'spot-interruption',
  'zone-outage',
  'drift',
  'expiration',
  'capacity-block',
  'node-repair',
  'deletion',
  'scale-down',
  'job-end',
  'peak',
];

/** A rollout, and scenarios in which EC2 lacks something, with examples of their names. None is part of `all`. */
const BY_NAME_ONLY = ['rollout', 'no-spot', 'no-type', 'no-type m7i', 'quota 64', 'subnet-full', 'reservation-full'];

const ALL = 'all';
const ROLLOUT = 'rollout';

/** An example value for each time. */
const TIMES: Readonly<Record<keyof ScenarioTimes, string>> = {
  nodeStart: '90s',
  podStart: '30s',
  podStop: '10s',
  simulation: '250ms',
  horizon: '48h',
};
const TIMES_HELP =
  'how long things take, for example nodeStart=90s,podStart=1m,podStop=10s; simulation=250ms is the time that Karpenter needs to ' +
  'simulate the removal of one node; the scenario ends after the horizon (default: nodeStart=60s,podStart=20s,podStop=10s,horizon=168h, and a simulation ' +
  'that takes longer with more nodes and more pending pods: 70ms with 100 nodes, 75ms with 100 pending pods as well)';
/** The longest simulation that src/disruption accepts, in seconds. */
const MAX_SIMULATION = 60;
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/;

export function addScenarioOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--scenario <names>',
        'simulate what happens to nodes and pods: how many pods of each workload stay ready, and what gets stuck; ' +
          'separate several with commas, or write all for every scenario that can happen; rollout, and no-spot, no-type m7i, quota 64 (vCPUs), ' +
          'subnet-full and reservation-full, in which EC2 lacks something, are not part of all',
      )
        .choices([...SCENARIOS, ALL, ...BY_NAME_ONLY])
        .argParser(parseScenarios),
    )
    .addOption(new Option('--times <times>', TIMES_HELP).argParser(parseTimes))
    .addOption(
      new Option(
        '--at <time>',
        'when the scenario starts, for example 2026-01-05T12:00Z; matters for budgets with a schedule ' +
          '(default: the latest time in the --cluster files, or else Monday, 2026-01-05T12:00Z)',
      ).argParser(parseTimestamp),
    )
    .addOption(
      new Option(
        '--of <object>',
        'what the scenario deletion deletes, for example node/ip-10-0-1-7, nodeclaim/default-x2k4b or nodepool/default ' +
          '(default: each NodePool in turn)',
      ).argParser(parseTarget),
    );
}

/** @throws UsageError if an option is given without the scenario that it needs */
export function scenarioOptions({
  scenario,
  times,
  at,
  of,
  comparePolicies,
}: ScenarioFlags & { readonly comparePolicies?: boolean }): ScenarioOptions {
  if (of !== undefined && !scenario?.includes('deletion'))
    throw new UsageError('--of: only the scenario deletion uses it; add --scenario deletion');
  const option = times !== undefined ? '--times' : at !== undefined ? '--at' : undefined;
  if (comparePolicies && scenario !== undefined)
    throw new UsageError('--compare-policies: plays a day instead of scenarios; leave out --scenario');
  if (comparePolicies && times?.horizon !== undefined)
    throw new UsageError('--times: --compare-policies always plays a day; leave out horizon');
  if (scenario === undefined && option !== undefined && !comparePolicies)
    throw new UsageError(`${option}: needs a scenario; add for example --scenario drift`);
  return { times, start: at, of };
}

function parseScenarios(text: string, earlier: readonly SimulatedScenario[] = []): SimulatedScenario[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0)
    throw new UsageError(`--scenario: ${quoted(text)} names no scenario; write for example drift`);
  return [...new Set([...earlier, ...names.flatMap(parseScenario)])];
}

function parseScenario(name: string): readonly SimulatedScenario[] {
  if (name === ALL) return SCENARIOS;
  const scenario = SCENARIOS.find((candidate) => candidate === name) ?? (name === ROLLOUT ? name : parseScarcity(name));
  if (scenario === undefined)
    throw new UsageError(
      `--scenario: unknown scenario ${quoted(name)}; ${suggestion(name, [...SCENARIOS, ...BY_NAME_ONLY, ALL])}`,
    );
  return [scenario];
}

/**
 * `no-type=m7i` is the same as `no-type m7i`. Equal to isScarcity of src/disruption, which is not loaded for `--help`.
 */
function parseScarcity(written: string): ScarcityName | undefined {
  const name = written.replace(/[= ]\s*/, ' ');
  const isName = /^(no-spot|no-type( [a-z0-9-]+)?|quota \d{1,6}|subnet-full|reservation-full)$/.test(name);
  if (isName) return name as ScarcityName;
  if (/^quota\b/.test(name))
    throw new UsageError(
      `--scenario: ${quoted(written)} needs the on-demand vCPUs of the quota; write for example 'quota 64'`,
    );
  return undefined;
}

function parseTimes(text: string, earlier: Partial<ScenarioTimes> = {}): Partial<ScenarioTimes> {
  const pairs = text
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map(parseTime);
  if (pairs.length === 0)
    throw new UsageError(`--times: ${quoted(text)} sets no time; write for example nodeStart=90s`);
  return { ...earlier, ...Object.fromEntries(pairs) };
}

function parseTime(pair: string): [keyof ScenarioTimes, number] {
  const [, name, value = ''] = /^([^=]*)(?:=(.*))?$/s.exec(pair)!.map((part) => part?.trim());
  const names = Object.keys(TIMES) as ReadonlyArray<keyof ScenarioTimes>;
  const time = names.find((candidate) => candidate === name);
  if (time === undefined)
    throw new UsageError(`--times: unknown time ${quoted(name)}; ${suggestion(name.replaceAll('-', ''), names)}`);
  const seconds = (parseGoDuration(value) ?? NaN) / 1_000;
  if (time === 'simulation') {
    if (seconds >= 0 && seconds <= MAX_SIMULATION) return [time, seconds];
    throw new UsageError(
      `--times: ${quoted(pair)} is not a duration from 0s to ${MAX_SIMULATION}s; write for example ${time}=${TIMES[time]}`,
    );
  }
  if (Number.isInteger(seconds) && seconds >= 1) return [time, seconds];
  throw new UsageError(
    `--times: ${quoted(pair)} is not a duration in whole seconds, from 1s on; write for example ${time}=${TIMES[time]}`,
  );
}

/** @throws UsageError if the text is not a time with a time zone */
export function parseTimestamp(text: string): number {
  const day = TIMESTAMP.exec(text)?.[1];
  const timestamp = Date.parse(text);
  // Date.parse turns an invalid day, such as February 30, into a day of the next month.
  const isReal =
    day !== undefined && !Number.isNaN(timestamp) && new Date(Date.parse(day)).toISOString().startsWith(day);
  if (isReal) return timestamp;
  throw new UsageError(`--at: ${quoted(text)} is not a time with a time zone; write for example 2026-01-05T12:00Z`);
}

function parseTarget(text: string): DeletionTarget {
  const [, kind, name] = /^(node|nodeclaim|nodepool)\/(.+)$/.exec(text) ?? [];
  if (name !== undefined) return { kind: kind as DeletionTarget['kind'], name };
  throw new UsageError(`--of: ${quoted(text)} is not a kind and a name; write for example nodepool/default`);
}
