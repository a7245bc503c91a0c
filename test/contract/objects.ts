import { formatFieldPath, validateObject, ValidationOptions } from '../../src/contract';

const NODE_CLASS_REF = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

type Fields = Readonly<Record<string, unknown>>;

/** Objects that every release with their kind accepts. `fields` replace fields of the spec. */
export const nodePool = (fields: Fields = {}, templateSpec: Fields = {}, metadata: Fields = {}) =>
  apiObject('karpenter.sh/v1', 'NodePool', {
    template: { metadata, spec: { nodeClassRef: NODE_CLASS_REF, requirements: [], ...templateSpec } },
    ...fields,
  });

export const nodeClaim = (fields: Fields = {}) =>
  apiObject('karpenter.sh/v1', 'NodeClaim', { nodeClassRef: NODE_CLASS_REF, requirements: [], ...fields });

export const nodeClass = (fields: Fields = {}) =>
  apiObject('karpenter.k8s.aws/v1', 'EC2NodeClass', {
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    role: 'KarpenterNodeRole',
    subnetSelectorTerms: [{ tags: { discovery: 'cluster' } }],
    securityGroupSelectorTerms: [{ name: 'nodes' }],
    ...fields,
  });

export const nodeOverlay = (fields: Fields = {}) =>
  apiObject('karpenter.sh/v1alpha1', 'NodeOverlay', { requirements: [], ...fields });

export const capacityBuffer = (fields: Fields = {}) =>
  apiObject('autoscaling.x-k8s.io/v1beta1', 'CapacityBuffer', {
    scalableRef: { kind: 'Deployment', name: 'web' },
    replicas: 1,
    ...fields,
  });

export function apiObject(apiVersion: string, kind: string, spec: unknown): Fields & { readonly metadata: Fields } {
  return { apiVersion, kind, metadata: { name: 'default' }, spec };
}

/** `<consequence> <path>` of every problem. */
export function problemsOf(raw: unknown, options?: ValidationOptions): string[] | undefined {
  return validateObject(raw, options)?.map(({ consequence, path }) => `${consequence} ${formatFieldPath(path)}`);
}
