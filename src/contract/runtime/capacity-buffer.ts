/**
 * Sources: resolveAndUpdateStatus in pkg/controllers/capacitybuffer/controller.go, and ResolveScalableRef in
 * pkg/utils/apps, both of sigs.k8s.io/karpenter v1.15.0.
 */
import { FieldProblem } from '../field-problem';
import { asRecord } from '../value-rule';
import { notReady } from './not-ready';

/** Kinds of the group that Karpenter can read a pod and a number of replicas from. */
const SCALABLE_KINDS: readonly string[] = ['Deployment', 'StatefulSet', 'ReplicaSet'];
export const SCALABLE_GROUP = 'apps';

/** The API server refuses both references at once, and takes none. */
export function checkCapacityBuffer({ podTemplateRef, scalableRef }: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (podTemplateRef !== undefined) return [];
  if (scalableRef === undefined) {
    return [notReady(['spec', 'scalableRef'], 'must be set, or else podTemplateRef', undefined, 'write { kind: Deployment, name }')];
  }
  const { apiGroup, kind } = asRecord(scalableRef) ?? {};
  const isForeign = typeof apiGroup === 'string' && apiGroup !== '' && apiGroup !== SCALABLE_GROUP;
  return [
    ...(isForeign ? [notReady(['spec', 'scalableRef', 'apiGroup'], `must be ${SCALABLE_GROUP}`, apiGroup, `write ${SCALABLE_GROUP}, without a version`)] : []),
    ...(typeof kind === 'string' && !SCALABLE_KINDS.includes(kind) ?
      [notReady(['spec', 'scalableRef', 'kind'], `must be one of ${SCALABLE_KINDS.join(', ')}`, kind, 'use podTemplateRef for other pods')] : []),
  ];
}
