import { Command, InvalidArgumentError, Option } from 'commander';
import type { DeletionTarget, ScenarioOptions, ScenarioTimes } from '../disruption';
import { parseGoDuration } from '../model';
import type { PlayedScenario } from '../validation';
import { UsageError } from './io';

/** As commander hands them over. */
export interface ScenarioFlags {
  /** Each once. */
  readonly scenario?: readonly PlayedScenario[];
  readonly times?: Partial<ScenarioTimes>;
  readonly at?: number;
  readonly of?: DeletionTarget;
}

/** As in src/validation, which is not loaded for the help. */
const SCENARIOS: readonly PlayedScenario[] = [
  'consolidation', 'spot-interruption', 'zone-outage', 'drift', 'expiration', 'capacity-block', 'node-repair', 'deletion', 'scale-down', 'job-end', 'peak',
];

const ALL = 'all';

/** An example for each of them. */
const TIMES: Readonly<Record<keyof ScenarioTimes, string>> = { nodeStart: '90s', podStart: '30s', podStop: '10s', simulation: '250ms', horizon: '48h' };
const TIMES_HELP = 'how long things take then, as in nodeStart=90s,podStart=1m,podStop=10s; simulation=250ms is what Karpenter takes for each node that it tries, '
  + 'and after the horizon nothing more is looked at (default: nodeStart=60s,podStart=20s,podStop=10s,horizon=168h, and a simulation takes longer the more '
  + 'nodes there are, and pods on their way: 70ms with 100 nodes, and 75ms while 100 pods are)';
/** As src/disruption has it. */
const MOST_SIMULATION = 60;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/;

export function addScenarioOptions(command: Command): Command {
  return command
    .addOption(new Option('--scenario <names>', 'play what happens to the nodes then: how few pods of each workload are ready, and what stays stuck; '
      + 'several by commas or by giving it several times, and all that can happen with all').choices([...SCENARIOS, ALL]).argParser(parseScenarios))
    .addOption(new Option('--times <times>', TIMES_HELP).argParser(parseTimes))
    .addOption(new Option('--at <moment>', 'when the scenario begins, as in 2026-01-05T12:00Z: disruption budgets have their hours '
      + '(default: the latest that the files of --cluster tell, or else Monday, 2026-01-05T12:00Z)').argParser(parseMoment))
    .addOption(new Option('--of <object>', 'what the scenario deletion deletes, as in node/ip-10-0-1-7, nodeclaim/default-x2k4b or nodepool/default '
      + '(default: every NodePool, each by itself)').argParser(parseTarget));
}

/** @throws UsageError where they are given without the scenario that they are for */
export function scenarioOptions({ scenario, times, at, of }: ScenarioFlags): ScenarioOptions {
  if (of !== undefined && !scenario?.includes('deletion')) throw new UsageError('--of: nothing is deleted; add --scenario deletion');
  const alone = times !== undefined ? '--times' : at !== undefined ? '--at' : undefined;
  if (scenario === undefined && alone !== undefined) throw new UsageError(`${alone}: no scenario is played; add for example --scenario drift`);
  return { times, start: at, of };
}

function parseScenarios(text: string, earlier: readonly PlayedScenario[] = []): PlayedScenario[] {
  const names = text.split(',').map((name) => name.trim()).filter((name) => name !== '');
  if (names.length === 0) throw new InvalidArgumentError(`no scenario, got ${JSON.stringify(text)}; write for example drift`);
  return [...new Set([...earlier, ...names.flatMap(parseScenario)])];
}

function parseScenario(name: string): readonly PlayedScenario[] {
  if (name === ALL) return SCENARIOS;
  const found = SCENARIOS.find((each) => each === name);
  if (found === undefined) throw new InvalidArgumentError(`no scenario, got ${JSON.stringify(name)}; write ${SCENARIOS.join(', ')}, or ${ALL}`);
  return [found];
}

function parseTimes(text: string, earlier: Partial<ScenarioTimes> = {}): Partial<ScenarioTimes> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '').map(parseTime);
  if (pairs.length === 0) throw new InvalidArgumentError(`no time, got ${JSON.stringify(text)}; write for example nodeStart=90s`);
  return { ...earlier, ...Object.fromEntries(pairs) };
}

function parseTime(pair: string): [keyof ScenarioTimes, number] {
  const [, name, value = ''] = /^([^=]*)(?:=(.*))?$/s.exec(pair)!.map((part) => part?.trim());
  const known = Object.keys(TIMES) as ReadonlyArray<keyof ScenarioTimes>;
  const time = known.find((each) => each === name);
  if (time === undefined) {
    const same = known.find((each) => each.toLowerCase() === name.replaceAll('-', '').toLowerCase());
    throw new InvalidArgumentError(`no time of a scenario, got ${JSON.stringify(name)}; write ${same ?? known.join(', ')}`);
  }
  const seconds = (parseGoDuration(value) ?? NaN) / 1_000;
  if (time === 'simulation') {
    if (seconds >= 0 && seconds <= MOST_SIMULATION) return [time, seconds];
    throw new InvalidArgumentError(`not a duration from 0s to ${MOST_SIMULATION}s, got ${JSON.stringify(pair)}; write for example ${time}=${TIMES[time]}`);
  }
  if (Number.isInteger(seconds) && seconds >= 1) return [time, seconds];
  throw new InvalidArgumentError(`not a duration of whole seconds, one at least, got ${JSON.stringify(pair)}; write for example ${time}=${TIMES[time]}`);
}

function parseMoment(text: string): number {
  const day = MOMENT.exec(text)?.[1];
  const moment = Date.parse(text);
  // A day that its month has not got becomes one of the next.
  const isReal = day !== undefined && !Number.isNaN(moment) && new Date(Date.parse(day)).toISOString().startsWith(day);
  if (isReal) return moment;
  throw new InvalidArgumentError(`not a moment with its time zone, got ${JSON.stringify(text)}; write for example 2026-01-05T12:00Z`);
}

function parseTarget(text: string): DeletionTarget {
  const [, kind, name] = /^(node|nodeclaim|nodepool)\/(.+)$/.exec(text) ?? [];
  if (name !== undefined) return { kind: kind as DeletionTarget['kind'], name };
  throw new InvalidArgumentError(`not a kind and a name, got ${JSON.stringify(text)}; write for example nodepool/default`);
}
