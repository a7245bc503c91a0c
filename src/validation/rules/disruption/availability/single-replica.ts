import { isRecreated, SinglePodReason, singlePodReason } from './second-pod';
import { isNotMissed, runsAlone } from './solitary-pods';
import { asRecord } from '../../../../contract';
import { timesOf, workloadKey } from '../../../../disruption';
import { countText, durationText, listText } from '../../../../model';
import { disruptionsByName, ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { ManifestObject, WorkloadManifest } from '../../../manifest/model';
import { recordsOf, scalarText } from '../../../manifest/records';
import { isTest } from '../../common/brief-pods';
import { poolNamesOf } from '../../common/placements';
import { podSpecOf } from '../../common/pod-constraints';
import { podTerminationSeconds, podStartSeconds } from '../../common/pod-times';
import { minimumReplicas } from '../../common/replicas';
import { optOutReason } from '../../common/serving-workloads';
import { onDemandRemedy, SpotShare, spotShareOf, spotShareText } from '../../common/spot-nodes';
import { defineRule, unknown } from '../../define-rule';
import { RuleContext } from '../../rule';
import { longRunningWorkloads } from '../../subjects';
import { permanentEvictionBlocker } from '../eviction/eviction-blockers';
import { simulatedConsolidation } from '../simulations';

const MONTH_DAYS = 30;
const DAY_MS = 86_400_000;
/** The simulator's defaults for pod start and stop times. */
const TIMES = timesOf('consolidation', {});

/**
 * Also covers spot interruptions and expiry, so that a single pod is one finding. Without spot and without a simulated
 * eviction, the outages are short and rare, and the finding is a note, as it is about controllers that nobody calls.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/
 */
export const singleReplica = defineRule({
  id: 'KARP-401',
  name: 'single-replica',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'A workload runs a single pod: Karpenter starts no replacement pod in advance, so each eviction is an outage.',
  subjects: longRunningWorkloads({ where: (workload) => !isTest(workload) }),
  judge(workload, context) {
    const pools = disruptionsByName(context);
    const { pods, source, unknown: why } = minimumReplicas(context.model, workload);
    if (why !== undefined) return unknown(why);
    if (pods !== 1 || optOutReason(workload, 'replicas') !== undefined) return undefined;
    const from = source === undefined ? '' : ` (${source})`;
    const seconds = outageSeconds(workload);
    const alone = singlePodReason(context.model, workload);
    const outageText = `an outage of ${alone?.claim === undefined ? '' : 'at least '}${seconds} s`;
    const workloadPools = poolNamesOf(context, workload).flatMap((name) => pools.get(name) ?? []);
    const blocker = permanentEvictionBlocker(context, workload, pools);
    const evictions =
      blocker === undefined && workloadPools.some(consolidates) ? consolidationEvictions(context, workload) : undefined;
    const causes = blocker === undefined ? workloadPools.flatMap((pool) => evictionCauses(pool, evictions) ?? []) : [];
    const share = spotShareOf(context, workload);
    const spot = share === undefined || share.spot === 0 ? undefined : share;
    const outage =
      blocker === undefined
        ? `each consolidation, drift and expiry of its node is ${outageText}`
        : `${blocker} keeps Karpenter from evicting it, but an interruption or a lost node is ${outageText}`;
    return {
      path: ['spec', 'replicas'],
      message: `runs 1 pod${from}: ${outage}, if the pod ${startText(workload)}${moveText(alone)}${lossText(workload)}${causes.length === 0 ? '' : `; ${listText(causes)}`}${spotText(spot)}`,
      remedy: remedyOf(workload, { onDemand: spot && onDemandRemedy(context, workload), source, alone }),
      evidence: {
        replicas: pods,
        source: source ?? null,
        outageSeconds: seconds,
        expiriesPerMonth: workloadPools.map(({ name, expireAfter }) => ({
          nodePool: name,
          expiries: blocker === undefined && expireAfter ? expiriesPerMonth(expireAfter) : 0,
        })),
        consolidationEvictions: evictions ?? null,
        spotNodes: spot?.spot ?? 0,
      },
      severity:
        (spot !== undefined || (evictions ?? 0) > 0) && !isOperator(context.model, workload) && !isNotMissed(workload)
          ? undefined
          : 'info',
    };
  },
});

interface Advice {
  readonly onDemand: string | undefined;
  /** What sets the number of pods. @default - the workload itself */
  readonly source: string | undefined;
  /** Why only one pod runs. @default - several may */
  readonly alone: SinglePodReason | undefined;
}

function remedyOf(workload: WorkloadManifest, { onDemand, source, alone }: Advice): string {
  const software = singleNodeDatabase(workload);
  const annotate =
    `${onDemand === undefined ? '' : `${onDemand}, and `}annotate the workload with ` +
    'resilience.karpenter-constructs.dev/replicas: "off: <reason>"';
  if (runsAlone(workload)) return `${annotate}, because only one pod of the program may run`;
  if (alone !== undefined && software === undefined)
    return `${annotate}, because ${alone.because}${recreateAdvice(workload, alone)}`;
  return software === undefined
    ? `${source === undefined ? 'run at least 2 replicas' : `write at least 2 as ${source}`} with a PodDisruptionBudget with maxUnavailable: 1; if one is enough, ${annotate}`
    : `run ${software} as a cluster or as a managed service, because more replicas alone share no data; if one is enough, ` +
        `${losesData(workload) ? 'keep its data in a PersistentVolumeClaim, ' : ''}${annotate}`;
}

/** A rollout starts the new pod first, on a node that the volume cannot attach to. */
function recreateAdvice(workload: WorkloadManifest, { claim }: SinglePodReason): string {
  return claim === undefined || workload.kind !== 'Deployment' || isRecreated(workload)
    ? ''
    : '; write strategy.type: Recreate, so that rollouts do not wait for the volume';
}

function moveText(alone: SinglePodReason | undefined): string {
  return alone?.claim === undefined ? '' : ' after its volume has moved to the new node';
}

/** Programs that keep data. Two pods without further settings are two stores that share none of it. */
const DATABASE_IMAGE = new RegExp(
  '^(?:cp-|rh-)?(kafka|redpanda|postgres|postgresql|postgis|pgvector|timescaledb|mysql|mariadb|mongo|mongodb|redis|valkey|rabbitmq|' +
    'elasticsearch|opensearch|zookeeper|minio|cassandra|clickhouse|influxdb|neo4j|couchdb|etcd)' +
    '(?:-(?:server|stack|stack-server|native|community-server|ha))?$',
);

/** The database or broker that the pod runs, by the image of its first container. */
function singleNodeDatabase(workload: WorkloadManifest): string | undefined {
  const [container] = recordsOf(podSpecOf(workload)?.containers);
  const image = scalarText(container?.image ?? '')
    .split('@')[0]
    .split('/')
    .at(-1)!;
  return DATABASE_IMAGE.exec(image.split(':')[0])?.[1];
}

/** Whether the data is only on the node. A volume whose source is elsewhere may keep it. */
function losesData(workload: WorkloadManifest): boolean {
  const { kind, object } = workload;
  if (kind === 'StatefulSet' && recordsOf(object.raw?.spec?.volumeClaimTemplates).length > 0) return false;
  return recordsOf(podSpecOf(workload)?.volumes).every((volume) =>
    ONLY_ON_NODE.some((source) => volume[source] !== undefined),
  );
}

const ONLY_ON_NODE = ['emptyDir', 'configMap', 'secret', 'projected', 'downwardAPI'] as const;

function lossText(workload: WorkloadManifest): string {
  const software = singleNodeDatabase(workload);
  return software !== undefined && losesData(workload)
    ? `; it has no persistent volume, so ${software} then loses what it stored`
    : '';
}

const OPERATOR_NAME = /(?:^|-)(?:controller|operator|controller-manager|reloader|descheduler)$/;
const LEADER_ELECTION = /leader[-_]?elect/i;

/** Whether the pod is a controller that nobody calls: it goes on with its work after a short absence. */
function isOperator({ objects }: RuleContext['model'], workload: WorkloadManifest): boolean {
  const { kind, name, namespace, shape } = workload;
  const spec = podSpecOf(workload);
  const texts = recordsOf(spec?.containers).flatMap(({ args, command, env }) => [args, command, env]);
  if (kind !== 'Deployment' || !(OPERATOR_NAME.test(name) || LEADER_ELECTION.test(JSON.stringify(texts)))) return false;
  return !objects.some((object) => {
    const selector = asRecord(object.raw.spec?.selector);
    const isService = object.kind === 'Service' && object.apiVersion === 'v1';
    if (!isService || !selector || (object.namespace ?? 'default') !== namespace) return false;
    return (
      Object.entries(selector).every(([key, value]) => shape?.labels?.[key] === value) && !servesMetricsOnly(object)
    );
  });
}

/** Only a monitoring system misses metrics. */
function servesMetricsOnly({ raw }: ManifestObject): boolean {
  return recordsOf(raw.spec?.ports).every(({ name }) => /metrics|healthz|health/.test(scalarText(name ?? '')));
}

function spotText(spot: SpotShare | undefined): string {
  return spot === undefined
    ? ''
    : `; ${spotShareText(spot)}, which EC2 may interrupt at any time with two minutes' notice`;
}

/** The pod of a StatefulSet is created only after the previous one has terminated. */
function outageSeconds(workload: WorkloadManifest): number {
  const stop = workload.kind === 'StatefulSet' ? Math.min(TIMES.podStop, podTerminationSeconds(workload)) : 0;
  return stop + startSecondsOf(workload);
}

/** At least the default: a manifest does not say how long image pulls and the application's start take. */
function startSecondsOf(workload: WorkloadManifest): number {
  return Math.max(TIMES.podStart, podStartSeconds(workload));
}

function startText(workload: WorkloadManifest): string {
  return workload.kind === 'StatefulSet'
    ? `terminates within ${Math.min(TIMES.podStop, podTerminationSeconds(workload))} s and starts within ${startSecondsOf(workload)} s`
    : `starts within ${startSecondsOf(workload)} s`;
}

/** How often simulated consolidation evicts the pod; undefined if it cannot be simulated or several pods run. */
function consolidationEvictions(context: RuleContext, { kind, namespace, name }: WorkloadManifest): number | undefined {
  const key = workloadKey(namespace, { kind, name });
  const report = simulatedConsolidation(context)?.workloads.find(({ workload }) => workload === key);
  return report?.replicas === 1 ? report.evictions : undefined;
}

/** How often the NodePool's nodes are replaced, as far as it is known. */
function evictionCauses(pool: ManifestDisruption, evictions: number | undefined): string | undefined {
  const { name, expireAfter } = pool;
  const causes = [
    ...(consolidates(pool) ? [`consolidates whenever that saves money${simulatedText(evictions)}`] : []),
    ...(expireAfter
      ? [
          `expires nodes after ${durationText(expireAfter / 1000)} (${timesText(expiriesPerMonth(expireAfter))} in ${MONTH_DAYS} days)`,
        ]
      : []),
  ];
  return causes.length === 0 ? undefined : `NodePool ${name} ${listText(causes)}`;
}

function consolidates({ consolidateAfter, consolidationPolicy }: ManifestDisruption): boolean {
  return consolidateAfter !== undefined && consolidationPolicy !== 'WhenEmpty';
}

function simulatedText(evictions: number | undefined): string {
  if (evictions === undefined) return '';
  return evictions === 0
    ? ' (simulated: the pod stays)'
    : ` (simulated: it evicts the pod ${countText(evictions, 'time')})`;
}

function expiriesPerMonth(expireAfter: number): number {
  return Math.round(((MONTH_DAYS * DAY_MS) / expireAfter) * 100) / 100;
}

function timesText(times: number): string {
  return times < 0.01 ? 'less than 0.01 times' : countText(times, 'time');
}
