import { SourceFile } from '../../../../src/validation';
import { karpenterNode, nodeClaim } from '../../cluster/dump';

const LABELS = {
  'node.kubernetes.io/instance-type': 'm5.4xlarge',
  'karpenter.sh/capacity-type': 'on-demand',
  'karpenter.sh/nodepool': 'default',
  'kubernetes.io/arch': 'amd64',
  'kubernetes.io/os': 'linux',
};
const SINCE = '2026-01-05T10:00:00Z';

/** Files of a cluster with one large node, which consolidation replaces with a smaller one. */
export function clusterWithOversizedNode(): SourceFile[] {
  const amounts = { cpu: '15', memory: '57Gi', pods: '110', 'ephemeral-storage': '17Gi' };
  const metadata = { name: 'claim-1', creationTimestamp: SINCE, labels: LABELS };
  const status = { conditions: [{ type: 'Initialized', status: 'True', lastTransitionTime: SINCE }] };
  const items = [
    karpenterNode('ip-1', { labels: LABELS, amounts }),
    nodeClaim('claim-1', { of: 'ip-1', metadata, status }),
  ];
  return items.map((item, index) => ({ path: `cluster-${index}.yaml`, text: JSON.stringify(item) }));
}
