import { DisruptionDraft, DisruptionFeature } from './draft';
import { Json, poolTemplate, somePools } from '../schedule-scenario/draft';

/** Most clusters consolidate immediately and without a budget limit: otherwise few scenarios would have a command. */
export function disruptionOf({ dice }: Pick<DisruptionDraft, 'dice'>): Json {
  return {
    consolidationPolicy: dice.pick([
      'WhenEmptyOrUnderutilized',
      'WhenEmptyOrUnderutilized',
      'WhenEmptyOrUnderutilized',
      'Balanced',
    ]),
    consolidateAfter: dice.pick(['0s', '0s', '30s', '5m']),
    budgets: dice.pick<Json[]>([
      [{ nodes: '100%' }],
      [{ nodes: '100%' }],
      [{ nodes: '50%' }],
      [{ nodes: '10%' }],
      [{ nodes: '3' }],
    ]),
  };
}

export const policies: DisruptionFeature = {
  name: 'policies',
  apply(draft) {
    for (const pool of somePools(draft)) {
      pool.spec.disruption.consolidationPolicy = draft.dice.pick([
        'WhenEmpty',
        'WhenEmptyOrUnderutilized',
        'Balanced',
        'Balanced',
      ]);
    }
  },
};

export const consolidateAfter: DisruptionFeature = {
  name: 'consolidateAfter',
  apply(draft) {
    for (const pool of somePools(draft))
      pool.spec.disruption.consolidateAfter = draft.dice.pick(['Never', '0s', '1s', '10m', '1h', '90m', '24h']);
  },
};

export const budgets: DisruptionFeature = {
  name: 'budgets',
  apply(draft) {
    const { dice } = draft;
    for (const pool of somePools(draft))
      pool.spec.disruption.budgets = Array.from({ length: dice.between(0, 3) }, () => budget(draft));
  },
};

function budget({ dice }: DisruptionDraft): Json {
  return {
    nodes: dice.pick(['0', '1', '2', '5', '0%', '1%', '10%', '20%', '33%', '50%', '100%']),
    ...(dice.chance(0.5) ? { reasons: dice.some(['Empty', 'Drifted', 'Underutilized'], dice.between(1, 2)) } : {}),
    ...(dice.chance(0.4)
      ? {
          schedule: dice.pick([
            '@daily',
            '@hourly',
            '0 9 * * mon-fri',
            '0 22 * * *',
            '*/15 * * * *',
            '0 0 1 * *',
            '30 8-17 * * 1-5',
            '0 12 * * *',
          ]),
          duration: dice.pick(['10m', '1h', '8h', '24h', '1h30m']),
        }
      : {}),
  };
}

const staticPools: DisruptionFeature = {
  name: 'staticPools',
  apply(draft) {
    const { dice, settings, pools } = draft;
    settings.featureGates.StaticCapacity = true;
    for (const pool of dice.some(pools, Math.max(1, Math.floor(pools.length / 2)))) {
      pool.spec.replicas = dice.between(1, 8);
      delete pool.spec.weight;
      delete pool.spec.limits;
      if (dice.chance(0.4)) pool.spec.limits = { nodes: String(dice.between(1, 10)) };
    }
  },
};

const terminationGracePeriods: DisruptionFeature = {
  name: 'terminationGracePeriods',
  apply(draft) {
    for (const pool of somePools(draft))
      poolTemplate(pool).spec.terminationGracePeriod = draft.dice.pick(['5m', '1h', '48h']);
  },
};

const expiring: DisruptionFeature = {
  name: 'expiring',
  apply(draft) {
    for (const pool of somePools(draft))
      poolTemplate(pool).spec.expireAfter = draft.dice.pick(['Never', '24h', '72h', '720h']);
  },
};

const spotToSpot: DisruptionFeature = {
  name: 'spotToSpot',
  apply(draft) {
    const { dice, settings } = draft;
    settings.featureGates.SpotToSpotConsolidation = true;
    for (const pool of somePools(draft)) {
      const requirements: Json[] = poolTemplate(pool).spec.requirements.filter(
        ({ key }: Json) => key !== 'karpenter.sh/capacity-type',
      );
      requirements.push({
        key: 'karpenter.sh/capacity-type',
        operator: 'In',
        values: dice.pick([['spot'], ['spot'], ['spot', 'on-demand']]),
      });
      if (dice.chance(0.2))
        requirements.push({
          key: 'karpenter.k8s.aws/instance-family',
          operator: 'Exists',
          minValues: dice.pick([2, 5, 10, 20]),
        });
      poolTemplate(pool).spec.requirements = requirements;
    }
  },
};

/** Features that are applied before nodes exist. */
export const DISRUPTION_POOL_FEATURES: readonly DisruptionFeature[] = [
  policies,
  consolidateAfter,
  budgets,
  staticPools,
  terminationGracePeriods,
  expiring,
  spotToSpot,
];
