import { Requirements, untolerated, WELL_KNOWN_LABELS } from '../model';
import { unmetMinValues } from './min-values';
import { daemonVariants, TOLERATE_PREFERENCES } from './relaxation';
import { DaemonSetSpec, SchedulingSettings } from './schedule-input';
import { PoolTemplate } from './templates';
import { compatibleTypes, typesWithoutPods } from './type-filter';

/**
 * The daemonsets as Karpenter knows them by the time it looks at nodes. It has asked by then which of them run on each type of each
 * pool, and what it relaxed for that stays so: of ORed terms of node affinity, those before the last that some type did not meet are
 * forgotten.
 *
 * @param templates in the order in which Karpenter tries them
 */
export function relaxedByPools(
  daemonSets: readonly DaemonSetSpec[], templates: readonly PoolTemplate[], settings: SchedulingSettings,
): DaemonSetSpec[] {
  // Of pools without any type Karpenter asks nothing.
  if (daemonSets.length === 0 || !templates.some((template) => launchable(template, settings).length > 0)) return [...daemonSets];
  const hasSeveral = daemonSets.some(({ shape }) => shape.requiredNodeAffinity.length > 1);
  const pools = hasSeveral ? templates.map((template) => ({ template, types: launchable(template, settings) })) : [];
  return daemonSets.map((daemonSet) => {
    return relaxed(daemonSet, forgotten(daemonSet, pools));
  });
}

/** The same object each time, so that what is worked out with it lasts. */
function relaxed(daemonSet: DaemonSetSpec, terms: number): DaemonSetSpec {
  const known = RELAXED.get(daemonSet) ?? new Map<number, DaemonSetSpec>();
  RELAXED.set(daemonSet, known);
  const { shape } = daemonSet;
  const requiredNodeAffinity = shape.requiredNodeAffinity.slice(terms);
  const found = known.get(terms)
    ?? { ...daemonSet, shape: { ...shape, requiredNodeAffinity, tolerations: [...shape.tolerations, TOLERATE_PREFERENCES] } };
  known.set(terms, found);
  return found;
}

const RELAXED = new WeakMap<DaemonSetSpec, Map<number, DaemonSetSpec>>();

type MinValuesPolicy = SchedulingSettings['minValuesPolicy'];

interface LaunchablePool {
  readonly template: PoolTemplate;
  /** In the order of the catalogue, which stands for the order in which Karpenter happens to have them. */
  readonly types: readonly number[];
}

function forgotten(daemonSet: DaemonSetSpec, pools: readonly LaunchablePool[]): number {
  const variants = daemonVariants(daemonSet);
  let term = 0;
  for (const { template, types } of pools) {
    if (untolerated(template.pool.taints, variants[0].tolerations).length > 0) continue;
    const meets = variants.map(({ requirements }) => hosts(template, requirements));
    for (const type of types) {
      while (term + 1 < variants.length && !meets[term](type)) term += 1;
    }
  }
  return term;
}

function hosts({ table, requirements: own }: PoolTemplate, requirements: Requirements): (type: number) => boolean {
  if (!own.isCompatible(requirements, WELL_KNOWN_LABELS)) return () => false;
  const compatible = compatibleTypes(table, requirements);
  return (type) => compatible[type];
}

function launchable(template: PoolTemplate, { minValuesPolicy }: SchedulingSettings): readonly number[] {
  const known = LAUNCHABLE.get(template) ?? new Map<MinValuesPolicy, readonly number[]>();
  LAUNCHABLE.set(template, known);
  const found = known.get(minValuesPolicy) ?? launchableUnder(minValuesPolicy, template);
  known.set(minValuesPolicy, found);
  return found;
}

const LAUNCHABLE = new WeakMap<PoolTemplate, Map<MinValuesPolicy, readonly number[]>>();

function launchableUnder(minValuesPolicy: MinValuesPolicy, template: PoolTemplate): readonly number[] {
  const { table, requirements } = template;
  const types = table.names.map((_, type) => type).filter(typesWithoutPods(table, requirements));
  if (minValuesPolicy === 'BestEffort') return types;
  return unmetMinValues(template, types, (key, value) => requirements.get(key).has(value)).length > 0 ? [] : types;
}
