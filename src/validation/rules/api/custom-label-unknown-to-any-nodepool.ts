import { defineRule, Judgement, NOT_APPLICABLE, unknown, SubjectFinding } from '../define-rule';
import { labelBesideTemplate } from './labels/label-beside-template';
import { suggestLabel } from './labels/label-suggestion';
import { pinnedFinding } from './labels/pinned-to-node';
import { unsafeFix } from '../../../contract';
import {
  isRestrictedLabel,
  labelDomain,
  listText,
  nearestKey,
  normalizeLabelKey,
  RequirementSpec,
  shortListText,
  WELL_KNOWN_LABELS,
} from '../../../model';
import { PodShape } from '../../../scheduling';
import { AUTO_MODE_GROUP } from '../../eks-auto-mode';
import { WorkloadManifest } from '../../manifest/model';
import { dedicatedNodesOf } from '../common/dedicated-nodes';
import { nodeGroupFor, targetsOtherNodes } from '../common/other-nodes';
import { allPodsHaveNodes } from '../common/placements';
import {
  requirementAlternatives,
  constraintPath,
  labelKeyEdit,
  requiresLabel,
  unresolvedConstraint,
} from '../common/pod-constraints';
import { Pool, poolsOf } from '../common/pool';
import { IdleSeverity, idleSeverityOf } from '../common/replicas';
import { triedRemedy } from '../common/unscheduled-pods';
import { RuleContext } from '../rule';
import { workloads } from '../subjects';

/** @see https://karpenter.sh/docs/concepts/scheduling/#user-defined-labels */
export const customLabelUnknownToAnyNodePool = defineRule({
  id: 'KARP-106',
  name: 'custom-label-unknown-to-any-nodepool',
  severity: 'error',
  summary:
    'A workload requires a label that no NodePool declares in its template labels or requirements: its pods stay Pending.',
  subjects: workloads({
    where: ({ kind, shape }, context) => kind !== 'DaemonSet' && shape !== undefined && poolsOf(context).length > 0,
  }),
  judge(workload, context) {
    const { shape } = workload;
    const pinned = pinnedFinding(context, workload);
    if (pinned !== undefined) return pinned;
    if (shape === undefined || targetsOtherNodes(context.model, workload)) {
      return NOT_APPLICABLE;
    }
    if (requirementAlternatives(shape).every((specs) => customKeys(specs).length === 0)) {
      return NOT_APPLICABLE;
    }
    return allPodsHaveNodes(context, workload) ? undefined : judgeLabels(context, workload, shape, poolsOf(context));
  },
});

function judgeLabels(
  context: RuleContext,
  workload: WorkloadManifest,
  shape: PodShape,
  pools: readonly Pool[],
): Judgement {
  const unresolved = unresolvedConstraint(workload);
  if (unresolved !== undefined) {
    return unknown(`the value of ${unresolved} is known only at deployment`);
  }
  const wanted = requirementAlternatives(shape).map(customKeys);
  if (wanted.some((keys) => pools.some((pool) => declaresAll(pool, keys)))) {
    return undefined;
  }
  const unusable = pools.find(({ spec }) => spec === undefined);
  if (unusable !== undefined) {
    return unknown(`NodePool ${unusable.name} may declare ${listText(wanted[0])}: ${unusable.why}`);
  }
  const missing = wanted[0].filter((key) => !pools.some((pool) => declaresAll(pool, [key])));
  // KARP-105 reports misspelt well-known labels.
  const unexplained = missing.filter((key) => !suggestLabel(key)?.certain);
  if (missing.length > 0 && unexplained.length === 0) {
    return NOT_APPLICABLE;
  }
  const misplaced = labelBesideTemplate(workload, shape, unexplained, pools);
  if (misplaced !== undefined) return misplaced;
  const dedicated = dedicatedNodesOf(context.model, workload);
  if (dedicated !== undefined) return dedicatedFinding(workload, shape, dedicated, wanted[0]);
  return finding(
    workload,
    shape,
    { keys: wanted[0], missing: unexplained },
    pools,
    idleSeverityOf(context.model, workload),
    nodeGroupFor(context.model, workload),
    triedRemedy(context, workload),
  );
}

/** Nobody writes the same label and taint by mistake: the nodes are made elsewhere. */
function dedicatedFinding(
  workload: WorkloadManifest,
  shape: PodShape,
  label: string,
  keys: readonly string[],
): SubjectFinding {
  return {
    path: constraintPath(workload, shape, keys[0]),
    message: `its pods are for nodes of their own: they select and tolerate ${label}, which no NodePool has; Karpenter launches no node for them`,
    remedy: `nothing, if a node group has the label and the taint ${label}; otherwise add both to a NodePool`,
    evidence: { missing: keys, dedicated: label },
    severity: 'info',
  };
}

interface CustomLabels {
  /** Labels that a node must have. */
  readonly keys: readonly string[];
  /** Those of `keys` that no NodePool declares. */
  readonly missing: readonly string[];
}

function finding(
  workload: WorkloadManifest,
  shape: PodShape,
  { keys, missing }: CustomLabels,
  pools: readonly Pool[],
  { severity, note }: IdleSeverity,
  other: string | undefined,
  { remedy: tried, ...edits }: ReturnType<typeof triedRemedy>,
): SubjectFinding {
  const declared = [...new Set(pools.flatMap(declaredKeys))].sort();
  const declaredText = declared.length === 0 ? 'none declares a custom label' : `declared: ${shortListText(declared)}`;
  const named = missing.length > 0 ? missing : keys;
  const hint = missing.map(suggestLabel).find((near) => near !== undefined)?.suggestion;
  const nearest = missing.map((key) => nearestKey(key, declared)).find((near) => near !== undefined);
  const problem =
    missing.length > 0
      ? `requires the label ${listText(missing)}, which no NodePool declares (${declaredText})`
      : `requires the labels ${listText(keys)} together, but no single NodePool declares all of them`;
  const path = constraintPath(workload, shape, named[0]);
  return {
    path,
    message: `${problem}: Karpenter launches no node for its pods${other === undefined ? ', so they stay Pending' : `, and they run only if ${other} has room`}${note}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
    remedy:
      tried ??
      (nearest !== undefined
        ? `write ${nearest}`
        : `${hint === undefined ? '' : `write ${hint} if you mean that label; otherwise `}` +
          `add ${listText(named)} to spec.template.metadata.labels of a NodePool, or to its requirements with operator Exists`),
    evidence: { missing: named, declared, nodePools: pools.map(({ name }) => name) },
    ...edits,
    // A label of the user is not known to be a typo.
    fix:
      edits.fix ??
      (nearest !== undefined && missing.length === 1 && keys.length === 1
        ? unsafeFix(labelKeyEdit(path, nearest))
        : undefined),
    severity: other === undefined ? severity : 'info',
  };
}

/**
 * Labels that a node must have and that only a NodePool can set. Karpenter ignores pods that require a restricted
 * label.
 */
function customKeys(specs: readonly RequirementSpec[]): string[] {
  const keys = specs.filter(requiresLabel).map(({ key }) => normalizeLabelKey(key));
  return [...new Set(keys)].filter((key) => !WELL_KNOWN_LABELS.has(key) && !isRestrictedLabel(key)).sort();
}

function declaredKeys({ spec }: Pool): string[] {
  const keys = [...Object.keys(spec?.labels ?? {}), ...(spec?.requirements ?? []).map(({ key }) => key)];
  return keys.map(normalizeLabelKey).filter((key) => !WELL_KNOWN_LABELS.has(key));
}

/** Nodes of EKS Auto Mode have all labels of Auto Mode's own domain. */
function declaresAll({ requirements, autoMode }: Pool, keys: readonly string[]): boolean {
  return (
    requirements !== undefined &&
    keys.every((key) => requirements.has(key) || (autoMode && labelDomain(key) === AUTO_MODE_GROUP))
  );
}
