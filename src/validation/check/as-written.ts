import { Consequence } from '../../contract';
import { passesWithoutReasons, planOfPasses, SchedulePlan } from '../../scheduling';
import { podGroupIndices } from '../context/schedule-input';
import { ManifestObject, NodePoolManifest, WorkloadManifest } from '../manifest';
import { RuleContext } from '../rules';
import { AsWrittenSummary, Finding } from '../vocabulary/verdict';

/** Consequences with which a NodePool, or a NodePool of the class, launches no node. */
const LAUNCHES_NOTHING: ReadonlySet<unknown> = new Set<Consequence>(['rejected', 'not-ready', 'launch-fails']);
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
  const nodePools = input.nodePools.filter(({ name }) => !causes.has(name));
  const written = planOfPasses(passesWithoutReasons({ ...input, nodePools }, catalog));
  return {
    summary: {
      scheduledPods: placements(written).reduce((sum, { pods }) => sum + pods.length, 0),
      causes: used.map(({ rule, subject: { kind, name }, evidence }) => ({
        kind,
        name,
        rule,
        consequence: evidence.consequence as Exclude<Consequence, 'misread'>,
      })),
    },
    waiting: waitingPods(context, written, causes),
  };
}

/** The errors that keep NodePools from launching: those of the NodePool, then those of its class. */
function causesByPool(findings: readonly Finding[], { model }: RuleContext): Map<string, Finding[]> {
  const replaced = new Set(model.cluster?.replacedObjects.map(({ kind, name }) => `${kind} ${name}`));
  const errors = findings.filter(
    ({ severity, evidence: { consequence }, subject: { kind, name } }) =>
      severity === 'error' &&
      LAUNCHES_NOTHING.has(consequence) &&
      // If the API server rejects a change, the object in the cluster stays as it is.
      !(consequence === 'rejected' && replaced.has(`${kind} ${name}`)),
  );
  const classes = new Map(model.nodeClasses.map(({ object }) => [object.name, object]));
  const causesOf = ({ object, spec }: NodePoolManifest) =>
    [object, classes.get(spec?.nodeClass ?? '')].flatMap((judged) =>
      errors.filter((finding) => isAbout(finding, judged)),
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

/** Objects of one kind and name in several files are different ones. */
function isAbout({ subject, location }: Finding, object: ManifestObject | undefined): boolean {
  return (
    object !== undefined &&
    (SUCCESSORS.get(subject.kind) ?? subject.kind) === object.kind &&
    subject.name === object.name &&
    location.file === object.locate([]).file
  );
}

function waitingPods(
  { passesPlan: plan, model }: RuleContext,
  written: SchedulePlan,
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
}: SchedulePlan): Array<Pick<SchedulePlan['filledNodes'][0], 'pods' | 'groups'>> {
  return [...nodeClaims, ...filledNodes];
}

function countsByGroup(plan: SchedulePlan): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { groups } of placements(plan))
    for (const [group, count] of groups) counts.set(group, (counts.get(group) ?? 0) + count);
  return counts;
}
