import { formatAmount, ResourceList } from '../../model';
import { capacityOf } from './private/node-fit';
import { fail, notEvaluated, pass } from './private/outcome';
import { Pool, PoolLaunch, poolsOf } from './private/pool';
import { amountsEvidence, describeAmounts, joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/nodepools/#speclimits */
export class LimitsBelowSmallestNode implements Rule {
  public readonly id = 'KARP-310';
  public readonly name = 'limits-below-smallest-node';
  public readonly severity = 'error';
  public readonly summary = 'The limits of a NodePool are below the capacity of the smallest instance type that it allows, so that it can launch nothing.';

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
    // A limit of 0 is how a NodePool is put out of use on purpose.
    const sizes = indices.map((index, position) => ({ name: view.instanceTypes[position], capacity: capacityOf(table, index) }));
    const zero = [...limits.keys()].filter((resource) => limits.get(resource) === 0n && isUsedByAll(resource, sizes));
    if (zero.length > 0) {
      return frozen(pool, zero, limits);
    }
    const within = sizes.some(({ capacity }) => [...limits].every(([resource, limit]) => (capacity.get(resource) ?? 0n) <= limit));
    return within ? pass(pool.object) : tooLow(pool, limits, sizes);
  }
}

interface Size {
  readonly name: string;
  readonly capacity: ResourceList;
}

function isUsedByAll(resource: string, sizes: readonly Size[]): boolean {
  return resource === 'nodes' || sizes.every(({ capacity }) => (capacity.get(resource) ?? 0n) > 0n);
}

function frozen(pool: Pool, zero: readonly string[], limits: ResourceList): Outcome {
  return fail({
    object: pool.object,
    path: ['spec', 'limits', zero[0]],
    message: `limits ${joinNames(zero)} to 0: the NodePool launches nothing`,
    remedy: 'raise the limit, or leave it if the NodePool is meant to be out of use',
    evidence: { limits: amountsEvidence(limits) },
    severity: 'warning',
  });
}

function tooLow(pool: Pool, limits: ResourceList, sizes: readonly Size[]): Outcome {
  const isAlone = [...limits].some(([resource, limit]) => sizes.every(({ capacity }) => (capacity.get(resource) ?? 0n) > limit));
  // Judged by all limits: a type that is small in one resource may be too large in another.
  const smallest = smallestOf(sizes, limits);
  const exceeded = [...limits.keys()].filter((resource) => (smallest.capacity.get(resource) ?? 0n) > limits.get(resource)!);
  // Where no single limit rules out every type, they do so together.
  const resources = isAlone ? exceeded : [...limits.keys()];
  const raised = exceeded.map((resource) => `limits.${resource} to ${formatAmount(resource, smallest.capacity.get(resource)!)} or more`);
  return fail({
    object: pool.object,
    path: ['spec', 'limits', exceeded[0]],
    message: `limits ${describeAmounts(resources, limits)}; each of the ${sizes.length} allowed instance types has more, `
      + `and the smallest in this, ${smallest.name}, has ${describeAmounts(exceeded, smallest.capacity)}: the NodePool launches nothing`,
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
