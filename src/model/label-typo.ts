import { editDistance, nearestName } from './edit-distance';
import { labelDomain, labelName, normalizeLabelKey, Label, WELL_KNOWN_LABELS } from './label-keys';

/** Keys of earlier Karpenter versions that now have another name. */
const SUCCESSORS: ReadonlyMap<string, string> = new Map([['karpenter.sh/provisioner-name', Label.NODE_POOL]]);
/** Names of hosts that Kubernetes does not use. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  ['kubernetes.io/host', 'kubernetes.io/node', 'kubernetes.io/node-name', 'hostname'].map((key) => [
    key,
    Label.HOSTNAME,
  ]),
);

/** Names that people write for labels with one-word names, in any case and with any marks. */
const DOMAIN_NAMES: ReadonlyArray<readonly [names: RegExp, label: string]> = [
  [/^(?:availability|failure|topology|aws)?(?:zones?|azs?)(?:names?)?$/, Label.ZONE],
  [/^(?:hosts?|nodes?|machines?)(?:names?)?$/, Label.HOSTNAME],
  [/^(?:aws)?regions?(?:names?)?$/, Label.REGION],
];

/** In these domains, even a plain name such as `zone` or `os` is meant as the well-known label. */
const PLATFORM_DOMAINS = ['kubernetes.io', 'k8s.io', 'karpenter.sh', 'k8s.aws', 'aws.com', 'amazonaws.com'];
const MAX_DISTANCE = 3;

/**
 * The well-known label that a key was likely meant to be: at most three edits away, or with the same name in another
 * domain. Karpenter takes such a key for a custom label, which selects nothing.
 */
export function suggestLabelKey(key: string): string | undefined {
  if (WELL_KNOWN_LABELS.has(normalizeLabelKey(key))) {
    return undefined;
  }
  return SUCCESSORS.get(key) ?? ALIASES.get(key) ?? sameName(key) ?? nearest(key) ?? platformZone(key);
}

/**
 * The label that a misspelt topology key was likely meant to be: unlike a node selector, it names a domain, so that
 * `zone` is no label of the user. Undefined if nodes have the label.
 *
 * @param given the labels that NodePools give their nodes
 */
export function suggestTopologyKey(key: string, given: readonly string[]): string | undefined {
  // Karpenter replaces deprecated keys in requirements, and not in topology keys.
  const current = normalizeLabelKey(key);
  if (current !== key) return current;
  if (WELL_KNOWN_LABELS.has(key) || key === Label.HOSTNAME || given.includes(key)) return undefined;
  return suggestKeyAmong(key, [...given, Label.HOSTNAME]) ?? domainName(key);
}

/** Like `suggestLabelKey`; a key that is not of a platform may also be one of the user's own labels. */
export function suggestKeyAmong(key: string, own: readonly string[]): string | undefined {
  const near = nearestKey(key, own);
  return isOnPlatform(key) ? (suggestLabelKey(key) ?? near) : (near ?? suggestLabelKey(key));
}

/** The only label that is the key with a typing mistake, or with another domain. */
export function nearestKey(key: string, own: readonly string[]): string | undefined {
  const near = nearestName(key, own);
  if (near !== undefined || own.includes(key)) return near;
  const [only, ...others] = new Set(
    own.filter((label) => !WELL_KNOWN_LABELS.has(label) && isSameName(labelName(label), labelName(key))),
  );
  return others.length === 0 ? only : undefined;
}

function isSameName(left: string, right: string): boolean {
  return left === right || (left.length >= 4 && nearestName(left, [right]) !== undefined);
}

/** Names of roles, such as `node`, are in a platform domain as well: there, they are no hosts. */
function platformZone(key: string): string | undefined {
  const label = isOnPlatform(key) ? domainName(key) : undefined;
  return label === Label.HOSTNAME ? undefined : label;
}

function domainName(key: string): string | undefined {
  const name = labelName(key).toLowerCase().replace(/[-_.]/g, '');
  return DOMAIN_NAMES.find(([names]) => names.test(name))?.[1];
}

function isOnPlatform(key: string): boolean {
  const domain = labelDomain(key);
  return PLATFORM_DOMAINS.some((platform) => domain === platform || domain.endsWith(`.${platform}`));
}

function sameName(key: string): string | undefined {
  const name = labelName(key)
    .replace(/[a-z][A-Z]/g, ([before, after]) => `${before}-${after}`)
    .replace(/[_.]/g, '-')
    .toLowerCase();
  if (!isOnPlatform(key) && !name.includes('-')) {
    return undefined;
  }
  return wellKnown().find((candidate) => labelName(candidate) === name);
}

function nearest(key: string): string | undefined {
  let best: string | undefined;
  let bestDistance = MAX_DISTANCE + 1;
  for (const candidate of wellKnown()) {
    const distance = isComparable(key, candidate) ? editDistance(key, candidate) : bestDistance;
    if (distance < bestDistance) {
      [best, bestDistance] = [candidate, distance];
    }
  }
  return best;
}

/** Three edits can turn any short name into another, such as `role` into `os`: only a third of the name may differ. */
function isComparable(key: string, candidate: string): boolean {
  const name = labelName(candidate);
  return (
    Math.abs(key.length - candidate.length) <= MAX_DISTANCE &&
    editDistance(labelName(key), name) <= Math.max(1, Math.floor(name.length / 3))
  );
}

function wellKnown(): string[] {
  return [...WELL_KNOWN_LABELS].sort();
}
