import { DAY, DAY_CURVE, dayCurve } from './day-curve';
import { KnownWorkload, knownWorkloads } from './day-workloads';
import { Load, LoadFileError, readLoad } from './load-file';
import { rolloutsOfDay } from './rollouts-of-day';
import { DEFAULT_JOB_DURATION, JobDurations, jobOfDay } from './scheduled-jobs';
import { NEWEST_KARPENTER_VERSION, parseKarpenterVersion } from '../../../contract';
import {
  Cluster,
  DayPlan,
  DayReport,
  simulateDay,
  PoolDisruption,
  RolloutPods,
  ScaledWorkload,
  ScenarioTimes,
  timesOf,
} from '../../../disruption';
import { countText, durationText, shortListText } from '../../../model';
import { CheckSession } from '../../context/check-session';
import { READING_RULES } from '../../manifest';
import { Finding } from '../../vocabulary/verdict';
import { prepareCluster, PreparedCluster } from '../prepared-cluster';
import { BINDING_ASSUMPTION } from '../simulate-scenario';

/** Assumptions of the catalogue about the age of prices. */
const PRICES = /^(on-demand|spot) prices (of|are) /;
/** The policies that are compared. */
const POLICIES = ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'] as const;
/** Seconds. */
const CONSOLIDATE_AFTER = [0, 300, 3_600];
/** The first release with the policy Balanced. */
const BALANCED_SINCE = [1, 14] as const;
const SECOND = 1_000;

export interface PolicyOptions {
  readonly times?: Partial<ScenarioTimes>;
  /** A time of the day that is simulated. @default - the start of simulations */
  readonly at?: number;
  /** The text of a load file. @default - autoscalers follow the stated curve */
  readonly load?: string;
  /** @default - all Jobs run ten minutes */
  readonly jobDurations?: JobDurations;
  /** How often each Deployment is rolled out. @default 1 */
  readonly rollouts?: number;
  /** @default - 15 to 60 seconds of one core for each policy */
  readonly maxWork?: number;
}

/** A day under one policy. */
export interface PolicyDay {
  /** Undefined for the NodePools as they are written. */
  readonly policy?: PoolDisruption['consolidationPolicy'];
  /** Seconds. */
  readonly consolidateAfter?: number;
  /** Whether all NodePools are written like this. */
  readonly isWritten: boolean;
  readonly day: DayReport;
}

/** The result of `check --compare-policies`, JSON schema version 1. */
export interface PolicyComparison {
  readonly schemaVersion: '1';
  /** When the counted day begins, in ISO 8601. */
  readonly start: string;
  readonly seconds: number;
  /** First the NodePools as they are written, unless one of the others is the same. */
  readonly policies: readonly PolicyDay[];
  readonly currency: string | null;
  readonly assumptions: readonly string[];
  /** NodePools, workloads and Jobs that are missing from the simulation. */
  readonly notEvaluated: readonly string[];
  /** Input that could not be read. */
  readonly problems: readonly Finding[];
}

/**
 * Simulates one day under each consolidation policy.
 *
 * @throws LoadFileError if the load cannot be used
 * @throws UnknownJobError if a duration is of no Job
 */
export function comparePolicies(session: CheckSession, options: PolicyOptions = {}): PolicyComparison {
  const prepared = prepareCluster(session, options.at);
  const { catalog, model } = prepared.context;
  const day = dayOf(prepared, options);
  const times = timesOf('consolidation', { times: options.times });
  const policies = playAll(prepared, day, times, options);
  const prices = catalog.assumptions.filter((sentence) => PRICES.test(sentence));
  const stopped = policies.filter(({ day: report }) => report.stopped);
  return {
    schemaVersion: '1',
    start: new Date(day.start).toISOString(),
    seconds: day.plan.seconds,
    policies: policies.filter(({ day: report }) => !report.stopped),
    currency: catalog.unknownPrices === undefined ? catalog.currency : null,
    assumptions: [...day.assumptions, ...timeAssumptions(times), ...prices],
    notEvaluated: [
      ...prepared.notes,
      ...day.notEvaluated,
      ...(stopped.length === 0
        ? []
        : [
            `${stopped.length} of ${countText(policies.length, 'policy', 'policies')}: the day is too much work to simulate; compare fewer workloads at a time`,
          ]),
    ],
    problems: model.problems.filter(
      ({ rule, severity }) => rule === READING_RULES.unreadable.rule && severity === 'error',
    ),
  };
}

function timeAssumptions({ nodeStart, podStart, podStop }: ScenarioTimes): string[] {
  return [
    `a node is ready ${nodeStart} seconds after its launch; a pod is ready ${podStart} seconds after it is bound, and stops within ${podStop} seconds`,
    'the day begins with the nodes that the policy leaves: the last third of the day before is simulated as well, and with WhenEmpty the whole day before',
    BINDING_ASSUMPTION,
    'EC2 has capacity for every instance type, and launches the cheapest; a node costs from its launch until it is gone',
  ];
}

/** Everything that happens on the day, the same for all policies. */
interface Day {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly plan: DayPlan;
  readonly assumptions: readonly string[];
  readonly notEvaluated: readonly string[];
}

function dayOf(prepared: PreparedCluster, { load: text, jobDurations, rollouts = 1 }: PolicyOptions): Day {
  const load = text === undefined ? undefined : readLoad(text);
  const workloads = knownWorkloads(prepared);
  const midnight = Math.floor(prepared.start / (DAY * SECOND)) * DAY * SECOND;
  const { start, seconds } = load ?? { start: midnight, seconds: DAY };
  const scaled = load ? loadedWorkloads(load, workloads) : curvedWorkloads(workloads);
  const durations = jobDurations ?? { byName: new Map<string, number>() };
  const jobWorkloads = workloads.filter(({ kind }) => kind === 'Job' || kind === 'CronJob');
  checkDurations(durations, jobWorkloads);
  const jobs = jobWorkloads.map((workload) => jobOfDay(workload, { start, seconds }, durations));
  const simulated = jobs.filter((job) => typeof job !== 'string');
  const isWholeDay = load === undefined;
  return {
    start,
    plan: {
      scaled,
      jobs: simulated,
      rollouts: rollouts === 0 ? [] : rolloutsOfDay(workloads, rollouts, { seconds, isWholeDay }),
      seconds,
    },
    assumptions: [
      ...(load ? loadAssumptions(load, scaled, workloads) : scaled.length > 0 ? [DAY_CURVE] : []),
      ...(simulated.length === 0 ? [] : [jobAssumption(durations)]),
      ...rolloutAssumptions(rollouts, workloads, isWholeDay),
    ],
    notEvaluated: jobs.filter((job) => typeof job === 'string'),
  };
}

/** A duration for a Job that does not exist. */
export class UnknownJobError extends Error {}

function checkDurations({ byName }: JobDurations, jobs: readonly KnownWorkload[]): void {
  const names = new Set(jobs.flatMap(({ namespace, name }) => [name, `${namespace}/${name}`]));
  const unknown = [...byName.keys()].find((name) => !names.has(name));
  if (unknown === undefined) return;
  const known = jobs.map(({ namespace, name }) => `${namespace}/${name}`);
  throw new UnknownJobError(
    `there is no Job or CronJob ${JSON.stringify(unknown)}; ${known.length === 0 ? 'the manifests have none' : `there is ${shortListText(known)}`}`,
  );
}

function curvedWorkloads(workloads: readonly KnownWorkload[]): ScaledWorkload[] {
  return workloads.flatMap(({ key, pod, range, replicas }) =>
    range === undefined || replicas === 0 ? [] : [{ key, pod, changes: dayCurve(range.min, range.max) }],
  );
}

/** @throws LoadFileError if the file has a workload that the manifests do not have */
function loadedWorkloads({ series }: Load, workloads: readonly KnownWorkload[]): ScaledWorkload[] {
  return series.map(({ place, kind, namespace, name, changes }) => {
    const isAutoscaler = kind === 'HorizontalPodAutoscaler';
    const workload = workloads.find((known) =>
      isAutoscaler
        ? known.range?.autoscaler === `${kind} ${namespace}/${name}`
        : known.kind === kind && known.namespace === namespace && known.name === name,
    );
    if (workload) return { key: workload.key, pod: workload.pod, changes };
    throw new LoadFileError(
      `${place} is of ${kind} ${namespace}/${name}, which is not among the workloads that are scheduled; leave it out of the query, or add its manifest`,
    );
  });
}

function loadAssumptions(
  { isCut, seconds }: Load,
  scaled: readonly ScaledWorkload[],
  workloads: readonly KnownWorkload[],
): string[] {
  const loaded = new Set(scaled.map(({ key }) => key));
  const constant = workloads.filter(({ key, range }) => range !== undefined && !loaded.has(key));
  return [
    `replicas are those of the load file, ${isCut ? 'the last day of it' : `over ${durationText(seconds)}`}`,
    ...(constant.length === 0
      ? []
      : [
          `the load file has no series for ${shortListText(constant.map(({ key }) => key))}: the replicas stay constant`,
        ]),
  ];
}

function jobAssumption({ all, byName }: JobDurations): string {
  const others = byName.size === 0 ? 'the pods of each Job' : 'the pods of all other Jobs';
  const seconds = all ?? DEFAULT_JOB_DURATION;
  return `${others} run for ${durationText(seconds)}, and at most for activeDeadlineSeconds${all === undefined ? ' (--job-duration)' : ''}`;
}

function rolloutAssumptions(count: number, workloads: readonly KnownWorkload[], isWholeDay: boolean): string[] {
  if (!workloads.some(({ kind }) => kind === 'Deployment')) return [];
  if (count === 0) return ['no Deployment is rolled out'];
  const when = isWholeDay ? 'from 09:00 to 17:00 UTC' : 'over the whole time';
  return [
    `each Deployment is rolled out ${count === 1 ? 'once' : `${count} times`}, one after the other ${when} (--rollouts)`,
  ];
}

function playAll(
  { cluster, baseline, context }: PreparedCluster,
  { start, plan }: Day,
  times: ScenarioTimes,
  { maxWork }: PolicyOptions,
): PolicyDay[] {
  const jobs = new Set(plan.jobs.map(({ key }) => key));
  const idle = withoutPodsOf(jobs, cluster);
  const variants = policiesOf(context.options.karpenterVersion).flatMap((policy) =>
    CONSOLIDATE_AFTER.map((consolidateAfter) => ({ policy, consolidateAfter })),
  );
  const { onProgress } = context.options;
  const isWritten = variants.map((variant) => isWrittenAs(variant, cluster));
  const rolloutPods = new RolloutPods();
  const all = isWritten.includes(true) ? variants : [undefined, ...variants];
  return all.map((variant, index): PolicyDay => {
    const task = `policy ${index + 1} of ${all.length}`;
    onProgress?.({ task });
    const pools = variant ? poolsWith(variant, cluster.pools) : cluster.pools;
    const onTick =
      onProgress && ((seconds: number) => onProgress({ task: `${task}, ${Math.floor(seconds / 3_600)} h simulated` }));
    const day = simulateDay(
      { baseline: baseline.derive({ ...idle, pools }), dayStart: start, times, onTick, maxWork, rolloutPods },
      plan,
    );
    return { ...variant, isWritten: variant === undefined || isWrittenAs(variant, cluster), day };
  });
}

function policiesOf(version = NEWEST_KARPENTER_VERSION): ReadonlyArray<(typeof POLICIES)[number]> {
  const [major, minor] = parseKarpenterVersion(version)!;
  const knowsBalanced = major > BALANCED_SINCE[0] || (major === BALANCED_SINCE[0] && minor >= BALANCED_SINCE[1]);
  return knowsBalanced ? POLICIES : POLICIES.filter((policy) => policy !== 'Balanced');
}

interface Variant {
  readonly policy: PoolDisruption['consolidationPolicy'];
  readonly consolidateAfter: number;
}

function isWrittenAs({ policy, consolidateAfter }: Variant, { pools }: Cluster): boolean {
  return [...pools.values()].every(
    (pool) => pool.consolidationPolicy === policy && pool.consolidateAfter === consolidateAfter * SECOND,
  );
}

/** Budgets, expireAfter and everything else stays as it is written. */
function poolsWith({ policy, consolidateAfter }: Variant, pools: Cluster['pools']): Cluster['pools'] {
  return new Map(
    [...pools].map(([name, pool]) => [
      name,
      { ...pool, consolidationPolicy: policy, consolidateAfter: consolidateAfter * SECOND },
    ]),
  );
}

function withoutPodsOf(workloads: ReadonlySet<string>, cluster: Cluster): Cluster {
  if (workloads.size === 0) return cluster;
  const isOf = ({ owner, namespace }: Cluster['nodes'][number]['pods'][number]) =>
    owner !== undefined && workloads.has(`${owner.kind} ${namespace}/${owner.name}`);
  return {
    ...cluster,
    nodes: cluster.nodes.map((node) =>
      node.pods.some(isOf) ? { ...node, pods: node.pods.filter((pod) => !isOf(pod)) } : node,
    ),
  };
}
