import { FieldFix, renameField, setField } from '../../../../contract';
import { listText } from '../../../../model';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { disruptionsByName } from '../../../manifest/karpenter/pool-disruption';
import { PdbManifest, WorkloadManifest } from '../../../manifest/model';
import { poolNamesOf } from '../../common/placements';
import { targetsNonKarpenterNodes } from '../../common/pod-constraints';
import { pdbAllowanceOf, workloadsSelectedBy, hasSelector, percentOf } from '../../common/pod-disruption-budgets';
import { minimumReplicas, Replicas } from '../../common/replicas';
import { defineRule, Judgement, NOT_APPLICABLE, SubjectFinding, unknown } from '../../define-rule';
import { RuleContext } from '../../rule';
import { pdbs } from '../../subjects';
import { singlePodReason } from '../availability/second-pod';

const BLOCKED_FOREVER = 'Karpenter can never drain their nodes, neither to consolidate nor after drift or expiry';
const BLOCKED_UNTIL_GRACE_ENDS =
  'Karpenter cannot consolidate their nodes, and after drift or expiry a drain lasts the whole terminationGracePeriod, ' +
  'which then ends the pods anyway';
const REMEDY = 'write maxUnavailable: 1, and no minAvailable';

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export const pdbBlocksEverything = defineRule({
  id: 'KARP-403',
  name: 'pdb-blocks-everything',
  severity: 'error',
  summary:
    'A PodDisruptionBudget allows no eviction even when all its pods are healthy: nodes with these pods can never be drained.',
  subjects: pdbs({
    unknown: ({ selector, minAvailable, maxUnavailable }) =>
      whyUnresolved([selector, minAvailable, maxUnavailable]) ??
      (minAvailable !== undefined && maxUnavailable !== undefined
        ? 'it sets both minAvailable and maxUnavailable, which the API server rejects'
        : undefined),
  }),
  judge(pdb, context) {
    const selected = selectedBy(context, pdb);
    return selected === 'nothing'
      ? NOT_APPLICABLE
      : (settingFinding(context, pdb, selected) ?? judgeReplicas(context, pdb, selected));
  },
});

/** A setting that allows no eviction for any number of replicas. */
function settingFinding(
  context: RuleContext,
  pdb: PdbManifest,
  selected: readonly WorkloadManifest[],
): SubjectFinding | undefined {
  const { minAvailable, maxUnavailable } = pdb;
  const none = minAvailable === undefined && maxUnavailable === undefined;
  if (!none && percentOf(minAvailable) !== 100 && percentOf(maxUnavailable) !== 0 && Number(maxUnavailable) !== 0) {
    return undefined;
  }
  const text = `${none ? 'without minAvailable and maxUnavailable Kubernetes' : setting(pdb)} never allows an eviction${ofWorkloads(selected)}`;
  return finding(context, pdb, selected, text, { disruptionsAllowed: 0 });
}

function judgeReplicas(context: RuleContext, pdb: PdbManifest, selected: readonly WorkloadManifest[]): Judgement {
  if (selected.length === 0) {
    return unknown('it selects no workload of the input');
  }
  const replicas = selected.map((workload) => minimumReplicas(context.model, workload));
  const without = replicas.find((workloadReplicas) => workloadReplicas.unknown !== undefined);
  if (without !== undefined) {
    return unknown(without.unknown!);
  }
  const total = replicas.reduce((sum, { pods }) => sum + pods, 0);
  const allowance = pdbAllowanceOf(pdb, total);
  if (allowance === undefined) {
    return unknown(`${setting(pdb)} is neither a number nor a percentage`);
  }
  if (total === 0 || allowance.allowed > 0) {
    return undefined;
  }
  const healthy = total === 1 ? 'the pod is healthy' : `all ${total} pods are healthy`;
  return finding(
    context,
    pdb,
    selected,
    `${allowance.text} allows no eviction${ofWorkloads(selected)}, even while ${healthy}${sourceText(replicas)}`,
    {
      replicas: total,
      disruptionsAllowed: 0,
    },
  );
}

/** Workloads whose pods the PodDisruptionBudget selects; 'nothing' if it affects no node of Karpenter. */
function selectedBy({ model }: RuleContext, pdb: PdbManifest): readonly WorkloadManifest[] | 'nothing' {
  if (!hasSelector(pdb)) {
    return 'nothing';
  }
  const selected = workloadsSelectedBy(model, pdb);
  const onKarpenterNodes = selected.filter((workload) => !targetsNonKarpenterNodes(workload));
  return selected.length > 0 && onKarpenterNodes.length === 0 ? 'nothing' : selected;
}

function setting({ minAvailable, maxUnavailable }: PdbManifest): string {
  return minAvailable === undefined ? `maxUnavailable: ${maxUnavailable}` : `minAvailable: ${minAvailable}`;
}

function sourceText(replicas: readonly Replicas[]): string {
  const sources = replicas.flatMap(({ source }) => (source === undefined ? [] : [source]));
  return sources.length === 0 ? '' : ` (${listText(sources)})`;
}

/** Depends on the terminationGracePeriod of the planned nodes' NodePools, or of all NodePools if none is planned. */
function consequenceOf(context: RuleContext, selected: readonly WorkloadManifest[]): string {
  const pools = disruptionsByName(context);
  const planned = selected.flatMap((workload) => poolNamesOf(context, workload));
  const names = planned.length > 0 ? planned : context.model.nodePools.map(({ object }) => object.name);
  const allDrainsEnd = names.length > 0 && names.every((name) => pools.get(name)?.terminationGracePeriod !== undefined);
  return allDrainsEnd ? BLOCKED_UNTIL_GRACE_ENDS : BLOCKED_FOREVER;
}

function finding(
  context: RuleContext,
  pdb: PdbManifest,
  selected: readonly WorkloadManifest[],
  message: string,
  evidence: Record<string, unknown>,
): SubjectFinding {
  const field = pdb.minAvailable === undefined ? 'maxUnavailable' : 'minAvailable';
  const singleReplica = evidence.replicas === 1;
  const runsOnePod = selected.some((workload) => singlePodReason(context.model, workload) !== undefined);
  return {
    path: ['spec', field],
    message: `${message}; ${consequenceOf(context, selected)}`,
    remedy: singleReplica && !runsOnePod ? `run at least 2 replicas, and ${REMEDY}` : REMEDY,
    fix: maxUnavailableFix(context, pdb, selected),
    evidence: {
      minAvailable: pdb.minAvailable ?? null,
      maxUnavailable: pdb.maxUnavailable ?? null,
      workloads: namesOf(selected),
      ...evidence,
    },
  };
}

function ofWorkloads(selected: readonly WorkloadManifest[]): string {
  return selected.length === 0 ? '' : ` of ${listText(namesOf(selected))}`;
}

function namesOf(selected: readonly WorkloadManifest[]): string[] {
  return selected.map(({ kind, name }) => `${kind} ${name}`).sort();
}

/** Safe if other pods remain while one is evicted. */
function maxUnavailableFix(
  { model }: RuleContext,
  { minAvailable }: PdbManifest,
  selected: readonly WorkloadManifest[],
): FieldFix {
  const pods = selected.reduce((sum, workload) => sum + minimumReplicas(model, workload).pods, 0);
  const path = ['spec', minAvailable === undefined ? 'maxUnavailable' : 'minAvailable'];
  return {
    safe: pods > 1,
    edits: [setField(path, 1), ...(minAvailable === undefined ? [] : [renameField(path, 'maxUnavailable')])],
  };
}
