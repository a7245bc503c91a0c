import { Controller, installedControllers } from '../controller';
import { servingWorkloads } from './common/serving-workloads';
import { ManifestObject, NodeClassManifest, PdbManifest, WorkloadManifest, NodePoolManifest } from '../manifest/model';
import { TerminationHandler, terminationHandlers } from '../termination-handler';
import { Pool, poolsOf } from './common/pool';
import { Subject, Subjects } from './define-rule';
import { RuleContext } from './rule';
import { poolDisruptions, ManifestDisruption } from '../manifest/karpenter/pool-disruption';

/** Which objects of a kind a rule judges. */
export interface Selection<Facts> {
  /** @default - all */
  readonly where?: (facts: Facts, context: RuleContext) => boolean;
  /** Why a selected object cannot be evaluated. */
  readonly unknown?: (facts: Facts, context: RuleContext) => string | undefined;
}

/** An installation of AWS Node Termination Handler whose settings are known. */
export type KnownHandler = TerminationHandler & Required<Pick<TerminationHandler, 'settings'>>;

/** A NodePool whose instance types are known. */
export type LaunchingPool = Pool & Required<Pick<Pool, 'spec' | 'requirements' | 'launch'>>;

export function workloads(selection?: Selection<WorkloadManifest>): Subjects<WorkloadManifest> {
  return subjectsFrom(({ model }) => model.workloads, selection);
}

export function pdbs(selection?: Selection<PdbManifest>): Subjects<PdbManifest> {
  return subjectsFrom(({ model }) => model.pdbs, selection);
}

export function nodeClasses(selection?: Selection<NodeClassManifest>): Subjects<NodeClassManifest> {
  return subjectsFrom(({ model }) => model.nodeClasses, selection);
}

/** NodePools as written. */
export function nodePoolManifests(selection?: Selection<NodePoolManifest>): Subjects<NodePoolManifest> {
  return subjectsFrom<NodePoolManifest>(({ model }) => model.nodePools, selection);
}

/** NodePools, also with unknown requirements or instance types. */
export function pools(selection?: Selection<Pool>): Subjects<Pool> {
  return subjectsFrom(poolsOf, selection);
}

/** NodePools whose instance types are known; the others are not evaluated. */
export function launchingPools({ where, unknown }: Selection<Pool> = {}): Subjects<LaunchingPool> {
  return pools({
    where,
    unknown: (pool, context) => (pool.launch === undefined ? pool.why : unknown?.(pool, context)),
  }) as Subjects<LaunchingPool>;
}

/** How NodePools disrupt their nodes. NodePools with unknown settings are not evaluated. */
export function disruptedPools({ where, unknown }: Selection<ManifestDisruption> = {}): Subjects<ManifestDisruption> {
  return (context) =>
    poolDisruptions(context).flatMap((pool): Array<Subject<ManifestDisruption>> => {
      if (pool.why !== undefined) return [{ object: pool.object, unknown: pool.why }];
      const facts = pool.disruption;
      return where === undefined || where(facts, context)
        ? [subjectOf(facts.object, facts, unknown?.(facts, context))]
        : [];
    });
}

/** Long-running workloads on nodes of Karpenter. */
export function longRunningWorkloads(selection?: Selection<WorkloadManifest>): Subjects<WorkloadManifest> {
  return subjectsFrom(({ model }) => servingWorkloads(model), selection);
}

/** The installations of Karpenter. */
export function controllers(selection?: Selection<Controller>): Subjects<Controller> {
  return subjectsFrom((context) => context.controllers, selection);
}

/** The installations of Karpenter, except a cluster's own if the input has another. */
export function installedKarpenter(selection?: Selection<Controller>): Subjects<Controller> {
  return subjectsFrom((context) => installedControllers(context.controllers), selection);
}

/** Why the values of a controller are unknown; undefined if they are known. */
export function whyValuesUnknown({ fromChart, complete }: Controller): string | undefined {
  return fromChart && !complete ? 'its values are known only at deployment' : undefined;
}

/** The installations of AWS Node Termination Handler; those with unknown settings are not evaluated. */
export function handlers({ where, unknown }: Selection<TerminationHandler> = {}): Subjects<KnownHandler> {
  return subjectsFrom(({ model }) => terminationHandlers(model), {
    where,
    unknown: (handler, context) =>
      handler.settings === undefined ? 'its settings are known only at deployment' : unknown?.(handler, context),
  }) as Subjects<KnownHandler>;
}

/** The installations that read a queue, or may read one. */
export function queueHandlers({ where, unknown }: Selection<TerminationHandler> = {}): Subjects<KnownHandler> {
  return handlers({
    where: (handler, context) =>
      (handler.settings === undefined || handler.settings.mode === 'queue') && (where?.(handler, context) ?? true),
    unknown,
  });
}

/** Subjects of any kind that carry their object. */
export function subjectsFrom<Facts extends { readonly object: ManifestObject }>(
  listOf: (context: RuleContext) => readonly Facts[],
  selection?: Selection<Facts>,
): Subjects<Facts> {
  return subjectsWith(({ object }) => object, listOf, selection);
}

/** Subjects of any kind. */
export function subjectsWith<Facts>(
  objectOf: (facts: Facts) => ManifestObject,
  listOf: (context: RuleContext) => readonly Facts[],
  { where, unknown }: Selection<Facts> = {},
): Subjects<Facts> {
  return (context) =>
    listOf(context)
      .filter((facts) => where === undefined || where(facts, context))
      .map((facts) => subjectOf(objectOf(facts), facts, unknown?.(facts, context)));
}

function subjectOf<Facts>(object: ManifestObject, facts: Facts, unknown: string | undefined): Subject<Facts> {
  return unknown === undefined ? { object, facts } : { object, unknown };
}
