import { Attempt, Solved } from '../attempt';
import { isTopology } from '../launchable-types';
import { PodAffinity, PodShape, TopologySpread } from '../pod-shape';
import { TopologyGroup } from '../topology-groups';
import { domainCounts } from '../topology-text';
import { Edit, Effort, podEdit } from './edit';
import { allowEdit } from './pool-edits';

/** Constraints between pods, loosened as little as will do. */
export function topologyEdits(group: number, attempt: Attempt, solved: Solved): Edit[] {
  return blockers(attempt, solved).flatMap((topology) => {
    if (topology.inverse) return [];
    switch (topology.type) {
      case 'topology spread': return spreadEdits(group, attempt, topology, solved);
      case 'pod affinity': return [preferenceEdit(group, topology, 'podAffinity')];
      default: return [preferenceEdit(group, topology, 'podAntiAffinity')];
    }
  });
}

function blockers({ code, picks }: Attempt, { pods: { topologies } }: Solved): readonly TopologyGroup[] {
  const failed = isTopology(code) ? topologies.groups[Math.floor(code / 256) - 1] : undefined;
  return failed === undefined ? picks.map(({ group }) => group) : [failed];
}

function spreadEdits(group: number, { variant, template: { pool, requirements } }: Attempt, topology: TopologyGroup, solved: Solved): Edit[] {
  const { key, maxSkew, minDomains } = topology;
  const counts = domainCounts(solved.pods.topologies.groups.indexOf(topology), solved).filter(([domain]) => variant.strict.get(key).has(domain));
  const change = (description: string, to: Partial<TopologySpread>) => podEdit(group, Effort.LOOSER_TOPOLOGY, description,
    (shape) => ({ ...shape, topologySpread: shape.topologySpread?.map((spread) => spread.topologyKey === key ? { ...spread, ...to } : spread) }));
  const most = Math.max(0, ...counts.map(([, count]) => count)) + 1 - Math.min(Infinity, ...counts.map(([, count]) => count));
  const unreached = counts.filter(([domain]) => !requirements.get(key).has(domain)).map(([domain]) => domain);
  return [
    ...unreached.map((domain) => allowEdit(pool, key, domain)),
    ...minDomains !== undefined && counts.length > 0 && counts.length < minDomains
      ? [change(`lower minDomains of the topology spread over ${key} from ${minDomains} to ${counts.length}`, { minDomains: counts.length })] : [],
    ...most > maxSkew && Number.isFinite(most)
      ? [change(`raise maxSkew of the topology spread over ${key} from ${maxSkew} to ${most}`, { maxSkew: most })] : [],
    change(`make the topology spread over ${key} ScheduleAnyway${minDomains === undefined ? '' : ', without minDomains'}`, { whenUnsatisfiable: 'ScheduleAnyway', minDomains: undefined }),
  ];
}

/** A required term as the heaviest preference. */
function preferenceEdit(group: number, { key, type }: TopologyGroup, field: 'podAffinity' | 'podAntiAffinity'): Edit {
  return podEdit(group, Effort.LOOSER_TOPOLOGY, `prefer the ${type} over ${key} instead of requiring it`, (shape) => ({ ...shape, [field]: preferred(shape, field, key) }));
}

function preferred(shape: PodShape, field: 'podAffinity' | 'podAntiAffinity', key: string): PodAffinity | undefined {
  const affinity = shape[field];
  if (affinity === undefined) return undefined;
  const loosened = affinity.required.filter(({ topologyKey }) => topologyKey === key);
  return {
    required: affinity.required.filter((term) => !loosened.includes(term)),
    preferred: [...loosened.map((term) => ({ weight: 100, term })), ...affinity.preferred],
  };
}
