import { countText, shortListText, shownNumber } from '../model';
import { _checkOptions } from '../plugins';
import {
  CheckSession,
  checkSession,
  explainPods,
  launchableTypesOfPools,
  LaunchableTypes,
  objectsNotEvaluated,
  readSession,
  renderExplanationsText,
  ScenarioResult,
  ScenarioSession,
  SimulatedScenario,
  SourceFile,
  UNREADABLE_INPUT,
  Verdict,
} from '../validation';
import { KarpenterAssertionsProps } from './karpenter-assertions-props';
import { Scenario } from './scenario';

/** The input of the assertions with its evaluations. Each evaluation runs once, when an assertion first needs it. */
export class EvaluatedInput {
  private readonly session: CheckSession;
  private readonly scenarioSession: ScenarioSession;
  private readonly scenarioResults = new Map<Scenario, ScenarioResult>();
  private cachedVerdict?: Verdict;
  private cachedLaunchableTypes?: LaunchableTypes;

  constructor(
    sources: readonly SourceFile[],
    private readonly props: KarpenterAssertionsProps,
  ) {
    this.session = readSession(sources, { ..._checkOptions(props), explain: true, settle: {} });
    this.scenarioSession = new ScenarioSession(this.session);
  }

  /** The verdict, with an explanation of each pod's placement. */
  get verdict(): Verdict {
    this.cachedVerdict ??= checkSession(this.session);
    return this.cachedVerdict;
  }

  get launchableTypes(): LaunchableTypes {
    this.cachedLaunchableTypes ??= launchableTypesOfPools(this.session);
    return this.cachedLaunchableTypes;
  }

  /** Whether the cluster may already run pods: the verdict does not count them. */
  get hasClusterFiles(): boolean {
    return (this.props.clusterFiles ?? []).length > 0;
  }

  simulate(scenario: Scenario): ScenarioResult {
    let result = this.scenarioResults.get(scenario);
    if (!result) {
      result = this.scenarioSession.simulate(simulatedScenario(scenario, this.props), scenarioOptions(this.props));
      this.scenarioResults.set(scenario, result);
    }
    return result;
  }

  /**
   * Explains why these pods are on their nodes, or why they are unschedulable.
   *
   * @param pods pods or workloads, as `namespace/name`
   */
  explain(pods: readonly string[]): string {
    return renderExplanationsText(explainPods(this.session, pods));
  }

  /** @param workload as `namespace/name` */
  hasPodsOf(workload: string): boolean {
    return explainPods(this.session, [workload]).placements.length > 0;
  }

  /** Errors of input that cannot be read. With such an error, no assertion can be evaluated. */
  get unreadableInput(): string[] {
    return this.verdict.findings
      .filter(({ rule, severity }) => rule === UNREADABLE_INPUT && severity === 'error')
      .map(({ location: { file, line }, message }) => `${file === '' ? '' : `${file}:${line}: `}${message}`);
  }

  /** Sentences about the objects that are not evaluated. */
  get notEvaluatedObjects(): readonly string[] {
    return objectsNotEvaluated(this.session.model).sentences;
  }

  /** Sentences about the pods that are not evaluated. */
  get notEvaluatedPods(): string[] {
    return this.notEvaluatedPodsWhere(() => true);
  }

  /**
   * Sentences about the parts of a workload that are not evaluated: its pods, or the workload itself.
   *
   * @param workload as `Kind namespace/name`
   */
  notEvaluatedPartsOf(workload: string): string[] {
    const name = withoutKind(workload);
    return [
      ...this.notEvaluatedPodsWhere((pod) => isPodOf(pod, name)),
      ...this.notEvaluatedObjects.filter((sentence) => sentence.includes(` ${name} is not evaluated`)),
    ];
  }

  /**
   * Unschedulable pods of a workload, as `namespace/name`.
   *
   * @param workload as `Kind namespace/name`
   */
  unschedulablePodsOf(workload: string): string[] {
    const name = withoutKind(workload);
    return this.verdict.unschedulable.flatMap(({ pod }) => (isPodOf(pod, name) ? [pod] : []));
  }

  private notEvaluatedPodsWhere(matches: (pod: string) => boolean): string[] {
    const podsByReason = new Map<string, string[]>();
    for (const { pod, what } of this.verdict.notEvaluated.filter((entry) => matches(entry.pod))) {
      const reason = what.join(', ');
      podsByReason.set(reason, [...(podsByReason.get(reason) ?? []), pod]);
    }
    return [...podsByReason].map(
      ([reason, [pod, ...more]]) =>
        `pod ${shortListText([pod, ...more], 1)} ${more.length === 0 ? 'is' : 'are'} not evaluated: ${reason}`,
    );
  }

  /** Sentences about planned nodes that EC2 cannot launch. */
  get launchFailures(): string[] {
    return this.verdict.nodeClaims.flatMap(({ id, launch, launchFailure }) =>
      launch ? [] : [`node ${id} cannot be launched: ${launchFailure}`],
    );
  }

  /** Reasons why the plan is incomplete: without them, the cluster could have other nodes. */
  get incompletePlanReasons(): string[] {
    const unschedulable = this.verdict.unschedulable.length;
    return [
      ...(unschedulable === 0
        ? []
        : [`${countText(unschedulable, 'pod has', 'pods have')} no node; hasAllPodsScheduled() explains why`]),
      ...this.notEvaluatedPods,
      ...this.notEvaluatedObjects,
      ...this.launchFailures,
    ];
  }
}

/** `Deployment shop/web` → `shop/web`. */
export function withoutKind(workload: string): string {
  return workload.slice(workload.indexOf(' ') + 1);
}

/** Whether the pod's name is the workload's name plus an ordinal, or plus the suffixes of a ReplicaSet and its pod. */
function isPodOf(pod: string, workload: string): boolean {
  return pod.startsWith(workload) && /^-[a-z0-9]+(-[a-z0-9]{5})?$/.test(pod.slice(workload.length));
}

/** @throws Error if `vcpuQuota` is not valid, or missing */
function simulatedScenario(scenario: Scenario, { vcpuQuota }: KarpenterAssertionsProps): SimulatedScenario {
  if (scenario !== Scenario.QUOTA) return scenario;
  if (vcpuQuota !== undefined && Number.isInteger(vcpuQuota) && vcpuQuota >= 0 && vcpuQuota < 1_000_000)
    return `quota ${vcpuQuota}`;
  throw new Error(
    `vcpuQuota: Scenario.QUOTA needs a whole number of vCPUs from 0 on, got ${vcpuQuota === undefined ? 'none' : shownNumber(vcpuQuota)}; write for example vcpuQuota: 64`,
  );
}

function scenarioOptions({ nodeStart, podStart, podStop, simulation, horizon, start }: KarpenterAssertionsProps) {
  const times = Object.entries({ nodeStart, podStart, podStop, simulation, horizon }).flatMap(([name, duration]) =>
    duration === undefined ? [] : [[name, duration.toSeconds({ integral: name !== 'simulation' })] as const],
  );
  return { times: Object.fromEntries(times), start: start?.getTime() };
}
