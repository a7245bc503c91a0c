import { comesTo } from '../scheduling';
import { ClusterNode, ClusterPod, Instant } from './cluster';

/** The pods that DaemonSets have on a node that has come up, or on one that was there before they were: what is there is not made again. */
export function daemonPods(node: Pick<ClusterNode, 'name' | 'labels' | 'taints' | 'pods'>, daemons: readonly ClusterPod[], startedAt: Instant): ClusterPod[] {
  const isThere = ({ namespace, owner }: ClusterPod) =>
    node.pods.some((pod) => pod.daemon && pod.namespace === namespace && pod.owner?.kind === owner?.kind && pod.owner?.name === owner?.name);
  return daemons.filter((daemon) => !isThere(daemon) && comesTo(daemon, node)).map((daemon) => ({ ...daemon, name: `${daemon.name}-${node.name}`, startedAt }));
}
