/** Creates the PodDisruptionBudget of a workload, unless another PodDisruptionBudget selects its pods. */
import { ApiObject, Lazy } from 'cdk8s';
import { optOutNoteReason } from '../../contract';
import { selects } from '../../model';
import { Safeguard } from '../safeguard';
import { objectsInSameCluster, tryFindAutoscaler } from './cluster-objects';
import { inOneNamespace, isRecord, isServing, Json, recordsIn } from './editable-workload';
import { settingsFor, withoutSafeguards } from './protections';

const ID = 'PodDisruptionBudget';
const LISTS = ['List', `${ID}List`];
/** State per construct: the workload for which each generated PodDisruptionBudget was created. */
const WORKLOADS = new WeakMap<ApiObject, ApiObject>();

/** Creates the budget, or removes it if it was waived after it was created. */
export function ensureDisruptionBudget(workload: ApiObject): void {
  if (!isServing(workload)) return;
  const existing = workload.node.tryFindChild(ID);
  const manifest = tryRender(workload);
  const waived = isWaived(workload, manifest);
  if (existing && waived) workload.node.tryRemoveChild(ID);
  if (existing || waived || otherBudgets(workload, manifest).length > 0) return;
  addDisruptionBudget(workload);
  removeNarrowerBudgets(workload, manifest);
}

/** Falls back to the metadata: cdk8s-plus cannot render a pod without containers, and containers may be added later. */
function tryRender(workload: ApiObject): Json {
  try {
    return withoutSafeguards(workload);
  } catch {
    return { metadata: workload.metadata.toJson() };
  }
}

function isWaived(workload: ApiObject, manifest: Json): boolean {
  return (
    settingsFor(workload).waivers.has(Safeguard.POD_DISRUPTION_BUDGET) ||
    optOutNoteReason(manifest.metadata?.annotations, Safeguard.POD_DISRUPTION_BUDGET) !== undefined
  );
}

/**
 * Uses maxUnavailable, so that a node can be drained at any replica count, and AlwaysAllow, so that unready pods do not
 * block it.
 */
function addDisruptionBudget(workload: ApiObject): void {
  const budget = new ApiObject(workload, ID, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: unusedName(workload), namespace: workload.metadata.namespace },
    spec: Lazy.any({
      produce: () => ({
        maxUnavailable: maxUnavailableOf(workload),
        selector: withoutSafeguards(workload).spec?.selector,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      }),
    }),
  });
  WORKLOADS.set(budget, workload);
  const render = budget.toJson.bind(budget);
  budget.toJson = () => inNamespace(withoutSafeguards(workload).metadata?.namespace, render());
  budget.node.addValidation({
    validate: () => otherBudgets(workload, tryRender(workload)).map((other) => conflict(workload, other)),
  });
}

/**
 * Removes generated budgets whose pods the new one selects too, such as a canary's: the order of the workloads must not
 * matter.
 */
function removeNarrowerBudgets(workload: ApiObject, { metadata, spec }: Json): void {
  const selector: unknown = spec?.selector;
  if (!isRecord(selector)) return;
  for (const budget of objectsInSameCluster(workload, ID)) {
    const budgetWorkload = WORKLOADS.get(budget);
    if (!budgetWorkload || budgetWorkload === workload) continue;
    const { metadata: itsMetadata, spec: itsSpec } = tryRender(budgetWorkload);
    if (!itsSpec || !inOneNamespace(itsMetadata, metadata)) continue;
    if (selects(selector, itsSpec.template?.metadata?.labels ?? {})) budgetWorkload.node.tryRemoveChild(ID);
  }
}

/**
 * Caps maxUnavailable so that at least one pod stays. A single pod may be evicted, or its node could never be drained.
 */
function maxUnavailableOf(workload: ApiObject): number {
  const { maxUnavailable } = settingsFor(workload);
  const pods = tryFindAutoscaler(workload)?.minReplicas ?? Number((workload.toJson() as Json).spec?.replicas);
  return pods > 1 ? Math.min(maxUnavailable, pods - 1) : 1;
}

/** Follows the workload's namespace, which a patch may have changed after the budget was created. */
function inNamespace(namespace: string | undefined, manifest: Json): Json {
  return { ...manifest, metadata: { ...manifest.metadata, ...(namespace === undefined ? {} : { namespace }) } };
}

/** Appends the kind if the name is taken: workloads of different kinds may share a name. */
function unusedName(workload: ApiObject): string {
  const { name, kind, metadata } = workload;
  const taken = objectsInSameCluster(workload, ID).some(
    (other) => other.name === name && inOneNamespace(other.metadata, metadata),
  );
  return taken ? `${name}-${kind.toLowerCase()}` : name;
}

function conflict({ node }: ApiObject, other: ApiObject): string {
  return (
    `${node.path}: must have only one PodDisruptionBudget, because a pod with two can never be evicted, got ${other.node.path} as well; ` +
    'remove that one, or waive Safeguard.POD_DISRUPTION_BUDGET with a reason'
  );
}

/**
 * Other budgets that select the workload's pods. A budget without a selector selects no pod; an empty selector
 * selects all.
 */
function otherBudgets(workload: ApiObject, { metadata = {}, spec }: Json): ApiObject[] {
  if (!spec) return [];
  const labels = spec.template?.metadata?.labels ?? {};
  const selectsPods = (budget: Json) => {
    const selector: unknown = budget.spec?.selector;
    return inOneNamespace(budget.metadata, metadata) && isRecord(selector) && selects(selector, labels);
  };
  return objectsInSameCluster(workload, ID, ...LISTS).filter((other) => {
    if (other.node.scope === workload) return false;
    const otherWorkload = WORKLOADS.get(other);
    // A generated budget has its workload's namespace and selector, so rendering the workload is enough.
    return otherWorkload ? selectsPods(tryRender(otherWorkload)) : budgetsIn(other.toJson()).some(selectsPods);
  });
}

/** Items of a PodDisruptionBudgetList may leave out their kind. */
function budgetsIn(manifest: Json): Json[] {
  return LISTS.includes(manifest.kind) ? recordsIn(manifest.items).filter(({ kind = ID }) => kind === ID) : [manifest];
}
