import { asRecord } from '../contract';
import { ManifestModel, ManifestObject } from './manifest';

/** Of these it is known which make pods. */
const KNOWN = ['v1', 'apps/v1', 'batch/v1'];
/** What these groups hold of pods are patterns and schemas, not pods. */
const PATTERNS = /^(kyverno\.io|policies\.kyverno\.io|apiextensions\.k8s\.io|templates\.gatekeeper\.sh)\//;
const TEMPLATE = /[tT]emplate$/;
const DEEPEST = 8;

/** Objects of other kinds that hold templates of pods, such as a Rollout or a RayCluster: which pods they make, only their controller knows. */
export function podMakers({ objects }: ManifestModel): ManifestObject[] {
  return objects.filter(({ apiVersion, raw }) => !KNOWN.includes(apiVersion) && !PATTERNS.test(apiVersion) && holdsTemplate(raw.spec, DEEPEST));
}

function holdsTemplate(value: unknown, depth: number): boolean {
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.some((item) => holdsTemplate(item, depth - 1));
  return Object.entries(asRecord(value) ?? {})
    .some(([key, inner]) => (TEMPLATE.test(key) && isPodTemplate(inner)) || holdsTemplate(inner, depth - 1));
}

function isPodTemplate(value: unknown): boolean {
  return Array.isArray(asRecord(asRecord(value)?.spec)?.containers);
}
