/** The PodDisruptionBudget of a workload: an object beside it, made where nothing else guards the pods. */
import { ApiObject, Lazy } from 'cdk8s';
import { offReason } from '../../contract';
import { selects } from '../../model';
import { Safeguard } from '../safeguard';
import { objectsBeside } from './cluster-objects';
import { settingsFor, withoutSafeguards } from './protections';
import { tryFindScaler } from './scaler';
import { inOneNamespace, isRecord, isServing, Json, recordsIn } from './subject';

const ID = 'PodDisruptionBudget';
const LISTS = ['List', `${ID}List`];
const GUARDED = new WeakMap<ApiObject, ApiObject>();

/** Makes it, or takes it away where it has been waived since. */
export function keepDisruptionBudget(workload: ApiObject): void {
  if (!isServing(workload)) return;
  const existing = workload.node.tryFindChild(ID);
  const manifest = tryRender(workload);
  const waived = isWaived(workload, manifest);
  if (existing && waived) workload.node.tryRemoveChild(ID);
  if (existing || waived || otherBudgets(workload, manifest).length > 0) return;
  addDisruptionBudget(workload);
  removeNarrower(workload, manifest);
}

/** What there is of it: cdk8s-plus does not render a pod before it has a container, and these may come later. */
function tryRender(workload: ApiObject): Json {
  try {
    return withoutSafeguards(workload);
  } catch {
    return { metadata: workload.metadata.toJson() };
  }
}

function isWaived(workload: ApiObject, manifest: Json): boolean {
  return settingsFor(workload).waivers.has(Safeguard.POD_DISRUPTION_BUDGET)
    || offReason(manifest.metadata?.annotations, Safeguard.POD_DISRUPTION_BUDGET) !== undefined;
}

/** One pod, so that the budget of any number of replicas lets a node be drained, and pods that are not ready hold up nothing. */
function addDisruptionBudget(workload: ApiObject): void {
  const budget = new ApiObject(workload, ID, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: freeName(workload), namespace: workload.metadata.namespace },
    spec: Lazy.any({
      produce: () => ({
        maxUnavailable: maxUnavailableOf(workload),
        selector: withoutSafeguards(workload).spec?.selector,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      }),
    }),
  });
  GUARDED.set(budget, workload);
  const render = budget.toJson.bind(budget);
  budget.toJson = () => inNamespace(withoutSafeguards(workload).metadata?.namespace, render());
  budget.node.addValidation({ validate: () => otherBudgets(workload, tryRender(workload)).map((other) => conflict(workload, other)) });
}

/** Those of ours for pods that this one guards as well, such as a canary's: it would not have been made had this workload come first. */
function removeNarrower(workload: ApiObject, { metadata, spec }: Json): void {
  const selector: unknown = spec?.selector;
  if (!isRecord(selector)) return;
  for (const budget of objectsBeside(workload, ID)) {
    const guarded = GUARDED.get(budget);
    if (!guarded || guarded === workload) continue;
    const { metadata: own, spec: theirs } = tryRender(guarded);
    if (theirs && inOneNamespace(own, metadata) && selects(selector, theirs.template?.metadata?.labels ?? {})) guarded.node.tryRemoveChild(ID);
  }
}

/** Where there are fewer pods than are asked for, one of them stays. */
function maxUnavailableOf(workload: ApiObject): number {
  const { maxUnavailable } = settingsFor(workload);
  const pods = tryFindScaler(workload)?.least ?? Number((workload.toJson() as Json).spec?.replicas);
  return pods > 1 ? Math.min(maxUnavailable, pods - 1) : 1;
}

/** A patch may have moved the workload since. */
function inNamespace(namespace: string | undefined, manifest: Json): Json {
  return { ...manifest, metadata: { ...manifest.metadata, ...namespace === undefined ? {} : { namespace } } };
}

/** Workloads of different kinds may have one name. */
function freeName(workload: ApiObject): string {
  const { name, kind, metadata } = workload;
  const taken = objectsBeside(workload, ID).some((other) => other.name === name && inOneNamespace(other.metadata, metadata));
  return taken ? `${name}-${kind.toLowerCase()}` : name;
}

function conflict({ node }: ApiObject, other: ApiObject): string {
  return `${node.path}: must have one PodDisruptionBudget, for a pod with two can never be evicted, got ${other.node.path} besides; `
    + 'remove that one, or waive Safeguard.POD_DISRUPTION_BUDGET with a reason';
}

/** Without a selector a budget selects no pod; an empty one selects all. */
function otherBudgets(workload: ApiObject, { metadata = {}, spec }: Json): ApiObject[] {
  if (!spec) return [];
  const labels = spec.template?.metadata?.labels ?? {};
  const isGuard = (budget: Json) => {
    const selector: unknown = budget.spec?.selector;
    return inOneNamespace(budget.metadata, metadata) && isRecord(selector) && selects(selector, labels);
  };
  return objectsBeside(workload, ID, ...LISTS).filter((other) => {
    if (other.node.scope === workload) return false;
    const guarded = GUARDED.get(other);
    // A budget of ours is where its workload is, with the same selector: there is no need to render what else it goes by.
    return guarded ? isGuard(tryRender(guarded)) : budgetsIn(other.toJson()).some(isGuard);
  });
}

/** The items of a list of one kind need not say which. */
function budgetsIn(manifest: Json): Json[] {
  return LISTS.includes(manifest.kind) ? recordsIn(manifest.items).filter(({ kind = ID }) => kind === ID) : [manifest];
}
