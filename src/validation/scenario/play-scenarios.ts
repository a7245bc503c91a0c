import { ScenarioOptions } from '../../disruption';
import { SourceFile } from '../manifest';
import { CheckOptions } from '../options';
import { NotPlayed, Played, PlayedScenario, playScenario } from './play-scenario';

interface Play {
  readonly scenario: PlayedScenario;
  readonly played: Played;
}

/** Why there is nothing to play, where there is not. */
const WHY_NOT: Readonly<Record<PlayedScenario, string>> = {
  'consolidation': 'there is no node',
  'spot-interruption': 'there is no spot node',
  'zone-outage': 'no node is known to be in a zone',
  'drift': 'there is no node',
  'expiration': 'no node expires',
  'capacity-block': 'no node is in a capacity block',
  'node-repair': 'Karpenter has no node that is to stay',
  'deletion': 'no NodePool has a node',
  'scale-down': 'no static NodePool has more nodes than its replicas',
  'job-end': 'no Job has a pod on a node',
  'peak': 'no autoscaler lets a workload have more pods',
};

/**
 * Plays each of them from the same beginning, which is worked out once, and puts what is told of one after the other into one. Of one
 * scenario it is what `playScenario` tells.
 *
 * @param names each once, in the order in which they are told
 * @throws Error if an option has a value that it cannot have
 * @throws UnknownTargetError where there is nothing of the name that is to be deleted
 */
export function playScenarios(
  sources: readonly SourceFile[], names: readonly PlayedScenario[], given?: CheckOptions, options?: ScenarioOptions,
): Played {
  const plays = names.map((scenario) => ({ scenario, played: playScenario(sources, scenario, given, options) }));
  return plays.length === 1 ? plays[0].played : joined(plays);
}

function joined(plays: readonly Play[]): Played {
  const told = plays.filter(hasAnything);
  const { drifts } = plays.find(({ played }) => played.drifts)?.played ?? {};
  const times = plays.flatMap(({ played }) => played.times ?? []);
  const [{ played: { start, notEvaluated, workloads } }] = plays;
  return {
    start,
    notEvaluated,
    workloads,
    ...drifts === undefined ? {} : { drifts },
    // One that is followed to its end has no horizon.
    ...times.length === 0 ? {} : { times: times.find(({ horizon }) => horizon !== undefined) ?? times[0] },
    reports: told.flatMap(({ played }) => played.reports),
    assumptions: assumptionsOf(told),
    notPlayed: plays.filter((play) => !hasAnything(play)).map(({ scenario }): NotPlayed => ({ scenario, why: WHY_NOT[scenario] })),
  };
}

/** Of the peak and of what becomes of the whole cluster there is a report in any case. */
function hasAnything({ scenario, played: { reports } }: Play): boolean {
  return reports.some(({ workloads, before }) => scenario === 'peak' ? workloads.length > 0 : before.nodes > 0);
}

/** Each once, with the scenarios that it is about unless it is about all in which time passes. */
function assumptionsOf(plays: readonly Play[]): string[] {
  const about = new Map<string, PlayedScenario[]>();
  for (const { scenario, played } of plays) {
    for (const sentence of played.assumptions) about.set(sentence, [...about.get(sentence) ?? [], scenario]);
  }
  const timed = plays.filter(({ played }) => played.times !== undefined).map(({ scenario }) => scenario);
  return [...about].map(([sentence, scenarios]) => {
    const others = timed.filter((each) => !scenarios.includes(each));
    if (others.length === 0) return sentence;
    return others.length < scenarios.length ? `${sentence}, except in ${listed(others)}` : `in ${listed(scenarios)}: ${sentence}`;
  });
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
