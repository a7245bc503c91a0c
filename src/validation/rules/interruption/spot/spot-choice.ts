import { Label, memoizeByIdentity, merge, Requirement, Requirements, ResourceList } from '../../../../model';
import { matchingTypes, PodShape } from '../../../../scheduling';
import { amountsByRow, amountsFitOnType } from '../../../instance-types/node-fit';
import { commonRequirements, blockingTaint } from '../../common/pod-constraints';
import { Pool, PoolLaunch } from '../../common/pool';

/** The instance types and zones that EC2 may choose from for a spot launch. */
export interface SpotChoice {
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
}

const SPOT = Requirement.from({ key: Label.CAPACITY_TYPE, operator: 'In', values: ['spot'] });
const ONE_POD: ResourceList = new Map([['pods', 1n]]);

/** The spot choice of the NodePool, without the constraints of pods. */
export function spotChoiceOf({ launch, requirements }: Pool): SpotChoice {
  return launch && requirements
    ? choice(launch, spotTypes(launch, requirements), [requirements])
    : { instanceTypes: [], zones: [] };
}

/** The spot choices of NodePools for pods. Hot path: pods with the same constraints share one list of allowed types. */
export class SpotChoices {
  private readonly byConstraints = new Map<string, AllowedSpotTypes>();

  /** The types on which the pod fits on an empty node. Stops after `most` types; the largest types come first. */
  public for(shape: PodShape, pool: Pool, most: number = Infinity): SpotChoice {
    const { launch } = pool;
    if (!launch) return { instanceTypes: [], zones: [] };
    const { types, requirements } = this.allowedTypes(shape, pool, launch);
    const requests = amountsByRow(launch.table, merge(shape.requests, ONE_POD));
    const fitting: number[] = [];
    for (let position = types.length - 1; requests && position >= 0 && fitting.length < most; position--) {
      const { index, daemons } = types[position];
      if (amountsFitOnType(launch.table, index, requests, daemons)) fitting.push(index);
    }
    return choice(launch, fitting.reverse(), requirements);
  }

  private allowedTypes(shape: PodShape, pool: Pool, launch: PoolLaunch): AllowedSpotTypes {
    const key = JSON.stringify([pool.name, shape.nodeSelector, shape.requiredNodeAffinity, shape.tolerations]);
    const allowed = this.byConstraints.get(key) ?? allowedSpotTypes(shape, pool, launch);
    this.byConstraints.set(key, allowed);
    return allowed;
  }
}

/** The spot types that a pod's constraints allow, with the requests of the DaemonSet pods on each. */
interface AllowedSpotTypes {
  readonly types: ReadonlyArray<{ readonly index: number; readonly daemons: readonly number[] }>;
  readonly requirements: readonly Requirements[];
}

function allowedSpotTypes(shape: PodShape, pool: Pool, launch: PoolLaunch): AllowedSpotTypes {
  const requirements = blockingTaint(shape, pool.spec!.taints) === undefined ? commonRequirements(shape, pool) : [];
  const allowed = new Set(requirements.flatMap((alternative) => spotTypes(launch, alternative)));
  const amountsOf = memoizeByIdentity((list: ResourceList) => amountsByRow(launch.table, list));
  const types = launch.indices.flatMap((index, position) => {
    const daemons = allowed.has(index) ? amountsOf(launch.view.daemonOverhead[position]) : undefined;
    return daemons ? [{ index, daemons }] : [];
  });
  return { types, requirements };
}

function spotTypes({ table, indices }: PoolLaunch, requirements: Requirements): number[] {
  const onSpot = requirements.copy();
  onSpot.add(SPOT);
  return matchingTypes(table, onSpot, indices);
}

function choice({ table }: PoolLaunch, types: readonly number[], requirements: readonly Requirements[]): SpotChoice {
  const offerings = table.offerings.filter(
    ({ zone, capacityType, usdPerHour }) =>
      capacityType === 'spot' &&
      requirements.some((alternative) => alternative.get(Label.ZONE).has(zone)) &&
      types.some((type) => !Number.isNaN(usdPerHour[type])),
  );
  return {
    instanceTypes: types.map((type) => table.names[type]),
    zones: [...new Set(offerings.map(({ zone }) => zone))].sort(),
  };
}
