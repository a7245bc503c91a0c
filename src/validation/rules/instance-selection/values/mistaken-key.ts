import { isRegion, regionOfZone } from '../../../../catalog';
import { FieldFix, FieldPath, safeFix, setField, unsafeFix } from '../../../../contract';
import { Label, labelDomain, labelName, listText, normalizeLabelKey } from '../../../../model';
import { AUTO_MODE_GROUP } from '../../../eks-auto-mode';
import { RuleContext } from '../../rule';

/** Keys whose values differ from those of the other keys, with the noun of their values. */
const NOUNS: ReadonlyMap<string, string> = new Map([
  [Label.INSTANCE_FAMILY, 'instance families'],
  [Label.INSTANCE_TYPE, 'instance types'],
  [Label.INSTANCE_CATEGORY, 'categories of instance types'],
  [Label.INSTANCE_SIZE, 'instance sizes'],
  [Label.INSTANCE_CPU_MANUFACTURER, 'CPU manufacturers'],
  [Label.ARCH, 'architectures'],
  [Label.OS, 'operating systems'],
  [Label.CAPACITY_TYPE, 'capacity types'],
  [Label.ZONE, 'zones'],
  [Label.REGION, 'regions'],
]);

/** The key that values belong under, if they are written under another one. */
export interface MistakenKey {
  readonly key: string;
  /** What the values are, such as 'instance families'. */
  readonly noun: string;
  /** Replaces the key; only without a doubt if no other requirement has the right key. */
  readonly fix: FieldFix;
  /** The values of the written key that have these values. @default - they are not known */
  readonly around?: readonly string[];
}

/** @param path the requirement whose key is another one */
export function mistakenKey(
  { catalog }: Pick<RuleContext, 'catalog'>,
  key: string,
  values: readonly unknown[],
  path: FieldPath,
  others: ReadonlyArray<{ readonly key?: unknown }>,
): MistakenKey | undefined {
  const isKnown = (label: string, value: string) =>
    label === Label.REGION
      ? isRegion(value)
      : label === Label.ZONE
        ? isRegion(regionOfZone(value) ?? '')
        : catalog.knownValues(label)?.has(value) === true;
  const own = karpenterLabel(key);
  const meant = [...NOUNS].filter(
    ([label]) =>
      label !== own && values.length > 0 && values.every((value) => typeof value === 'string' && isKnown(label, value)),
  );
  if (meant.length !== 1) return undefined;
  const [[known, noun]] = meant;
  const label = labelDomain(key) === AUTO_MODE_GROUP ? autoModeKey(known) : known;
  const isTaken = others.some((other) => typeof other.key === 'string' && normalizeLabelKey(other.key) === label);
  const edit = setField([...path, 'key'], label);
  const around = own === Label.INSTANCE_CATEGORY && known === Label.INSTANCE_FAMILY ? categoriesOf(values) : undefined;
  const areKnown = around?.every((category) => isKnown(Label.INSTANCE_CATEGORY, category)) === true;
  return { key: label, noun, fix: isTaken ? unsafeFix(edit) : safeFix(edit), ...(areKnown ? { around } : {}) };
}

/** The letters with which the names of instance families begin. */
function categoriesOf(families: readonly unknown[]): string[] {
  return [...new Set(families.map((family) => /^[a-z]*/.exec(String(family))![0]))];
}

/** 'the values of karpenter.k8s.aws/instance-category, t3 and t3a, are instance families'. */
export function mistakenText(key: string, values: readonly string[], noun: string): string {
  return values.length === 1
    ? `the value of ${key}, ${values[0]}, is one of the ${noun}`
    : `the values of ${key}, ${listText(values)}, are ${noun}`;
}

/** EKS Auto Mode has most labels of Karpenter for AWS in its own domain. */
export function karpenterLabel(key: string): string {
  return labelDomain(key) === AUTO_MODE_GROUP ? `${AWS_DOMAIN}/${labelName(key)}` : normalizeLabelKey(key);
}

function autoModeKey(label: string): string {
  return labelDomain(label) === AWS_DOMAIN ? `${AUTO_MODE_GROUP}/${labelName(label)}` : label;
}

const AWS_DOMAIN = 'karpenter.k8s.aws';
