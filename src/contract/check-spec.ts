import { FieldProblem } from './field-problem';
import { judgeObject } from './judge-object';
import { KarpenterKind, KIND_APIS } from './karpenter-api';

/**
 * Every problem of a spec, given as in its manifest; an empty list if it is accepted, and does what it says. Whoever writes what
 * needs a feature gate is taken to have turned it on.
 */
export function checkSpec(kind: KarpenterKind, spec: unknown): FieldProblem[] {
  const object = { apiVersion: KIND_APIS[kind].apiVersion, kind, metadata: { name: 'checked' }, ...(spec === undefined ? {} : { spec }) };
  return judgeObject(object, { featureGates: { NodeClassCEL: true, DRANVIDIAGPU: true } })!;
}

export const checkNodePoolSpec = (spec: unknown): FieldProblem[] => checkSpec('NodePool', spec);
export const checkEc2NodeClassSpec = (spec: unknown): FieldProblem[] => checkSpec('EC2NodeClass', spec);
export const checkNodeOverlaySpec = (spec: unknown): FieldProblem[] => checkSpec('NodeOverlay', spec);
export const checkCapacityBufferSpec = (spec: unknown): FieldProblem[] => checkSpec('CapacityBuffer', spec);

/** What is wrong with a key as a label of nodes, or in a requirement on one. */
export function checkNodePoolLabelKey(key: string): FieldProblem[] {
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'checked' };
  return checkNodePoolSpec({ template: { spec: { nodeClassRef, requirements: [{ key, operator: 'Exists' }] } } });
}
