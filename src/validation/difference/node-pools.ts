import { LaunchChoices, NamesDifference, NodePoolDifference } from './difference';
import { byCodePoint } from '../order';
import { billedPrice } from '../vocabulary/billed-price';
import { Verdict } from '../vocabulary/verdict';

const NO_CHOICES: LaunchChoices = { instanceTypes: [], zones: [], capacityTypes: [] };

/** NodePools that were added or removed, or that differ in what they can launch or in the nodes planned from them. */
export function nodePoolDifferences(before: Verdict, after: Verdict): NodePoolDifference[] {
  const [oldPools, newPools] = [before, after].map(
    ({ nodePools }) => new Map(nodePools.map((pool) => [pool.name, pool])),
  );
  const [oldLaunches, newLaunches] = [launchesByPool(before), launchesByPool(after)];
  return [...new Set([...oldPools.keys(), ...newPools.keys()])].sort(byCodePoint).flatMap((name) => {
    const [oldPool, newPool] = [oldPools.get(name), newPools.get(name)];
    const [oldLaunch, newLaunch] = [oldLaunches.get(name) ?? NO_LAUNCHES, newLaunches.get(name) ?? NO_LAUNCHES];
    const difference = (key: keyof LaunchChoices) =>
      namesDifference((oldPool ?? NO_CHOICES)[key], (newPool ?? NO_CHOICES)[key]);
    const names = {
      instanceTypes: difference('instanceTypes'),
      zones: difference('zones'),
      capacityTypes: difference('capacityTypes'),
    };
    const isSame =
      oldLaunch.nodes === newLaunch.nodes &&
      oldLaunch.usdPerHour === newLaunch.usdPerHour &&
      Object.values(names).every(({ added, removed }) => added.length + removed.length === 0);
    if (oldPool && newPool && isSame) return [];
    return [
      {
        name,
        change: !oldPool ? 'added' : !newPool ? 'removed' : 'changed',
        ...names,
        nodes: { before: oldLaunch.nodes, after: newLaunch.nodes },
        usdPerHour: { before: oldLaunch.usdPerHour, after: newLaunch.usdPerHour },
      },
    ];
  });
}

/** The planned nodes of one NodePool. */
interface Launches {
  readonly nodes: number;
  readonly usdPerHour: number;
}

const NO_LAUNCHES: Launches = { nodes: 0, usdPerHour: 0 };

function launchesByPool({ nodeClaims }: Verdict): Map<string, Launches> {
  const launches = new Map<string, Launches>();
  for (const { nodePool, launch } of nodeClaims) {
    const { nodes, usdPerHour } = launches.get(nodePool) ?? NO_LAUNCHES;
    launches.set(nodePool, {
      nodes: nodes + 1,
      usdPerHour: usdPerHour + (launch ? (billedPrice(launch.cheapest) ?? 0) : 0),
    });
  }
  return new Map(
    [...launches].map(([name, { nodes, usdPerHour }]) => [name, { nodes, usdPerHour: Number(usdPerHour.toFixed(4)) }]),
  );
}

/** Both lists keep the order of their inputs. */
function namesDifference(before: readonly string[], after: readonly string[]): NamesDifference {
  const [oldNames, newNames] = [new Set(before), new Set(after)];
  return { added: after.filter((name) => !oldNames.has(name)), removed: before.filter((name) => !newNames.has(name)) };
}
