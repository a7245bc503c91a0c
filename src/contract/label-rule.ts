/** Syntax and ownership of label keys and values. */
import { Label } from '../model';
import { Consequence, FieldPath, FieldProblem } from './field-problem';
import { rejected, withConsequence } from './value-rule';

/**
 * Keys under karpenter.k8s.aws that the API server lets a NodePool name, in labels and requirements.
 *
 * Source: the rule on labels and requirement keys in karpenter.sh_nodepools.yaml as shipped with 1.15.1. It differs from
 * the well-known labels: it lacks nitro-sandbox, and it holds ec2nodeclass, which Karpenter itself then refuses.
 */
export const AWS_LABELS_ALLOWED_IN_NODE_POOLS: ReadonlySet<string> = new Set([
  'instance-tenancy', 'capacity-reservation-type', 'capacity-reservation-id', 'capacity-reservation-interruptible', 'ec2nodeclass',
  'instance-encryption-in-transit-supported', 'instance-category', 'instance-hypervisor', 'instance-family', 'instance-generation',
  'instance-local-nvme', 'instance-size', 'instance-cpu', 'instance-cpu-manufacturer', 'instance-cpu-sustained-clock-speed-mhz',
  'instance-memory', 'instance-ebs-bandwidth', 'instance-network-bandwidth', 'instance-gpu-name', 'instance-gpu-manufacturer',
  'instance-gpu-count', 'instance-gpu-memory', 'instance-accelerator-name', 'instance-accelerator-manufacturer',
  'instance-accelerator-count', 'instance-capability-flex', 'placement-group-id', 'placement-group-partition',
].map((name) => `karpenter.k8s.aws/${name}`));

/** The same for a NodeOverlay, whose list was not grown with it. Source: karpenter.sh_nodeoverlays.yaml as shipped with 1.15.1. */
export const AWS_LABELS_ALLOWED_IN_NODE_OVERLAYS: ReadonlySet<string> = new Set(
  [...AWS_LABELS_ALLOWED_IN_NODE_POOLS].filter((key) => !/\/(instance-tenancy|capacity-reservation-|placement-group-)/.test(key)),
);

/** A NodePool's requirement keys are at most this long (253 for the domain, a slash, 63 for the name, minus one). */
export const LONGEST_LABEL_KEY = 316;
export const LONGEST_LABEL_VALUE = 63;

const LONGEST_DOMAIN = 253;
const LONGEST_NAME = 63;
const NAME = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const DOMAIN_PART = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** Whether the text is `name` or `dns.domain/name`, as Kubernetes wants label and taint keys. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/');
  const [domain, name] = slash < 0 ? [undefined, text] : [text.slice(0, slash), text.slice(slash + 1)];
  if (name.length > LONGEST_NAME || !NAME.test(name)) return false;
  return domain === undefined || (domain.length <= LONGEST_DOMAIN && domain.split('.').every((part) => DOMAIN_PART.test(part)));
}

export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= LONGEST_LABEL_VALUE && NAME.test(text));
}

/**
 * Syntax of a key, and whether a NodePool may set or require it.
 *
 * @param badSyntax what follows from a text that is no label key; the API server looks at it in some places only
 */
export function checkNodePoolLabelKey(path: FieldPath, key: unknown, badSyntax: Consequence = 'rejected'): FieldProblem[] {
  if (key === Label.NODE_POOL) {
    return [rejected(path, `must not be ${key}, which Karpenter sets itself`, key, 'remove it: every node carries the name of its pool')];
  }
  return checkLabelKey(path, key, AWS_LABELS_ALLOWED_IN_NODE_POOLS, badSyntax);
}

/** Syntax of a key, and whether a NodeOverlay may require it: unlike a NodePool, it may ask for a pool. */
export function checkNodeOverlayLabelKey(path: FieldPath, key: unknown): FieldProblem[] {
  return key === Label.NODE_POOL ? [] : checkLabelKey(path, key, AWS_LABELS_ALLOWED_IN_NODE_OVERLAYS, 'rejected');
}

function checkLabelKey(path: FieldPath, key: unknown, awsLabels: ReadonlySet<string>, badSyntax: Consequence): FieldProblem[] {
  if (typeof key === 'string' && isQualifiedName(key)) return checkOwner(path, key, awsLabels);
  const remedy = 'write <name> or <dns domain>/<name>, with letters, digits, "-", "_" and "."';
  return [withConsequence(typeof key === 'string' ? badSyntax : 'rejected', path, 'must be a label key', key, remedy)];
}

export function checkLabelValue(path: FieldPath, value: unknown, badSyntax: Consequence = 'rejected'): FieldProblem[] {
  if (typeof value !== 'string') return [rejected(path, 'must be a label value', value, 'put the value in quotes')];
  if (isLabelValue(value)) return [];
  const remedy = `use at most ${LONGEST_LABEL_VALUE} letters, digits, "-", "_" and ".", with a letter or digit at both ends`;
  return [withConsequence(badSyntax, path, 'must be a label value', value, remedy)];
}

function checkOwner(path: FieldPath, key: string, awsLabels: ReadonlySet<string>): FieldProblem[] {
  if (key === Label.HOSTNAME) {
    return [rejected(path, `must not be ${key}, which each node has for itself`, key, 'remove it')];
  }
  // The API server compares plain suffixes: notkarpenter.sh is refused as well.
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : key;
  if (domain.endsWith('karpenter.sh') && key !== Label.CAPACITY_TYPE) {
    return [rejected(path, 'must not be in a domain that ends in karpenter.sh', key, 'use a domain of your own, or karpenter.sh/capacity-type')];
  }
  if (domain.endsWith('karpenter.k8s.aws') && !awsLabels.has(key)) {
    return [rejected(path, 'must be one of the labels of karpenter.k8s.aws that are allowed here', key, 'check the spelling, or use a domain of your own')];
  }
  // The API server's list has this key, Karpenter's own check does not.
  if (key === Label.NODE_CLASS) {
    return [withConsequence('not-ready', path, `must not be ${key}, which Karpenter sets itself`, key, 'remove it')];
  }
  return [];
}
