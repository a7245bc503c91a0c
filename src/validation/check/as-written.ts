import { passesWithoutReasons, planOfPasses, SchedulePlan } from '../../scheduling';
import { podGroupIndices } from '../context/schedule-input';
import { ManifestObject, NodePoolManifest, WorkloadManifest } from '../manifest';
import { RuleContext } from '../rules';
import { AsWrittenSummary, Finding, LaunchBlocker, NotStartedSummary } from '../vocabulary/verdict';

type Consequence = LaunchBlocker['consequence'];

/** Consequences with which a NodePool, or a NodePool of the class, gives pods no node. */
const GIVES_NO_NODE: ReadonlySet<unknown> = new Set<Consequence>([
  ...(['rejected', 'not-ready', 'launch-fails'] as const),
  'never-joins',
]);
/** The current kinds of objects that are converted in memory. */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([
  ['Provisioner', 'NodePool'],
  ['AWSNodeTemplate', 'EC2NodeClass'],
]);

/** Pods of a workload that have a node in the plan, but none until the finding is fixed. */
export interface PodsWaitingForFix {
  readonly manifest: WorkloadManifest;
  readonly pods: number;
  readonly cause: Finding;
}

/** What is left of the plan without the NodePools that launch nothing as they are written. */
export interface AsWritten {
  readonly summary: AsWrittenSummary;
  readonly waiting: readonly PodsWaitingForFix[];
}

/**
 * The plan treats some mistakes as corrected, such as a wrong disruption budget, so that the rest can be judged.
 * Undefined if no node of the plan depends on such a mistake.
 */
export function planAsWritten(findings: readonly Finding[], context: RuleContext): AsWritten | undefined {
  const { passesPlan: plan, input, catalog } = context;
  const causes = causesByPool(findings, context);
  const used = causesOfObjects(plan.nodeClaims.flatMap(({ nodePool }) => causes.get(nodePool) ?? []));
  if (used.length === 0) return undefined;
  // Karpenter launches nodes that never join again and again, and gives their pods no node of another NodePool.
  const joins = (name: string) => (causes.get(name) ?? []).every((cause) => consequenceOf(cause) !== 'never-joins');
  const nodePools = input.nodePools.filter(({ name }) => !causes.has(name) || !joins(name));
  const replanned = planOfPasses(passesWithoutReasons({ ...input, nodePools }, catalog));
  const written = { ...replanned, nodeClaims: replanned.nodeClaims.filter(({ nodePool }) => joins(nodePool)) };
  return {
    summary: {
      scheduledPods: placements(written).reduce((sum, { pods }) => sum + pods.length, 0),
      causes: used.map((cause) => ({ ...namedObject(cause), rule: cause.rule, consequence: consequenceOf(cause) })),
    },
    waiting: waitingPods(context, written, causes),
  };
}

/** Pods that errors keep from starting on their planned nodes: all of some NodePools, or as many as an error says. */
export function podsNotStarted(findings: readonly Finding[], { plan }: RuleContext): NotStartedSummary | undefined {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const stuck = new Set(errors.flatMap(({ evidence }) => recordsNamed(evidence.stuckPools)));
  const claims = plan.nodeClaims.filter(({ nodePool }) => stuck.has(nodePool));
  // Several errors may be about the same pods of a NodePool.
  const byPool = new Map<unknown, number>();
  for (const finding of errors) {
    const { stuckPods, nodePool = finding } = finding.evidence;
    if (typeof stuckPods === 'number' && !stuck.has(nodePool as string))
      byPool.set(nodePool, Math.max(byPool.get(nodePool) ?? 0, stuckPods));
  }
  const pods = [...claims.map((claim) => claim.pods.length), ...byPool.values()].reduce((sum, count) => sum + count, 0);
  const causes = errors.filter(({ evidence: { stuckPods, stuckPools } }) => (stuckPods ?? stuckPools) !== undefined);
  return pods === 0 ? undefined : { pods, rules: [...new Set(causes.map(({ rule }) => rule))].sort() };
}

/** The errors that keep NodePools from launching: those of the NodePool, then those of its class. */
function causesByPool(findings: readonly Finding[], { model }: RuleContext): Map<string, Finding[]> {
  const replaced = new Set(model.cluster?.replacedObjects.map(({ kind, name }) => `${kind} ${name}`));
  const errors = findings.filter(
    ({ severity, evidence: { consequence }, subject: { kind, name } }) =>
      severity === 'error' &&
      GIVES_NO_NODE.has(consequence) &&
      // If the API server rejects a change, the object in the cluster stays as it is.
      !(consequence === 'rejected' && replaced.has(`${kind} ${name}`)),
  );
  const classes = new Map(model.nodeClasses.map(({ object }) => [object.name, object]));
  const places = new Set([...model.nodePools, ...model.nodeClasses].map(({ object }) => placeOf(object)));
  const causesOf = ({ object, spec }: NodePoolManifest) =>
    [object, classes.get(spec?.nodeClass ?? '')].flatMap((judged) =>
      errors.filter((finding) => isAbout(finding, judged, places)),
    );
  return new Map(
    model.nodePools.flatMap((pool): Array<[string, Finding[]]> => {
      const causes = pool.spec === undefined ? [] : causesOf(pool);
      return causes.length === 0 ? [] : [[pool.object.name, causes]];
    }),
  );
}

/** The first error of each object. */
function causesOfObjects(causes: readonly Finding[]): Finding[] {
  const byObject = new Map<string, Finding>();
  for (const cause of causes) {
    const key = JSON.stringify([cause.subject.kind, cause.subject.name]);
    if (!byObject.has(key)) byObject.set(key, cause);
  }
  return [...byObject.values()];
}

function consequenceOf({ evidence }: Finding): Consequence {
  return evidence.consequence as Consequence;
}

/** The NodePool or class whose nodes are missing: the finding may be about its role, and names the class then. */
function namedObject({ subject: { kind, name }, evidence }: Finding): Pick<LaunchBlocker, 'kind' | 'name'> {
  const [nodeClass] = recordsNamed(evidence.nodeClasses);
  return nodeClass === undefined ? { kind, name } : { kind: 'EC2NodeClass', name: nodeClass };
}

function recordsNamed(names: unknown): string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

function placeOf({ kind, name, locate }: Pick<ManifestObject, 'kind' | 'name' | 'locate'>): string {
  return JSON.stringify([kind, name, locate([]).file]);
}

/**
 * Objects of one kind and name in several files are different ones. A file without such an object patches it.
 *
 * @param places those of all objects
 */
function isAbout(
  { subject, location, evidence }: Finding,
  object: ManifestObject | undefined,
  places: ReadonlySet<string>,
): boolean {
  if (object?.kind === 'EC2NodeClass' && recordsNamed(evidence.nodeClasses).includes(object.name)) return true;
  return (
    object !== undefined &&
    (SUCCESSORS.get(subject.kind) ?? subject.kind) === object.kind &&
    subject.name === object.name &&
    (location.file === object.locate([]).file || !places.has(JSON.stringify([object.kind, object.name, location.file])))
  );
}

function waitingPods(
  { passesPlan: plan, model }: RuleContext,
  written: Pick<SchedulePlan, 'nodeClaims' | 'filledNodes'>,
  causes: ReadonlyMap<string, readonly Finding[]>,
): PodsWaitingForFix[] {
  const [planned, left] = [countsByGroup(plan), countsByGroup(written)];
  return model.workloads.flatMap((manifest) =>
    podGroupIndices(manifest).flatMap((group): PodsWaitingForFix[] => {
      const pods = (planned.get(group) ?? 0) - (left.get(group) ?? 0);
      const claim = plan.nodeClaims.find(({ nodePool, groups }) => causes.has(nodePool) && groups.has(group));
      const [first] = (claim && causes.get(claim.nodePool)) ?? [...causes.values()][0];
      return pods <= 0 ? [] : [{ manifest, pods, cause: first }];
    }),
  );
}

function placements({
  nodeClaims,
  filledNodes,
}: Pick<SchedulePlan, 'nodeClaims' | 'filledNodes'>): Array<Pick<SchedulePlan['filledNodes'][0], 'pods' | 'groups'>> {
  return [...nodeClaims, ...filledNodes];
}

function countsByGroup(plan: Pick<SchedulePlan, 'nodeClaims' | 'filledNodes'>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { groups } of placements(plan))
    for (const [group, count] of groups) counts.set(group, (counts.get(group) ?? 0) + count);
  return counts;
}
