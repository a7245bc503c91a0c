import { PodsWaitingForFix } from './as-written';
import { causeInVolumes } from './waiting-for-volumes';
import { asRecord } from '../../contract';
import { countText } from '../../model';
import { objectsNotEvaluated } from '../context/not-evaluated';
import { podGroupIndices } from '../context/schedule-input';
import { FittingChange, smallestFittingChanges } from '../explain/fitting-changes';
import { refusedClaimText, WorkloadManifest } from '../manifest';
import { RuleContext } from '../rules';
import { targetsNonKarpenterNodes } from '../rules/common/pod-constraints';
import { GANG_RULE, MORE_SPECIFIC_RULES } from '../rules/common/unscheduled-pods';
import { Finding } from '../vocabulary/verdict';

/** Rules about a workload whose pods have no node. Some of them also find mistakes of pods that have one. */
export const PENDING_POD_RULES: ReadonlySet<string> = new Set([...MORE_SPECIFIC_RULES, 'KARP-213', 'KARP-318']);
const EFFECTS: ReadonlySet<string> = new Set([
  ...['KARP-106', 'KARP-211', 'KARP-213', 'KARP-301', 'KARP-318'],
  GANG_RULE,
]);
/** Rules about node classes that size another volume than that of the pods. */
const VOLUME_RULES: readonly string[] = ['KARP-802', 'KARP-803'];
const TOO_LARGE = 'KARP-301';
/** The daemonsets of a NodePool alone are too large for its instance types. */
const ONLY_DAEMONSETS = 'KARP-302';
/** Rules about limits that are below each instance type, and about limits that are used up. */
const LIMIT_RULES: readonly string[] = ['KARP-310', 'KARP-322'];

/**
 * Pods that only wait for one object to be corrected have no findings of their own: the finding about that object, such
 * as a NodePool, its class or a volume claim, says how many pods wait.
 */
export function attachToCauses(
  findings: readonly Finding[],
  context: RuleContext,
  waitingForFix: readonly PodsWaitingForFix[] = [],
): Finding[] {
  const attached = new Map<Finding, WaitingWorkload[]>();
  const dropped = new Set<Finding>();
  const gangs = new Map<Finding, Finding>();
  for (const workload of waitingForFix)
    attached.set(workload.cause, [...(attached.get(workload.cause) ?? []), workload]);
  for (const workload of waitingWorkloads(findings, context)) {
    const { manifest, cause } = workload;
    attached.set(cause, [...(attached.get(cause) ?? []), workload]);
    for (const finding of findings) {
      if (finding === cause || !EFFECTS.has(finding.rule) || !isAbout(finding, manifest)) continue;
      dropped.add(finding);
      if (finding.rule === GANG_RULE) gangs.set(cause, finding);
    }
  }
  return findings
    .filter((finding) => !dropped.has(finding))
    .map((finding) => {
      const workloads = attached.get(finding);
      return workloads === undefined ? finding : withGang(withWaiting(finding, workloads), gangs.get(finding));
    });
}

interface WaitingWorkload {
  readonly manifest: WorkloadManifest;
  readonly pods: number;
  readonly cause: Finding;
  /** Whether the finding is an error because of the pods. @default false */
  readonly isError?: boolean;
  /** Whether the cause is the finding of another workload, whose remedy also helps this one. @default false */
  readonly isAlike?: boolean;
  /** What helps all waiting pods, if it is more than the finding itself advises. */
  readonly remedy?: string;
  /** The remedy as an edit. */
  readonly fix?: Finding['fix'];
}

function waitingWorkloads(findings: readonly Finding[], context: RuleContext): WaitingWorkload[] {
  const { model, plan } = context;
  const refused = [...waitingForClaims(findings, context), ...waitingForAnyPool(findings, context)];
  // A NodePool with unknown values might take the pods.
  if (plan.unschedulable.length === 0 || objectsNotEvaluated(model).unknownPools.length > 0) return refused;
  const known = [
    ...waitingForPools(findings, context),
    ...waitingForLimits(findings, context),
    ...waitingForVolumes(findings, context),
    ...refused,
  ];
  const manifests = new Set(known.map(({ manifest }) => manifest));
  for (const waiting of waitingForResources(findings, context)) {
    if (manifests.has(waiting.manifest)) continue;
    known.push(waiting);
    manifests.add(waiting.manifest);
  }
  return [...known, ...waitingForChanges(findings, context, manifests)];
}

/**
 * Workloads whose unschedulable pods all fit after one change of a NodePool, and nothing else. The cause is the finding
 * about the field that changes, or else the finding of the first of several such workloads.
 */
function waitingForChanges(
  findings: readonly Finding[],
  context: RuleContext,
  known: ReadonlySet<WorkloadManifest>,
): WaitingWorkload[] {
  const changes = smallestFittingChanges(context);
  const byChange = new Map<string, { manifest: WorkloadManifest; pods: number; change: FittingChange }[]>();
  for (const { manifest, groups, pods } of pendingWorkloads(context)) {
    const [change, ...others] = new Set(groups.map((group) => changes.get(group)));
    if (known.has(manifest) || change === undefined || change.waitsFor || change.raise) continue;
    const isOfPool = change.edits?.length === 1 && change.edits[0].object.kind === 'NodePool';
    if (!isOfPool || others.some((other) => other?.description !== change.description)) continue;
    const key = change.description ?? '';
    byChange.set(key, [...(byChange.get(key) ?? []), { manifest, pods, change }]);
  }
  return [...byChange.values()].flatMap((waiting): WaitingWorkload[] => {
    const [{ change }] = waiting;
    const ofField = findings.find((finding) => isAtEdit(finding, change));
    if (ofField !== undefined)
      return waiting.map(({ manifest, pods }) => ({ manifest, pods, cause: ofField, isError: true }));
    const effects = waiting.map(({ manifest, pods }) => ({
      manifest,
      pods,
      finding: findings.find((finding) => EFFECTS.has(finding.rule) && isAbout(finding, manifest)),
    }));
    const cause = effects.find(({ finding }) => finding !== undefined)?.finding;
    return cause === undefined
      ? []
      : effects.flatMap(({ manifest, pods, finding }) =>
          finding === undefined || finding === cause ? [] : [{ manifest, pods, cause, isAlike: true }],
        );
  });
}

/** The rule about pods that run on nodes of another architecture: its remedies give no pod a node. */
const ABOUT_RUNNING_PODS = 'KARP-203';

/** Whether the finding is about a field of a NodePool that the change edits. */
function isAtEdit({ rule, severity, subject, location }: Finding, { edits = [] }: FittingChange): boolean {
  const [{ object, fix }] = edits;
  if (rule === ABOUT_RUNNING_PODS || severity === 'info' || subject.kind !== 'NodePool' || subject.name !== object.name)
    return false;
  return fix.edits.some(({ path }) => {
    const edited = object.locate(path).path;
    return location.path === edited || location.path.startsWith(`${edited}[`) || edited.startsWith(`${location.path}[`);
  });
}

/** Workloads whose unschedulable pods all wait for a NodePool to be ready. */
function waitingForPools(findings: readonly Finding[], context: RuleContext): WaitingWorkload[] {
  const changes = smallestFittingChanges(context);
  return pendingWorkloads(context).flatMap(({ manifest, groups, pods }) => {
    const waits = groups.map((group) => changes.get(group));
    const waitsFor = waits[0]?.waitsFor;
    if (waitsFor === undefined || waits.some((change) => !change?.isOnlyWaiting)) return [];
    const { kind, name } = waitsFor.cause;
    const cause = findings.find(
      ({ severity, subject }) => severity === 'error' && subject.kind === kind && subject.name === name,
    );
    return cause === undefined ? [] : [{ manifest, pods, cause }];
  });
}

/** Workloads whose unschedulable pods all fit if the limits of one NodePool are higher. */
function waitingForLimits(findings: readonly Finding[], context: RuleContext): WaitingWorkload[] {
  const ofLimits = findings.filter(({ rule, severity }) => LIMIT_RULES.includes(rule) && severity === 'error');
  if (ofLimits.length === 0) return [];
  const changes = smallestFittingChanges(context);
  return pendingWorkloads(context).flatMap(({ manifest, groups, pods }) => {
    const raises = groups.map((group) => changes.get(group)?.raise);
    const [raise] = raises;
    if (raise === undefined || raises.some((other) => other !== raise)) return [];
    const cause = ofLimits.find(({ subject }) => subject.kind === 'NodePool' && subject.name === raise.nodePool);
    // A missing unit is no reason to choose another limit.
    const isTypo = typeof cause?.evidence.withUnit === 'string';
    return cause === undefined ? [] : [{ manifest, pods, cause, ...(isTypo ? {} : { remedy: raise.description }) }];
  });
}

/**
 * Workloads whose pods are too large only because of a wrong unit, because a node class sizes the wrong volume, or
 * because Karpenter ignores the NodeOverlay that adds their device.
 */
function waitingForResources(findings: readonly Finding[], { model }: RuleContext): WaitingWorkload[] {
  return model.workloads.flatMap((manifest): WaitingWorkload[] => {
    const pods = manifest.replicas - (manifest.running ?? 0);
    const tooLarge = findings.find(({ rule, subject }) => rule === TOO_LARGE && isAbout({ subject }, manifest));
    const nearest = asRecord(tooLarge?.evidence.nearest);
    const crowded = findings.find(
      ({ rule, severity, subject, evidence }) =>
        rule === ONLY_DAEMONSETS &&
        severity === 'error' &&
        [evidence.nodePools ?? subject.name].flat().some((name) => name === nearest?.nodePool),
    );
    // A missing unit is no reason to allow larger instance types.
    if (tooLarge !== undefined && crowded !== undefined)
      return [{ manifest, pods, cause: crowded, ...(crowded.evidence.withUnit ? {} : remedyOfEdit(tooLarge)) }];
    const shortOf = Object.keys(asRecord(nearest?.shortBy) ?? {});
    if (shortOf.length === 0) return [];
    const wrongUnit = findings.find((finding) => isCpuUnit(finding) && isAbout(finding, manifest));
    if (wrongUnit !== undefined && shortOf.includes('cpu'))
      return [{ manifest, pods, cause: wrongUnit, isError: true }];
    const nodeClass = model.nodePools.find(({ object }) => object.name === nearest?.nodePool)?.spec?.nodeClass;
    const overlays = model.nodeOverlays.filter(({ object: { raw } }) =>
      shortOf.every((resource) => resource in (asRecord(raw?.spec?.capacity) ?? {})),
    );
    const cause = findings.find(({ rule, subject: { kind, name } }) =>
      rule === 'KARP-111'
        ? kind === 'NodeOverlay' && overlays.length > 0
        : VOLUME_RULES.includes(rule) &&
          kind === 'EC2NodeClass' &&
          name === nodeClass &&
          shortOf.every((resource) => resource === 'ephemeral-storage'),
    );
    return cause === undefined ? [] : [{ manifest, pods, cause, isError: true }];
  });
}

/** Workloads whose volumes are in no zone of a NodePool. */
function waitingForVolumes(findings: readonly Finding[], context: RuleContext): WaitingWorkload[] {
  return pendingWorkloads(context).flatMap(({ manifest, pods }) => {
    const cause = causeInVolumes(findings, context, manifest);
    return cause === undefined ? [] : [{ manifest, pods, cause, isError: true }];
  });
}

/** Whether the finding is about CPUs of a container in a unit of memory, with which no node holds the pod. */
function isCpuUnit({ evidence, location: { path } }: Finding): boolean {
  return evidence.consequence === 'misread' && /\.resources\.(requests|limits)\.cpu$/.test(path);
}

/** The change that was tried for the pods, if it is one of a NodePool. */
function remedyOfEdit({ remedy, fix }: Finding): Pick<WaitingWorkload, 'remedy' | 'fix'> {
  return fix === undefined ? {} : { remedy: `${remedy}, or lower the requests of the daemonsets`, fix };
}

/** Workloads whose pods mount a claim that the API server refuses. */
function waitingForClaims(findings: readonly Finding[], { model, plan }: RuleContext): WaitingWorkload[] {
  const refused = findings.filter(
    ({ severity, subject }) => severity === 'error' && subject.kind === 'PersistentVolumeClaim',
  );
  if (refused.length === 0) return [];
  return model.workloads.flatMap((manifest): WaitingWorkload[] => {
    const groups = podGroupIndices(manifest);
    const unevaluated = plan.notEvaluated.filter(({ group }) => groups.includes(group));
    const causes = new Set(unevaluated.flatMap(({ causes: texts }) => texts));
    const cause = refused.find(({ subject: { namespace, name } }) =>
      causes.has(refusedClaimText(namespace === '' ? 'default' : namespace, name)),
    );
    return cause === undefined
      ? []
      : [{ manifest, cause, pods: unevaluated.reduce((sum, { pods, count = pods.length }) => sum + count, 0) }];
  });
}

/** All workloads, if Karpenter rejects every NodePool or every class: then no pod is evaluated. */
function waitingForAnyPool(findings: readonly Finding[], { model, plan }: RuleContext): WaitingWorkload[] {
  const cause = findings.find(
    ({ severity, subject }) => severity === 'error' && ['NodePool', 'EC2NodeClass'].includes(subject.kind),
  );
  const { leftOut } = objectsNotEvaluated(model);
  if (
    cause === undefined ||
    !leftOut.some((text) => text.startsWith(`${cause.subject.kind} ${cause.subject.name}, which`))
  )
    return [];
  return model.workloads.flatMap((manifest): WaitingWorkload[] => {
    const groups = podGroupIndices(manifest);
    const unevaluated = plan.notEvaluated.filter(({ group }) => groups.includes(group));
    const pods = unevaluated.reduce((sum, { pods: names, count = names.length }) => sum + count, 0);
    return pods === 0 || targetsNonKarpenterNodes(manifest) ? [] : [{ manifest, cause, pods }];
  });
}

/** Workloads with pods that no node takes, with the groups of these pods. */
export function pendingWorkloads({
  model,
  plan,
}: RuleContext): Array<{ manifest: WorkloadManifest; groups: number[]; pods: number }> {
  const pending = new Map<number, number>();
  for (const { group } of plan.unschedulable) pending.set(group, (pending.get(group) ?? 0) + 1);
  return model.workloads.flatMap((manifest) => {
    const groups = podGroupIndices(manifest).filter((group) => pending.has(group));
    return groups.length === 0
      ? []
      : [{ manifest, groups, pods: groups.reduce((sum, group) => sum + pending.get(group)!, 0) }];
  });
}

export function isAbout({ subject }: Pick<Finding, 'subject'>, { object, namespace }: WorkloadManifest): boolean {
  const { kind, name } = object.madeBy ?? object;
  return (
    subject.kind === kind && subject.name === name && (subject.namespace === '' || subject.namespace === namespace)
  );
}

function withWaiting(finding: Finding, workloads: readonly WaitingWorkload[]): Finding {
  const pods = workloads.reduce((sum, workload) => sum + workload.pods, 0);
  const names = [...new Set(workloads.map(({ manifest }) => subjectName(manifest)))].sort();
  const which = names.length === 1 ? names[0] : countText(names.length, 'workload');
  const { remedy, fix } = workloads.find((workload) => workload.remedy !== undefined) ?? {};
  return {
    ...finding,
    ...(workloads.some(({ isError }) => isError) ? { severity: 'error' } : {}),
    ...(remedy === undefined ? {} : { remedy }),
    ...(fix === undefined ? {} : { fix }),
    message: `${finding.message}; ${waitingText(
      pods,
      which,
      workloads.some(({ isAlike }) => isAlike),
    )}`,
    evidence: { ...finding.evidence, waitingPods: pods, waitingWorkloads: names },
  };
}

function waitingText(pods: number, which: string, isAlike: boolean): string {
  return isAlike
    ? `the same change lets ${countText(pods, `pod of ${which} fit`, `pods of ${which} fit`)}`
    : `${countText(pods, `pod of ${which} waits`, `pods of ${which} wait`)} for it`;
}

/** The workload as `evidence.waitingWorkloads` names it. */
export function subjectName({ object, namespace }: WorkloadManifest): string {
  const { kind, name } = object.madeBy ?? object;
  return `${kind} ${namespace}/${name}`;
}

/** Says also what the rest of a gang costs meanwhile. */
function withGang(cause: Finding, gang: Finding | undefined): Finding {
  return gang === undefined ? cause : { ...cause, message: `${cause.message}; ${gang.message}` };
}
