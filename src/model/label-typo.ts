import { editDistance } from './edit-distance';
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
  return SUCCESSORS.get(key) ?? ALIASES.get(key) ?? sameName(key) ?? nearest(key);
}

function sameName(key: string): string | undefined {
  const name = labelName(key)
    .replace(/[a-z][A-Z]/g, ([before, after]) => `${before}-${after}`)
    .toLowerCase();
  const domain = labelDomain(key);
  const onPlatform = PLATFORM_DOMAINS.some((platform) => domain === platform || domain.endsWith(`.${platform}`));
  if (!onPlatform && !name.includes('-')) {
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
