import { memoizeByIdentity, Requirements, untolerated, WELL_KNOWN_LABELS } from '../../model';
import { DaemonSetSpec, SchedulingSettings } from '../input/schedule-input';
import { unmetMinValues } from '../launch/min-values';
import { PoolTemplate } from '../launch/pool-template';
import { compatibleTypes, typesWithoutPods } from '../launch/type-filter';
import { daemonVariants, TOLERATE_PREFERENCES } from '../pods/relaxation';

/**
 * The daemonsets as Karpenter has relaxed them before it considers existing nodes.
 *
 * Karpenter first checks which daemonsets run on each type of each pool, and keeps the relaxation of that check. If a
 * type does not meet a term of ORed node affinity, Karpenter drops the term and continues with the next one; the last
 * term always stays.
 *
 * @param templates in the order in which Karpenter tries them
 */
export function relaxDaemonSets(
  daemonSets: readonly DaemonSetSpec[],
  templates: readonly PoolTemplate[],
  settings: SchedulingSettings,
): DaemonSetSpec[] {
  // Karpenter does not check daemonsets against a pool without instance types.
  if (daemonSets.length === 0 || !templates.some((template) => launchableTypes(template, settings).length > 0))
    return [...daemonSets];
  const hasSeveralTerms = daemonSets.some(({ shape }) => shape.requiredNodeAffinity.length > 1);
  const pools = hasSeveralTerms
    ? templates.map((template) => ({ template, types: launchableTypes(template, settings) }))
    : [];
  return daemonSets.map((daemonSet) => relaxedVariants(daemonSet)[droppedTerms(daemonSet, pools)]);
}

/**
 * By number of dropped terms. Memoized, because node overheads are memoized by the identity of the relaxed daemonset.
 */
const relaxedVariants = memoizeByIdentity((daemonSet: DaemonSetSpec): readonly DaemonSetSpec[] => {
  const { shape } = daemonSet;
  const tolerations = [...shape.tolerations, TOLERATE_PREFERENCES];
  return Array.from(
    { length: Math.max(1, shape.requiredNodeAffinity.length) },
    (_, dropped): DaemonSetSpec => ({
      ...daemonSet,
      shape: { ...shape, requiredNodeAffinity: shape.requiredNodeAffinity.slice(dropped), tolerations },
    }),
  );
});

interface LaunchablePool {
  readonly template: PoolTemplate;
  /** In catalog order, which is assumed to be Karpenter's order. */
  readonly types: readonly number[];
}

function droppedTerms(daemonSet: DaemonSetSpec, pools: readonly LaunchablePool[]): number {
  const variants = daemonVariants(daemonSet);
  let term = 0;
  for (const { template, types } of pools) {
    if (untolerated(template.pool.taints, variants[0].tolerations).length > 0) continue;
    const tests = variants.map(({ requirements }) => typeTest(template, requirements));
    for (const type of types) {
      while (term + 1 < variants.length && !tests[term](type)) term += 1;
    }
  }
  return term;
}

function typeTest({ table, requirements: own }: PoolTemplate, requirements: Requirements): (type: number) => boolean {
  if (!own.isCompatible(requirements, WELL_KNOWN_LABELS)) return () => false;
  const compatible = compatibleTypes(table, requirements);
  return (type) => compatible[type];
}

function launchableTypes(template: PoolTemplate, { minValuesPolicy }: SchedulingSettings): readonly number[] {
  const { bestEffort, strict } = launchableByPolicy(template);
  return minValuesPolicy === 'BestEffort' ? bestEffort : strict;
}

interface TypesByPolicy {
  readonly bestEffort: readonly number[];
  /** Empty if the types do not meet the pool's minValues. */
  readonly strict: readonly number[];
}

const launchableByPolicy = memoizeByIdentity((template: PoolTemplate): TypesByPolicy => {
  const { table, requirements } = template;
  const types = table.names.map((_, type) => type).filter(typesWithoutPods(table, requirements));
  const isUnmet = unmetMinValues(template, types, (key, value) => requirements.get(key).has(value)).length > 0;
  return { bestEffort: types, strict: isUnmet ? [] : types };
});
