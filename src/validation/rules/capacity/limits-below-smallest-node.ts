import { formatAmount, ResourceList } from '../../../model';
import { capacityOf } from '../common/node-fit';
import { Pool, PoolLaunch, poolsOf } from '../common/pool';
import { amountsEvidence, describeAmounts, joinNames } from '../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** @see https://karpenter.sh/docs/concepts/nodepools/#speclimits */
export class LimitsBelowSmallestNode implements Rule {
  public readonly id = 'KARP-310';
  public readonly name = 'limits-below-smallest-node';
  public readonly severity = 'error';
  public readonly summary = 'The limits of a NodePool are below its smallest allowed instance type, so the NodePool launches no nodes.';

  public check(context: RuleContext): Outcome[] {
    return poolsOf(context).flatMap((pool) => {
      if (pool.spec === undefined || pool.launch === undefined) {
        return pool.object.raw?.spec?.limits === undefined ? [] : [notEvaluated(pool.object, pool.why)];
      }
      if (pool.spec.limits.size === 0 || pool.launch.indices.length === 0) {
        return [];
      }
      return [this.checkPool(pool, pool.spec.limits, pool.launch)];
    });
  }

  private checkPool(pool: Pool, limits: ResourceList, { table, indices, view }: PoolLaunch): Outcome {
    const sizes = indices.map((index, position) => ({ name: view.instanceTypes[position], capacity: capacityOf(table, index) }));
    // A limit of 0 usually disables the NodePool on purpose.
    const zero = [...limits.keys()].filter((resource) => limits.get(resource) === 0n && everySizeHas(resource, sizes));
    if (zero.length > 0) {
      return disabledFinding(pool, zero, limits);
    }
    const within = sizes.some(({ capacity }) => [...limits].every(([resource, limit]) => (capacity.get(resource) ?? 0n) <= limit));
    return within ? pass(pool.object) : tooLowFinding(pool, limits, sizes);
  }
}

interface Size {
  readonly name: string;
  readonly capacity: ResourceList;
}

function everySizeHas(resource: string, sizes: readonly Size[]): boolean {
  return resource === 'nodes' || sizes.every(({ capacity }) => (capacity.get(resource) ?? 0n) > 0n);
}

function disabledFinding(pool: Pool, zero: readonly string[], limits: ResourceList): Outcome {
  return fail({
    object: pool.object,
    path: ['spec', 'limits', zero[0]],
    message: `its limit of ${joinNames(zero)} is 0: the NodePool launches no nodes`,
    remedy: 'raise the limit, or ignore this if the NodePool is meant to be disabled',
    evidence: { limits: amountsEvidence(limits) },
    severity: 'warning',
  });
}

function tooLowFinding(pool: Pool, limits: ResourceList, sizes: readonly Size[]): Outcome {
  const oneLimitExcludesAll = [...limits].some(([resource, limit]) => sizes.every(({ capacity }) => (capacity.get(resource) ?? 0n) > limit));
  // The smallest type by all limits: a type that is small in one resource may be too large in another.
  const smallest = smallestOf(sizes, limits);
  const exceeded = [...limits.keys()].filter((resource) => (smallest.capacity.get(resource) ?? 0n) > limits.get(resource)!);
  // If no single limit excludes every type, the limits exclude them together.
  const resources = oneLimitExcludesAll ? exceeded : [...limits.keys()];
  const raised = exceeded.map((resource) => `limits.${resource} to ${formatAmount(resource, smallest.capacity.get(resource)!)} or more`);
  return fail({
    object: pool.object,
    path: ['spec', 'limits', exceeded[0]],
    message: `its limits of ${describeAmounts(resources, limits)} are below ${
      sizes.length === 1 ? 'its only allowed instance type' : `each of its ${sizes.length} allowed instance types`}: `
      + `it launches no nodes; ${sizes.length === 1 ? smallest.name : `the smallest, ${smallest.name},`} has ${describeAmounts(exceeded, smallest.capacity)}`,
    remedy: `raise ${joinNames(raised)}, or allow a smaller instance type`,
    evidence: {
      limits: amountsEvidence(limits),
      smallest: { instanceType: smallest.name, capacity: amountsEvidence(smallest.capacity) },
      instanceTypes: sizes.length,
    },
  });
}

/** The type that exceeds the limits by the smallest factor. */
function smallestOf(sizes: readonly Size[], limits: ResourceList): Size {
  const excess = ({ capacity }: Size) => Math.max(...[...limits].map(([resource, limit]) => {
    const amount = Number(capacity.get(resource) ?? 0n);
    return amount === 0 ? 0 : amount / Number(limit);
  }));
  return [...sizes].sort((left, right) => excess(left) - excess(right) || (left.name < right.name ? -1 : 1))[0];
}
