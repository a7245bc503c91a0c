import { amiFamilyTraits } from '../../catalog';
import { memoizeByIdentity } from '../../model';
import { ScheduleInput } from '../input/schedule-input';

/** The names of the NodePools whose nodes run Windows. EC2 charges a licence for them that Karpenter does not count. */
export const windowsPools = memoizeByIdentity(
  ({ nodePools, nodeClasses }: Pick<ScheduleInput, 'nodePools' | 'nodeClasses'>): ReadonlySet<string> =>
    new Set(
      nodePools
        .filter(
          ({ nodeClass }) => amiFamilyTraits(nodeClasses.get(nodeClass)?.amiFamily ?? '').windowsBuild !== undefined,
        )
        .map(({ name }) => name),
    ),
);
