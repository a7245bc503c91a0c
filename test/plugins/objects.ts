/** Objects for tests: a NodePool with one instance type, its EC2NodeClass, and a Deployment with two pods. */
export const NODE_CLASS = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {
    role: 'node',
    amiSelectorTerms: [{ alias: 'al2023@v20250915' }],
    subnetSelectorTerms: [{ tags: { a: 'b' } }],
    securityGroupSelectorTerms: [{ tags: { a: 'b' } }],
  },
};

export function nodePool(capacityTypes: readonly string[] = ['on-demand']) {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: {
      limits: { cpu: 100 },
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [
            { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] },
            ...(capacityTypes.length > 0
              ? [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: capacityTypes }]
              : []),
          ],
        },
      },
    },
  };
}

export function deployment(cpu: string) {
  const labels = { app: 'web' };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'web', image: 'web', resources: { requests: { cpu, memory: '1Gi' } } }] },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  };
}
