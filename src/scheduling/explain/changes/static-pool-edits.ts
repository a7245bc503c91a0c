import { Edit, Effort, poolEdit } from './edit';
import { NODE_COUNTS } from './pool-edits';
import { RefusedGroup } from './refused-group';
import { Label, Requirements, WELL_KNOWN_LABELS } from '../../../model';
import { isStatic } from '../../input/schedule-input';
import { NODES } from '../../launch/pool-template';

/**
 * Raises the replicas of a static pool, which launches no nodes for pods. A pod may wait for a static pool only if no
 * dynamic pool has the labels that it selects.
 */
export function replicaEdits({ attempts, left, staticPools }: RefusedGroup): Edit[] {
  const [first] = attempts;
  if (first === undefined) return [];
  const wanted = first.variant.requirements;
  const mayUse = (requirements: Requirements) => requirements.isCompatible(wanted, WELL_KNOWN_LABELS);
  if (attempts.some(({ template }) => !isStatic(template.pool) && mayUse(template.requirements))) return [];
  return staticPools
    .filter(({ name, labels, requirements }) => {
      const own = Requirements.fromLabels({ ...labels, [Label.NODE_POOL]: name });
      own.add(...Requirements.from(requirements).values());
      return mayUse(own);
    })
    .flatMap((pool) =>
      [...NODE_COUNTS.filter((nodes) => nodes < left), left].map((nodes) => {
        const { name, replicas = 0, limits } = pool;
        const raised = replicas + nodes;
        const limit = limits.get(NODES);
        const isOverLimit = limit !== undefined && limit < BigInt(raised);
        return poolEdit(
          name,
          Effort.HIGHER_LIMIT,
          `raise replicas of NodePool ${name} from ${replicas} to ${raised}${
            isOverLimit ? `, and limits.nodes to ${raised + 1}` : ''
          }`,
          (spec) => ({
            ...spec,
            replicas: raised,
            limits: isOverLimit ? new Map([...spec.limits, [NODES, BigInt(raised + 1)]]) : spec.limits,
          }),
        );
      }),
    );
}
