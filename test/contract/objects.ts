import { formatFieldPath, judgeObject, JudgeOptions } from '../../src/contract';

const NODE_CLASS_REF = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

type Fields = Readonly<Record<string, unknown>>;

/** Objects that every release accepts, as far as it has their kind; `fields` replace some of their spec's. */
export const nodePool = (fields: Fields = {}, templateSpec: Fields = {}, metadata: Fields = {}) => object('karpenter.sh/v1', 'NodePool', {
  template: { metadata, spec: { nodeClassRef: NODE_CLASS_REF, requirements: [], ...templateSpec } },
  ...fields,
});

export const nodeClaim = (fields: Fields = {}) => object('karpenter.sh/v1', 'NodeClaim', { nodeClassRef: NODE_CLASS_REF, requirements: [], ...fields });

export const nodeClass = (fields: Fields = {}) => object('karpenter.k8s.aws/v1', 'EC2NodeClass', {
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  role: 'KarpenterNodeRole',
  subnetSelectorTerms: [{ tags: { discovery: 'cluster' } }],
  securityGroupSelectorTerms: [{ name: 'nodes' }],
  ...fields,
});

export const nodeOverlay = (fields: Fields = {}) => object('karpenter.sh/v1alpha1', 'NodeOverlay', { requirements: [], ...fields });

export const capacityBuffer = (fields: Fields = {}) =>
  object('autoscaling.x-k8s.io/v1beta1', 'CapacityBuffer', { scalableRef: { kind: 'Deployment', name: 'web' }, replicas: 1, ...fields });

export function object(apiVersion: string, kind: string, spec: unknown): Fields & { readonly metadata: Fields } {
  return { apiVersion, kind, metadata: { name: 'default' }, spec };
}

/** `<consequence> <path>` of everything that is wrong. */
export function judged(raw: unknown, options?: JudgeOptions): string[] | undefined {
  return judgeObject(raw, options)?.map(({ consequence, path }) => `${consequence} ${formatFieldPath(path)}`);
}
