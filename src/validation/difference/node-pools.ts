import { byCodePoint } from '../order';
import { Launchable, NamesDifference, NodePoolDifference } from './difference';
import { Verdict } from '../report/verdict';

const NOTHING: Launchable = { instanceTypes: [], zones: [], capacityTypes: [] };

/** What NodePools can launch that they could not, and the other way about, and what the plans launch of them. */
export function nodePoolDifferences(before: Verdict, after: Verdict): NodePoolDifference[] {
  const [old, current] = [before, after].map(({ nodePools }) => new Map(nodePools.map((pool) => [pool.name, pool])));
  const [oldNodes, nodes] = [launchedOf(before), launchedOf(after)];
  return [...new Set([...old.keys(), ...current.keys()])].sort(byCodePoint).flatMap((name) => {
    const [was, is] = [old.get(name), current.get(name)];
    const [launched, launches] = [oldNodes.get(name) ?? NONE, nodes.get(name) ?? NONE];
    const of = (key: keyof Launchable) => namesDifference((was ?? NOTHING)[key], (is ?? NOTHING)[key]);
    const names = { instanceTypes: of('instanceTypes'), zones: of('zones'), capacityTypes: of('capacityTypes') };
    const isSame = launched.nodes === launches.nodes && launched.usdPerHour === launches.usdPerHour
      && Object.values(names).every(({ added, removed }) => added.length + removed.length === 0);
    if (was && is && isSame) return [];
    return [{
      name,
      change: !was ? 'added' : !is ? 'removed' : 'changed',
      ...names,
      nodes: { before: launched.nodes, after: launches.nodes },
      usdPerHour: { before: launched.usdPerHour, after: launches.usdPerHour },
    }];
  });
}

interface Launched {
  readonly nodes: number;
  readonly usdPerHour: number;
}

const NONE: Launched = { nodes: 0, usdPerHour: 0 };

function launchedOf({ nodeClaims }: Verdict): Map<string, Launched> {
  const found = new Map<string, Launched>();
  for (const { nodePool, launch } of nodeClaims) {
    const { nodes, usdPerHour } = found.get(nodePool) ?? NONE;
    found.set(nodePool, { nodes: nodes + 1, usdPerHour: usdPerHour + (launch?.cheapest.usdPerHour ?? 0) });
  }
  return new Map([...found].map(([name, { nodes, usdPerHour }]) => [name, { nodes, usdPerHour: Number(usdPerHour.toFixed(4)) }]));
}

/** In the order of those that they are of. */
function namesDifference(before: readonly string[], after: readonly string[]): NamesDifference {
  const [old, current] = [new Set(before), new Set(after)];
  return { added: after.filter((name) => !old.has(name)), removed: before.filter((name) => !current.has(name)) };
}
