import { Label, Requirement } from '../model';
import { PodShape } from './pod-shape';

const KEY = Label.PLACEMENT_GROUP_PARTITION;

/**
 * The partition of its placement group that a node is launched into: Karpenter takes the first of the values that its claim names, and does not
 * ask whether it names them as those that it does not want. Where topology narrows the claim it names the partitions that are left.
 *
 * @param wanted what the pool and the pods ask of the partition together
 * @param offered the first partition that they would have
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/launchtemplate/launchtemplate.go EnsureAll
 */
export function launchedPartition(wanted: Requirement, pods: readonly PodShape[], offered: string | undefined): string | undefined {
  const named = [...wanted.values].sort();
  return offered === undefined || !wanted.complement || named.length === 0 || pods.some(goesByPartition) ? offered : named[0];
}

function goesByPartition({ topologySpread = [], podAffinity, podAntiAffinity }: PodShape): boolean {
  const terms = [podAffinity, podAntiAffinity].flatMap((affinity) =>
    [...affinity?.required ?? [], ...(affinity?.preferred ?? []).map(({ term }) => term)]);
  return [...topologySpread, ...terms].some(({ topologyKey }) => topologyKey === KEY);
}
