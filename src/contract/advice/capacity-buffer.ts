/** Source: computeReplicas in pkg/controllers/capacitybuffer/controller.go of sigs.k8s.io/karpenter v1.15.0. */
import { FieldProblem } from '../field-problem';
import { misread } from './misread';
import { adviseOnQuantities } from './quantities';

/** How many pods the buffer is for: nothing says it by default. */
export function adviseOnCapacityBuffer(spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { podTemplateRef, replicas, percentage, limits } = spec;
  const isUnsized = [replicas, percentage, limits].every((value) => value === undefined);
  return [
    ...adviseOnQuantities(['spec', 'limits'], limits, 'or the buffer is empty'),
    ...(podTemplateRef !== undefined && percentage !== undefined ?
      [misread(['spec', 'percentage'], 'must be absent where podTemplateRef is set, which has no replicas', percentage, 'write replicas')] : []),
    ...(podTemplateRef === undefined && isUnsized ?
      [misread(['spec', 'replicas'], 'must be set, or else percentage or limits, or the buffer is empty', undefined, 'write how many pods to keep room for')] : []),
  ];
}
