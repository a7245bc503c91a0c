/**
 * Which kubelet settings an AMI family hands on. Karpenter marks a class with any other not ready.
 *
 * Source: validateKubeletFieldsSupported in pkg/controllers/nodeclass/validation.go of Karpenter for AWS 1.15.1.
 */
import { FieldPath, FieldProblem } from './field-problem';
import { MANAGED_KUBELET_FIELDS } from './kubelet-rule';
import { asRecord, withConsequence } from './value-rule';

/** Families that hand the whole map on, or leave it to the user data. */
const FAMILIES_WITHOUT_LIMITS: readonly string[] = ['AL2023', 'Custom'];

/** @param family undefined where it is not known */
export function checkKubeletOfFamily(path: FieldPath, raw: unknown, family: string | undefined): FieldProblem[] {
  const kubelet = asRecord(raw);
  if (!kubelet || family === undefined || FAMILIES_WITHOUT_LIMITS.includes(family)) return [];
  const dropped = Object.keys(kubelet).filter((field) => (kubelet[field] ?? undefined) !== undefined && !isHonoured(field, family));
  return [
    ...dropped.map((field) => notReady([...path, field], `must be absent with the AMI family ${family}, which does not hand it to the kubelet`,
      kubelet[field], 'remove it, or use AL2023')),
    ...(Array.isArray(kubelet.clusterDNS) && kubelet.clusterDNS.length > 1 ?
      [notReady([...path, 'clusterDNS'], `must hold one address with the AMI family ${family}`, kubelet.clusterDNS, 'keep one of them')] : []),
  ];
}

function isHonoured(field: string, family: string): boolean {
  return MANAGED_KUBELET_FIELDS.includes(field) && !(field === 'podsPerCore' && family === 'Bottlerocket');
}

function notReady(path: FieldPath, problem: string, got: unknown, remedy: string): FieldProblem {
  return withConsequence('not-ready', path, problem, got, remedy);
}
