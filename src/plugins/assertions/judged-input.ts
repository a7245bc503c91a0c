import {
  check, CheckOptions, explain, LaunchableTypes, notEvaluatedObjects, poolInstanceTypes, renderExplanationsText, ScenarioResult, ScenarioSession,
  SourceFile, UNREADABLE_INPUT, Verdict,
} from '../../validation';
import { checkOptions } from '../check-options';
import { KarpenterAssertionsProps } from './karpenter-assertions-props';
import { plural } from './outcome';
import { Scenario } from './scenario';

/** What is asserted about: everything is worked out when it is first asked for, and once. */
export class JudgedInput {
  private readonly options: CheckOptions;
  private readonly scenarios: ScenarioSession;
  private readonly played = new Map<Scenario, ScenarioResult>();
  private known?: Verdict;
  private types?: LaunchableTypes;

  constructor(private readonly sources: readonly SourceFile[], private readonly props: KarpenterAssertionsProps) {
    this.options = { ...checkOptions(props), explain: true };
    this.scenarios = new ScenarioSession(sources, this.options);
  }

  /** With the stories of the pods. */
  get verdict(): Verdict {
    this.known ??= check(this.sources, this.options);
    return this.known;
  }

  get launchable(): LaunchableTypes {
    this.types ??= poolInstanceTypes(this.sources, this.options);
    return this.types;
  }

  /** Whether pods may run already, which are not placed again. */
  get hasCluster(): boolean {
    return (this.props.clusterFiles ?? []).length > 0;
  }

  play(scenario: Scenario): ScenarioResult {
    let played = this.played.get(scenario);
    if (!played) {
      played = this.scenarios.simulate(scenario, scenarioOptions(this.props));
      this.played.set(scenario, played);
    }
    return played;
  }

  /** How these pods come to their nodes, or why they have none: pods or workloads, by namespace and name. */
  explain(pods: readonly string[]): string {
    return renderExplanationsText(explain(this.sources, pods, this.options));
  }

  /** What of the input cannot be used at all: then nothing can be said of it. */
  get unreadable(): string[] {
    return this.verdict.findings.filter(({ rule, severity }) => rule === UNREADABLE_INPUT && severity === 'error')
      .map(({ location: { file, line }, message }) => `${file === '' ? '' : `${file}:${line}: `}${message}`);
  }

  /** Objects that the verdict says nothing of. */
  get notJudged(): readonly string[] {
    return notEvaluatedObjects(this.sources, this.options);
  }

  /** Pods that the verdict says nothing of. */
  get notEvaluated(): string[] {
    return this.notEvaluatedOf(() => true);
  }

  /** What the verdict does not say of a workload, which is called by its kind, namespace and name. */
  untoldOf(workload: string): string[] {
    const name = workload.slice(workload.indexOf(' ') + 1);
    return [...this.notEvaluatedOf((pod) => isPodOf(pod, name)), ...this.notJudged.filter((sentence) => sentence.includes(` ${name} is not evaluated`))];
  }

  /** Those of its pods that fit nowhere. */
  unschedulableOf(workload: string): string[] {
    const name = workload.slice(workload.indexOf(' ') + 1);
    return this.verdict.unschedulable.flatMap(({ pod }) => isPodOf(pod, name) ? [pod] : []);
  }

  private notEvaluatedOf(isMeant: (pod: string) => boolean): string[] {
    const byReason = new Map<string, string[]>();
    for (const { pod, what } of this.verdict.notEvaluated.filter((each) => isMeant(each.pod))) byReason.set(what.join(', '), [...byReason.get(what.join(', ')) ?? [], pod]);
    return [...byReason].map(([what, [pod, ...others]]) =>
      `pod ${pod}${others.length === 0 ? '' : ` and ${others.length} more`} ${others.length === 0 ? 'is' : 'are'} not evaluated: ${what}`);
  }

  /** Planned nodes that Karpenter would ask EC2 for in vain. */
  get notLaunched(): string[] {
    return this.verdict.nodeClaims.flatMap(({ id, launch, launchFailure }) => launch ? [] : [`node ${id} cannot be launched: ${launchFailure}`]);
  }

  /** What keeps the plan from being whole: with it there would be other nodes. */
  get unplaced(): string[] {
    const without = this.verdict.unschedulable.length;
    return [
      ...without === 0 ? [] : [`${plural(without, 'pod')} ${without === 1 ? 'has' : 'have'} no node: hasAllPodsScheduled() says why`],
      ...this.notEvaluated, ...this.notJudged, ...this.notLaunched,
    ];
  }
}

/** By their names, both with their namespace: what a ReplicaSet or an ordinal adds. */
function isPodOf(pod: string, workload: string): boolean {
  return pod.startsWith(workload) && /^-[a-z0-9]+(-[a-z0-9]{5})?$/.test(pod.slice(workload.length));
}

function scenarioOptions({ nodeStart, podStart, podStop, simulation, horizon, start }: KarpenterAssertionsProps) {
  const times = Object.entries({ nodeStart, podStart, podStop, simulation, horizon })
    .flatMap(([name, duration]) => duration === undefined ? [] : [[name, duration.toSeconds({ integral: name !== 'simulation' })] as const]);
  return { times: Object.fromEntries(times), start: start?.getTime() };
}
