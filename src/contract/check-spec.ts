import { FieldProblem } from './field-problem';
import { judgeObject } from './judge-object';
import { KarpenterKind, KIND_APIS } from './karpenter-api';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Every problem of a spec, as written in its manifest; an empty list if the API accepts it and it has the written
 * effect. Fields that need a feature gate are assumed to have it enabled.
 *
 * @param metadata with its problems, too; a name that is not written is taken for a good one
 */
export function checkSpec(kind: KarpenterKind, spec: unknown, metadata: Fields = {}): FieldProblem[] {
  const { apiVersion } = KIND_APIS[kind];
  const object = { apiVersion, kind, metadata: { ...metadata, name: metadata.name ?? 'checked' }, ...(spec === undefined ? {} : { spec }) };
  return judgeObject(object, { featureGates: { NodeClassCEL: true, DRANVIDIAGPU: true } })!;
}

export const checkNodePoolSpec = (spec: unknown, metadata?: Fields): FieldProblem[] => checkSpec('NodePool', spec, metadata);
export const checkEc2NodeClassSpec = (spec: unknown, metadata?: Fields): FieldProblem[] => checkSpec('EC2NodeClass', spec, metadata);
export const checkNodeOverlaySpec = (spec: unknown, metadata?: Fields): FieldProblem[] => checkSpec('NodeOverlay', spec, metadata);
export const checkCapacityBufferSpec = (spec: unknown, metadata?: Fields): FieldProblem[] => checkSpec('CapacityBuffer', spec, metadata);

/** What is wrong with a key as a label of nodes, or in a requirement on one. */
export function checkNodePoolLabelKey(key: string): FieldProblem[] {
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'checked' };
  return checkNodePoolSpec({ template: { spec: { nodeClassRef, requirements: [{ key, operator: 'Exists' }] } } });
}
