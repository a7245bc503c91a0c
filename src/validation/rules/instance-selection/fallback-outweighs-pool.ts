import { sharedPods } from './equal-weight-overlap';
import { removeField, setField, unsafeFix } from '../../../contract';
import { countText, shortListText } from '../../../model';
import { isStatic } from '../../../scheduling';
import { poolsOf } from '../common/pool';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { LaunchingPool, launchingPools } from '../subjects';

/** Names of NodePools that are meant to launch nodes only if others cannot. */
const FALLBACK_NAME = /fall-?back|overflow|last-?resort|secondary|second-choice/i;
const FIRST_NAME = /(?:^|-)(?:first|primary|preferred)(?:-|$)/i;
/** Workloads that are named in the message. */
const MOST_NAMED = 3;

/**
 * Karpenter tries the NodePool with the highest weight first.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/#specweight
 */
export const fallbackOutweighsPool = defineRule({
  id: 'KARP-263',
  name: 'fallback-outweighs-pool',
  severity: 'warning',
  summary: 'A NodePool that is a fallback by its name has a higher weight than the NodePool that is meant first.',
  subjects: launchingPools({ where: ({ spec }) => spec !== undefined && !isStatic(spec) }),
  judge(pool, context) {
    const outweighed = poolsOf(context).filter(
      (other): other is LaunchingPool =>
        other.spec !== undefined &&
        other.launch !== undefined &&
        !isStatic(other.spec) &&
        other.spec.weight < pool.spec.weight &&
        isMeantFirst(other.name, pool.name),
    );
    if (outweighed.length === 0) return NOT_APPLICABLE;
    for (const other of outweighed) {
      const shared = context.model.workloads.flatMap((workload) => sharedPods(context, workload, pool, other));
      if (shared.length > 0) return finding(pool, other, shared);
    }
    return undefined;
  },
});

/** Whether the names say that the first NodePool comes before the second. */
function isMeantFirst(first: string, second: string): boolean {
  if (FALLBACK_NAME.test(first) || FIRST_NAME.test(second)) return false;
  return FALLBACK_NAME.test(second) || FIRST_NAME.test(first);
}

function finding(pool: LaunchingPool, other: LaunchingPool, shared: ReturnType<typeof sharedPods>): SubjectFinding {
  const pods = shared.reduce((sum, { count }) => sum + count, 0);
  const names = shared.map(({ workload }) => `${workload.kind} ${workload.name}`);
  const [weight, lower] = [pool.spec.weight, other.spec.weight];
  const here = lower === 0 ? 'remove the weight here' : `write weight: ${lower} here`;
  return {
    path: ['spec', 'weight'],
    message:
      `has weight ${weight}, above the ${lower} of NodePool ${other.name}, which the names put first: ` +
      `${countText(pods, 'pod')} of ${shortListText(names, MOST_NAMED)} would run there too, but Karpenter launches nodes of ${pool.name} for ${pods === 1 ? 'it' : 'them'}`,
    remedy: `${here} and weight: ${weight} in NodePool ${other.name}: Karpenter tries the highest weight first`,
    evidence: { weight, other: other.name, otherWeight: lower, pods, workloads: shared.length },
    fix: unsafeFix(lower === 0 ? removeField(['spec', 'weight']) : setField(['spec', 'weight'], lower)),
    also: [{ object: other.object, fix: unsafeFix(setField(['spec', 'weight'], weight)) }],
  };
}
