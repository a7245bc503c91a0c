import { Label } from '../../model';
import { fail, notEvaluated, pass } from './private/outcome';
import { Pool, PoolLaunch, poolsOf } from './private/pool';
import { Outcome, Rule, RuleContext } from './rule';

/** A step of the elimination that is no requirement. */
const AVAILABLE = 'an available offering';
const MIN_VALUES = /^minValues (\d+) of (\S+), which has (\d+)$/;
const REQUIREMENTS_PATH = ['spec', 'template', 'spec', 'requirements'];

/** @see https://karpenter.sh/docs/troubleshooting/ */
export class NodePoolMatchesZeroInstanceTypes implements Rule {
  public readonly id = 'KARP-201';
  public readonly name = 'nodepool-matches-zero-instance-types';
  public readonly severity = 'error';
  public readonly summary = 'No EC2 instance type meets all requirements of a NodePool, so that it can launch nothing.';

  public check(context: RuleContext): Outcome[] {
    return poolsOf(context).map((pool) => {
      if (pool.launch === undefined) {
        return notEvaluated(pool.object, pool.why);
      }
      if (pool.launch.view.instanceTypes.length > 0) {
        return pass(pool.object);
      }
      const assumed = placeAssumed(context, pool);
      return assumed === undefined ? this.finding(pool, pool.launch) : notEvaluated(pool.object, assumed);
    });
  }

  private finding(pool: Pool, { view, table }: PoolLaunch): Outcome {
    const emptied = view.elimination.findIndex(({ left }) => left === 0);
    // The first step is the catalogue as a whole; those that drop nothing explain nothing.
    const steps = view.elimination.slice(0, emptied < 0 ? undefined : emptied + 1)
      .filter(({ left }, index, all) => index > 0 && left < all[index - 1].left);
    const culprit = view.elimination[emptied];
    const before = emptied > 0 ? view.elimination[emptied - 1].left : table.names.length;
    const chain = steps.map(({ constraint, left }) => `${constraint} leaves ${left}`).join(', ');
    return fail({
      object: pool.object,
      path: pathOf(pool, culprit?.constraint),
      message: `matches 0 of ${table.names.length} instance types${chain === '' ? '' : ` (${chain})`}: the NodePool launches nothing`,
      remedy: culprit === undefined
        ? 'loosen the requirements until an instance type meets all of them'
        : remedyFor(culprit.constraint, before),
      evidence: { instanceTypes: table.names.length, elimination: view.elimination },
    });
  }
}

function remedyFor(constraint: string, before: number): string {
  const [, , key, values] = MIN_VALUES.exec(constraint) ?? [];
  if (key !== undefined) return `write minValues: ${values} at most for ${key}, or let the requirements leave types of more of its values`;
  return constraint === AVAILABLE
    ? 'allow other instance types, zones or capacity types: those that are left have no price there, or the EC2NodeClass does not run on them'
    : `change ${constraint}, which none of the ${before} types left before it meets, or a requirement that it contradicts`;
}

/** Why the zones that rule out every type may exist after all: the verdict only supposes where the cluster is. */
function placeAssumed({ catalog, options }: RuleContext, { requirements }: Pool): string | undefined {
  const zone = requirements!.get(Label.ZONE);
  const elsewhere = !requirements!.get(Label.REGION).has(catalog.region) || !catalog.zones.some((name) => zone.has(name));
  if (!elsewhere || options.zones !== undefined) {
    return undefined;
  }
  if (options.region === undefined) {
    return `it requires ${zone}, and the region is only supposed to be ${catalog.region}: give the region and its zones`;
  }
  const within = [...zone.values].some((name) => name.startsWith(catalog.region));
  return within ? `it requires ${zone}, and the zones are only supposed to be ${catalog.zones.join(', ')}: give the zones` : undefined;
}

/** The requirement whose key the constraint names, or all of them. */
function pathOf(pool: Pool, constraint: string | undefined): readonly (string | number)[] {
  const [, , scarce] = MIN_VALUES.exec(constraint ?? '') ?? [];
  const index = pool.spec?.requirements
    .findIndex(({ key, minValues }) => scarce === undefined ? constraint?.startsWith(`${key} `) : key === scarce && minValues !== undefined) ?? -1;
  return index < 0 ? REQUIREMENTS_PATH : [...REQUIREMENTS_PATH, index];
}
