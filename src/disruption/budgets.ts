import { Budget, Cluster, ClusterNode, DisruptionReason, Instant } from './cluster';
import { CronSchedule, Label } from '../model';
import { counts, poolCounts } from './pool-counts';

/** Where a NodePool says nothing of budgets. */
export const DEFAULT_BUDGETS: readonly Budget[] = [{ nodes: '10%' }];

/**
 * The nodes that may be disrupted at a time; infinite where no budget says. The strictest of the active ones is right, and a budget that
 * Karpenter cannot read allows none, for whatever reason.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/apis/v1/nodepool.go
 */
export function allowedDisruptions(budgets: readonly Budget[], nodeCount: number, reason: DisruptionReason, now: Instant): number {
  let allowed = Infinity;
  for (const budget of budgets) {
    const active = isActive(budget, now);
    const nodes = active === false ? Infinity : scaledUp(budget.nodes, nodeCount);
    if (active === undefined || nodes === undefined) return 0;
    if (budget.reasons === undefined || budget.reasons.includes(reason)) allowed = Math.min(allowed, nodes);
  }
  return allowed;
}

/** Whether the budget holds now; undefined where Karpenter cannot read its schedule. One that never hits is always active. */
export function isActive({ schedule, duration }: Budget, now: Instant): boolean | undefined {
  if (schedule === undefined && duration === undefined) return true;
  const parsed = CronSchedule.tryParse(schedule ?? '');
  if (!parsed) return undefined;
  const hit = parsed.nextAfter(now - (duration ?? 0));
  return hit === undefined || hit <= now;
}

/** Hours that begin before others end are followed so many times: some budgets have theirs all the time. */
const MOST_RENEWALS = 100;

/** When the hours that a budget has now, or has next, are over, or at least when to ask again; infinite where it has none. */
export function nextEnd(budget: Budget, now: Instant): Instant {
  const { schedule = '', duration = 0 } = budget;
  const parsed = CronSchedule.tryParse(schedule);
  let end = now;
  for (let renewals = 0; renewals < MOST_RENEWALS && (renewals === 0 || isActive(budget, end)); renewals++) {
    const hit = parsed?.nextAfter(end - duration);
    if (hit === undefined) return Infinity;
    end = hit + duration;
  }
  return end;
}

/** Budgets that follow each other without a gap are followed so far, and each that follows itself. */
const MOST_ENDS = 100;
const MOST_OF_ITSELF = 10;

/**
 * From when on budgets allow more nodes than go or are not ready by then; infinite where they never do.
 *
 * @param counted the nodes that there are, and those of them that count as disrupted
 */
export function opening(budgets: readonly Budget[], { nodes, disrupted }: CountedNodes, reason: DisruptionReason, now: Instant): Instant {
  let at = now;
  for (let ends = 0; ends < MOST_ENDS && at < Infinity; ends++) {
    const closed = budgets.filter((budget) => allowedDisruptions([budget], nodes, reason, at) <= disrupted);
    if (closed.length === 0) return at;
    at = Math.max(...closed.map((budget) => endOfHours(budget, at)));
  }
  return Infinity;
}

/** Of a budget that holds now; infinite where that has no end. */
function endOfHours(budget: Budget, now: Instant): Instant {
  const known = ENDS.get(budget);
  if (known && known.from <= now && now < known.end) return known.end;
  let end = nextEnd(budget, now);
  for (let renewals = 0; end < Infinity && isActive(budget, end) !== false; renewals++) {
    end = renewals < MOST_OF_ITSELF ? nextEnd(budget, end) : Infinity;
  }
  ENDS.set(budget, { from: now, end });
  return end;
}

/** The last that was worked out of each. */
const ENDS = new WeakMap<Budget, { readonly from: Instant; readonly end: Instant }>();

/** A count, or a percentage of the whole rounded up; undefined for any other text. */
export function scaledUp(value: string | number, whole: number): number | undefined {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(String(value)) ?? [];
  if (digits === undefined) return undefined;
  return percent === '' ? Number(digits) : Math.ceil(Number(digits) * whole / 100);
}

/**
 * Per NodePool the nodes that may still be disrupted: of those allowed, the ones that are not ready or go already are taken off.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/helpers.go
 */
export function remainingDisruptions({ nodes, pools }: Pick<Cluster, 'nodes' | 'pools'>, reason: DisruptionReason, now: Instant): Map<string, number> {
  const counted = poolCounts({ nodes, pools });
  return new Map([...pools].map(([name, { budgets }]) => {
    const { nodes: all = 0, deleting = 0, unready = 0 } = counted.get(name) ?? {};
    // What is not ready is what repair is for.
    const disrupted = deleting + (reason === 'Unhealthy' ? 0 : unready);
    return [name, Math.max(0, allowedDisruptions(budgets, all, reason, now) - disrupted)];
  }));
}

export interface CountedNodes {
  readonly nodes: number;
  readonly disrupted: number;
}

/** Nodes of a NodePool by which its budgets go: how many there are, and those that count as disrupted. */
export function countedNodes({ nodes }: Pick<Cluster, 'nodes'>, pool: string, reason: DisruptionReason): CountedNodes & { readonly those: readonly ClusterNode[] } {
  const own = nodes.filter((node) => counts(node) && node.labels[Label.NODE_POOL] === pool);
  const those = own.filter((node) => isDisrupted(node, reason));
  return { nodes: own.length, disrupted: those.length, those };
}

/** What is not ready is what repair is for. */
function isDisrupted({ deleting, ready }: ClusterNode, reason: DisruptionReason): boolean {
  return deleting === true || (ready === false && reason !== 'Unhealthy');
}
