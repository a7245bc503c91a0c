import { PdbManifest, WorkloadManifest } from '../manifest/model';
import { guardedBy, hasSelector } from './private/budgets-of-pods';
import { fail, notEvaluated, pass } from './private/outcome';
import { demandOf, percentOf } from './private/pdb-demand';
import { poolNamesOf } from './private/placements';
import { targetsOtherNodes } from './private/pod-constraints';
import { disruptionsByName } from './private/pool-disruption';
import { fullHealthReplicas, Replicas } from './private/replicas';
import { findUnresolved } from './private/unresolved';
import { count, joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const HELD_FOR_EVER = 'Karpenter can drain no node that runs them, be it to consolidate, for drift or after expiry';
const HELD_FOR_A_TIME = 'Karpenter consolidates no node that runs them, and for drift and after expiry drains it for as long as its terminationGracePeriod lasts, '
  + 'which then ends them all the same';
const REMEDY = 'write maxUnavailable: 1, and no minAvailable';

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export class PdbBlocksEverything implements Rule {
  public readonly id = 'KARP-403';
  public readonly name = 'pdb-blocks-everything';
  public readonly severity = 'error';
  public readonly summary = 'A PodDisruptionBudget allows no eviction even when all its pods are healthy: nodes with these pods can never be drained.';

  public check(context: RuleContext): Outcome[] {
    return context.model.pdbs.flatMap((pdb) => this.checkPdb(context, pdb));
  }

  private checkPdb(context: RuleContext, pdb: PdbManifest): Outcome[] {
    const { object, minAvailable, maxUnavailable } = pdb;
    const unknown = findUnresolved([pdb.selector, minAvailable, maxUnavailable]);
    if (unknown !== undefined) {
      return [notEvaluated(object, `the value of ${unknown} is known only at deployment`)];
    }
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      return [notEvaluated(object, 'it sets both minAvailable and maxUnavailable, which the API server refuses')];
    }
    const selected = selectedBy(context, pdb);
    if (selected === 'nothing') {
      return [];
    }
    return [this.blocksAlways(context, pdb, selected) ?? this.checkReplicas(context, pdb, selected)];
  }

  private blocksAlways(context: RuleContext, pdb: PdbManifest, selected: readonly WorkloadManifest[]): Outcome | undefined {
    const { minAvailable, maxUnavailable } = pdb;
    const none = minAvailable === undefined && maxUnavailable === undefined;
    if (!none && percentOf(minAvailable) !== 100 && percentOf(maxUnavailable) !== 0 && Number(maxUnavailable) !== 0) {
      return undefined;
    }
    const text = none ? 'sets neither minAvailable nor maxUnavailable, for which Kubernetes allows no eviction' : `sets ${setting(pdb)}`;
    return finding(context, pdb, selected, `${text}: 0 evictions allowed, ever`, { disruptionsAllowed: 0 });
  }

  private checkReplicas(context: RuleContext, pdb: PdbManifest, selected: readonly WorkloadManifest[]): Outcome {
    if (selected.length === 0) {
      return notEvaluated(pdb.object, 'it selects no workload of the input');
    }
    const replicas = selected.map((workload) => fullHealthReplicas(context.model, workload));
    const open = replicas.find(({ unknown }) => unknown !== undefined);
    if (open !== undefined) {
      return notEvaluated(pdb.object, open.unknown!);
    }
    const total = replicas.reduce((sum, { pods }) => sum + pods, 0);
    const demand = demandOf(pdb, total);
    if (demand === undefined) {
      return notEvaluated(pdb.object, `${setting(pdb)} is neither a number nor a percentage`);
    }
    if (total === 0 || demand.allowed > 0) {
      return pass(pdb.object);
    }
    const message = `${demand.text}: 0 evictions allowed while all ${count(total, 'pod')} ${total === 1 ? 'is' : 'are'} healthy`;
    return finding(context, pdb, selected, `${message}${sourceText(replicas)}`, { replicas: total, disruptionsAllowed: 0 });
  }
}

/** Workloads whose pods the budget guards; 'nothing' where it matters to no node of Karpenter. */
function selectedBy({ model }: RuleContext, pdb: PdbManifest): readonly WorkloadManifest[] | 'nothing' {
  if (!hasSelector(pdb)) {
    return 'nothing';
  }
  const all = guardedBy(model, pdb);
  const ours = all.filter((workload) => !targetsOtherNodes(workload));
  return all.length > 0 && ours.length === 0 ? 'nothing' : all;
}

function setting({ minAvailable, maxUnavailable }: PdbManifest): string {
  return minAvailable === undefined ? `maxUnavailable: ${maxUnavailable}` : `minAvailable: ${minAvailable}`;
}

function sourceText(replicas: readonly Replicas[]): string {
  const sources = replicas.flatMap(({ source }) => source === undefined ? [] : [source]);
  return sources.length === 0 ? '' : ` (${joinNames(sources)})`;
}

/** What all nodes that the plan has for the pods come to. */
function consequenceOf(context: RuleContext, selected: readonly WorkloadManifest[]): string {
  const pools = disruptionsByName(context);
  const names = selected.flatMap((workload) => poolNamesOf(context, workload));
  const areAllEnded = names.length > 0 && names.every((name) => pools.get(name)?.terminationGracePeriod !== undefined);
  return areAllEnded ? HELD_FOR_A_TIME : HELD_FOR_EVER;
}

function finding(
  context: RuleContext, pdb: PdbManifest, selected: readonly WorkloadManifest[], message: string, evidence: Record<string, unknown>,
): Outcome {
  const names = selected.map(({ kind, name }) => `${kind} ${name}`).sort();
  const pods = names.length === 0 ? '' : ` for ${joinNames(names)}`;
  const field = pdb.minAvailable === undefined ? 'maxUnavailable' : 'minAvailable';
  const lone = evidence.replicas === 1;
  return fail({
    object: pdb.object,
    path: ['spec', field],
    message: `${message}${pods}; ${consequenceOf(context, selected)}`,
    remedy: lone ? `run at least 2 replicas, and ${REMEDY}` : REMEDY,
    evidence: { minAvailable: pdb.minAvailable ?? null, maxUnavailable: pdb.maxUnavailable ?? null, workloads: names, ...evidence },
  });
}
