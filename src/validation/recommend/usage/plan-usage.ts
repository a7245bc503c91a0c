import { UsageLog, UsageResource } from './figures';
import { readUsage } from './read-usage';
import { matchFigures, SizableWorkload, sizableWorkloads } from './sizable-workloads';
import { halvedRequests, SizedRequest, sizedRequest, withRequests } from './sized-requests';
import { OomKill, SingleResource, UsageFleet, UsagePlan, UsageWorkload } from './usage-plan';
import { asRecord } from '../../../contract';
import { checkSession } from '../../check/check';
import { CheckOptions } from '../../check-options';
import { CheckSession, readSession } from '../../context/check-session';
import { ManifestObject, READING_RULES, SourceFile, WorkloadManifest } from '../../manifest';
import { ProblemLog } from '../../manifest/problem-log';
import { readObjects } from '../../manifest/source/kubernetes-objects';
import { priceDates } from '../../vocabulary/price-dates';
import { Finding, Verdict } from '../../vocabulary/verdict';

const RESOURCES: readonly UsageResource[] = ['cpu', 'memory'];
/** Prices that differ by less are equal. */
const SAME_PRICE = 0.001;

interface Planned {
  readonly session: CheckSession;
  readonly verdict: Verdict;
}

interface PlanContext {
  readonly sources: readonly SourceFile[];
  readonly options: CheckOptions;
  readonly workloads: readonly SizableWorkload[];
  readonly before: Planned;
  readonly after: Planned;
}

/**
 * Plans the fleet with requests made of usage, and compares it with the fleet of the present requests.
 *
 * @param headroom the part of a measured usage that is added to it: 0.15
 * @throws Error if an option has an invalid value
 */
export function planUsage(
  sources: readonly SourceFile[],
  usageFiles: readonly SourceFile[],
  headroom: number,
  given: CheckOptions = {},
): UsagePlan {
  const options: CheckOptions = { ...given, costBy: 'workload' };
  const log = new UsageLog();
  const usage = readUsage(usageFiles);
  for (const { message, places } of usage.notes) for (const at of places) log.note(message, at);
  const objects = readObjects(sources, new ProblemLog());
  const workloads = sizableWorkloads(objects);
  const matched = matchFigures(usage.figures, workloads, log);
  const requests = workloads.flatMap((workload) =>
    matched.filter((match) => match.workload === workload).map((match) => sizedRequest(match, headroom)),
  );
  const before = planned(sources, options);
  const after = requests.length === 0 ? before : planned(withRequests(sources, requests), options);
  noteAutoscalers(objects, requests, log);
  noteRejected(before, after, log);
  return {
    schemaVersion: '1',
    currency: before.verdict.summary.cost.currency,
    pricesOf: priceDates([before, after].map(({ verdict }) => verdict.summary.cost)),
    headroom,
    before: fleetOf(before),
    after: fleetOf(after),
    shrunk: Object.fromEntries(
      RESOURCES.filter((resource) => shrinks(resource, before, requests)).map((resource) => [
        resource,
        singleResource(resource, requests, { sources, options, workloads, before, after }),
      ]),
    ),
    workloads: workloads.flatMap((workload) => usageWorkload(workload, workloads, requests, { before, after })),
    oomKills: requests.flatMap(oomKillOf),
    withoutUsage: withoutUsage(before, workloads, requests),
    notes: log.notes,
    problems: before.session.model.problems.filter(isUnreadable),
  };
}

function isUnreadable({ rule, severity }: Finding): boolean {
  return rule === READING_RULES.unreadable.rule && severity === 'error';
}

function planned(sources: readonly SourceFile[], options: CheckOptions): Planned {
  const session = readSession(sources, options);
  return { session, verdict: checkSession(session) };
}

function fleetOf({ verdict: { summary, nodes } }: Planned): UsageFleet {
  const created = nodes.filter(({ existing }) => !existing);
  const part = (resource: UsageResource) => {
    const sum = (amounts: (node: (typeof created)[number]) => number | undefined) =>
      created.reduce((total, node) => total + (amounts(node) ?? 0), 0);
    const allocatable = sum((node) => node.allocatable[resource]);
    return allocatable === 0
      ? 0
      : sum(({ requests }) => (requests.pods[resource] ?? 0) + (requests.daemonSets[resource] ?? 0)) / allocatable;
  };
  return {
    nodes: created.length,
    usdPerHour: summary.cost.usdPerHour,
    scheduledPods: summary.scheduledPods,
    requested: { cpu: part('cpu'), memory: part('memory') },
  };
}

/** Whether the pods request less of the resource in sum. */
function shrinks(resource: UsageResource, before: Planned, requests: readonly SizedRequest[]): boolean {
  const growth = requests
    .filter((request) => request.resource === resource)
    .reduce((sum, { workload, before: now = 0, after }) => {
      // A DaemonSet has one pod on each node.
      const pods = workload.kind === 'DaemonSet' ? fleetOf(before).nodes : replicasOf(before, workload);
      return sum + pods * (after - now);
    }, 0);
  return growth < 0;
}

/** The plan when only the requests of one resource follow usage. Without a saving, the other resource is tried. */
function singleResource(
  resource: UsageResource,
  requests: readonly SizedRequest[],
  context: PlanContext,
): SingleResource {
  const { sources, options, workloads, before, after } = context;
  const own = requests.filter((request) => request.resource === resource);
  const alone = fleetOf(own.length === requests.length ? after : planned(withRequests(sources, own), options));
  const price = before.verdict.summary.cost.usdPerHour;
  // Fleets of other pods are not compared: pods without a node cost nothing.
  const isSameLoad = alone.scheduledPods === before.verdict.summary.scheduledPods;
  const savesNothing = isSameLoad && price !== null && alone.usdPerHour !== null && !isCheaper(alone, price);
  if (!savesNothing) return { ...alone, savesNothing };
  const other: UsageResource = resource === 'cpu' ? 'memory' : 'cpu';
  const sized = withRequests(sources, own);
  const binding = [[other], [resource], RESOURCES].find((resources) => {
    const halved = fleetOf(planned(withRequests(sized, halvedRequests(workloads, own, resources)), options));
    return isCheaper(halved, alone.usdPerHour!) || halved.scheduledPods > alone.scheduledPods;
  });
  return { ...alone, savesNothing, binding: binding ?? [] };
}

function isCheaper({ usdPerHour }: UsageFleet, price: number): boolean {
  return usdPerHour !== null && usdPerHour < price * (1 - SAME_PRICE);
}

function usageWorkload(
  workload: SizableWorkload,
  workloads: readonly SizableWorkload[],
  requests: readonly SizedRequest[],
  { before, after }: { readonly before: Planned; readonly after: Planned },
): UsageWorkload[] {
  const own = requests.filter((request) => request.workload === workload);
  if (own.length === 0) return [];
  // Costs are by name. A Deployment and a StatefulSet of one name share a row.
  const isAlone = workloads.filter((other) => rowNameOf(other) === rowNameOf(workload)).length === 1;
  const costIn = ({ verdict }: Planned) =>
    (isAlone ? verdict.costs?.rows.find(({ name }) => name === rowNameOf(workload))?.totalCost : undefined) ?? null;
  return [
    {
      workload: workload.label,
      replicas: replicasOf(before, workload),
      requests: own.map(({ container, resource, before: now, after: next, source, limit, peak, p99 }) => ({
        container,
        resource,
        before: now ?? null,
        after: next,
        source,
        ...(limit === undefined ? {} : { limit }),
        ...(peak === undefined ? {} : { peak }),
        ...(p99 === undefined ? {} : { p99 }),
        raisesLimit: limit !== undefined && limit < next,
      })),
      usdPerMonth: { before: costIn(before), after: costIn(after) },
    },
  ];
}

function rowNameOf({ namespace = 'default', name }: SizableWorkload): string {
  return `${namespace}/${name}`;
}

function manifestsOf({ session }: Planned, { name, namespace = 'default' }: SizableWorkload): WorkloadManifest[] {
  return session.model.workloads.filter((workload) => workload.name === name && workload.namespace === namespace);
}

function replicasOf(plan: Planned, workload: SizableWorkload): number {
  const manifests = manifestsOf(plan, workload);
  const ofKind = manifests.filter(({ kind }) => kind === workload.kind);
  return (ofKind.length > 0 ? ofKind : manifests).reduce((sum, { replicas }) => sum + replicas, 0);
}

function oomKillOf({ workload, container, resource, limit, peak, p99 }: SizedRequest): OomKill[] {
  if (resource !== 'memory' || limit === undefined || peak === undefined || peak <= limit) return [];
  return [{ workload: workload.label, container, limit, peak, ...(p99 === undefined ? {} : { p99 }) }];
}

function withoutUsage(
  { session }: Planned,
  workloads: readonly SizableWorkload[],
  requests: readonly SizedRequest[],
): string[] {
  const known = new Set(session.model.workloads.map(({ namespace, name }) => `${namespace}/${name}`));
  return workloads
    .filter((workload) => known.has(rowNameOf(workload)) && !requests.some((request) => request.workload === workload))
    .map(({ label }) => label);
}

/** An autoscaler by utilization divides usage by requests, so that other requests lead to other replicas. */
function noteAutoscalers(objects: readonly ManifestObject[], requests: readonly SizedRequest[], log: UsageLog): void {
  for (const object of objects) {
    if (object.kind !== 'HorizontalPodAutoscaler') continue;
    const { scaleTargetRef, metrics, targetCPUUtilizationPercentage } = asRecord(object.raw.spec) ?? {};
    const { kind, name } = asRecord(scaleTargetRef) ?? {};
    const scaled = (Array.isArray(metrics) ? metrics : [])
      .map((metric) => asRecord(asRecord(metric)?.resource) ?? asRecord(asRecord(metric)?.containerResource))
      .filter((metric) => asRecord(metric?.target)?.type === 'Utilization')
      .map((metric) => metric?.name);
    const names = targetCPUUtilizationPercentage === undefined ? scaled : [...scaled, 'cpu'];
    const request = requests.find(
      ({ workload, resource, before, after }) =>
        workload.kind === kind &&
        workload.name === name &&
        workload.namespace === object.namespace &&
        names.includes(resource) &&
        before !== after,
    );
    if (request === undefined) continue;
    const { file, line } = object.locate(['spec']);
    log.note(
      `the HorizontalPodAutoscaler of ${request.workload.label} scales by utilization of the ${request.resource} request: with another request it wants other replicas, but the plan keeps them`,
      `${file}:${line}`,
    );
  }
}

/** Workloads whose pods the API server would reject with the new requests, for example because of a LimitRange. */
function noteRejected(before: Planned, after: Planned, log: UsageLog): void {
  const accepted = new Set(
    after.session.model.workloads
      .filter(({ shape }) => shape !== undefined)
      .map(({ object }) => object.locate([]).file + keyOf(object)),
  );
  for (const { shape, object } of before.session.model.workloads) {
    const { file, line } = object.locate([]);
    if (shape === undefined || accepted.has(file + keyOf(object))) continue;
    log.note(
      `the API server would reject pods of ${object.kind} ${object.name} with these requests, so that they are missing from the plan`,
      `${file}:${line}`,
    );
  }
}

function keyOf({ kind, namespace, name }: ManifestObject): string {
  return JSON.stringify([kind, namespace, name]);
}
