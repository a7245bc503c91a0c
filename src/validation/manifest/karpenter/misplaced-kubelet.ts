import { kubeletOf } from './node-class';
import { checkKubelet } from '../../../contract';
import { NodeClassManifest, NodePoolManifest } from '../model';

interface Karpenter {
  readonly nodePools: readonly NodePoolManifest[];
  readonly nodeClasses: readonly NodeClassManifest[];
}

/**
 * Treats settings of the kubelet in NodePools as if they were in the EC2NodeClass, where they belong since v1, so that
 * the rest can be judged. NodePools whose settings the class cannot have are not evaluated: the class is not in the
 * input or has settings of its own, or another NodePool of the class has none or others.
 */
export function withMovedKubelets({ nodePools, nodeClasses }: Karpenter): Karpenter {
  if (nodePools.every(({ misplacedKubelet }) => misplacedKubelet === undefined)) return { nodePools, nodeClasses };
  const moved = new Map<string, string>();
  const classes = nodeClasses.map((nodeClass): NodeClassManifest => {
    const { object, facts } = nodeClass;
    const settings = facts && commonSettings(nodePools.filter(({ spec }) => spec?.nodeClass === object.name));
    const isFree = object.raw.spec?.kubelet === undefined;
    if (!facts || !settings || !isFree || checkKubelet([], settings, facts.amiFamily, false).length > 0)
      return nodeClass;
    moved.set(object.name, JSON.stringify(settings));
    return { ...nodeClass, facts: { ...facts, kubelet: kubeletOf(settings) } };
  });
  const isPlaced = ({ spec, misplacedKubelet }: NodePoolManifest) =>
    misplacedKubelet === undefined || moved.get(spec?.nodeClass ?? '') === JSON.stringify(misplacedKubelet);
  return {
    nodeClasses: classes,
    nodePools: nodePools.map((pool) => (isPlaced(pool) ? pool : { ...pool, spec: undefined })),
  };
}

/** The settings that most of the NodePools have; none if one of them has no settings. */
function commonSettings(pools: readonly NodePoolManifest[]): NodePoolManifest['misplacedKubelet'] {
  const counts = new Map<string, number>();
  for (const { misplacedKubelet } of pools) {
    if (misplacedKubelet === undefined) return undefined;
    const key = JSON.stringify(misplacedKubelet);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return pools.find(({ misplacedKubelet }) => counts.get(JSON.stringify(misplacedKubelet)) === most)?.misplacedKubelet;
}
