import { FieldEdit, FieldPath, setField } from '../../../../contract';
import { Label, listText, normalizeLabelKey, RequirementSpec } from '../../../../model';
import { NodePoolSpec } from '../../../../scheduling';

export interface RequirementChange {
  readonly text: string;
  /** Absent if the remedy leaves a choice. */
  readonly edit?: FieldEdit;
  /** The values of the label that the changed requirement lets in. @default - all */
  readonly allowed?: (value: string) => boolean;
}

/** Words for architectures in the names, labels and taints of NodePools. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['arm64', ['arm', 'arm64', 'aarch64', 'graviton']],
  ['amd64', ['amd64', 'x86', 'x64', 'intel']],
]);
/** More families are another intent. */
const MOST_FAMILIES = 4;

/**
 * Families of the same category and generation for the architecture that the NodePool requires, such as `c6g` instead
 * of `c6i`. Undefined if the requirement is not about families, or the NodePool has the words of the other
 * architecture: then the architecture is wrong.
 *
 * @param found the families of the types that meet all other requirements
 */
export function familiesOfArchitecture(
  pool: NodePoolSpec,
  { key, operator, values = [] }: RequirementSpec,
  path: FieldPath,
  found: readonly string[],
): RequirementChange | undefined {
  if (normalizeLabelKey(key) !== Label.INSTANCE_FAMILY || operator !== 'In') return undefined;
  const required = pool.requirements.find((one) => normalizeLabelKey(one.key) === Label.ARCH && one.operator === 'In');
  const [architecture, ...others] = required?.values ?? [];
  if (!WORDS.has(architecture) || others.length > 0 || isForOther(pool, architecture)) return undefined;
  const counterparts = values.map((family) => shortest(found.filter((other) => lineOf(other) === lineOf(family))));
  const families = [...new Set(counterparts.flat())];
  if (counterparts.some(({ length }) => length === 0) || families.length > MOST_FAMILIES) return undefined;
  return {
    text: `write ${key} In [${families.join(', ')}], because ${listText(values)} ${values.length === 1 ? 'is' : 'are'} not ${architecture}`,
    edit: setField([...path, 'values'], families),
    allowed: (value) => families.includes(value),
  };
}

/** Whether the NodePool names the other architecture, and not its own. */
function isForOther({ name, labels, taints }: NodePoolSpec, architecture: string): boolean {
  const texts = [name, ...Object.entries(labels).flat(), ...taints.flatMap(({ key, value = '' }) => [key, value])];
  const words = new Set(texts.flatMap((text) => text.toLowerCase().split(/[^a-z0-9]+/)));
  const named = [...WORDS].flatMap(([one, names]) => (names.some((word) => words.has(word)) ? [one] : []));
  return named.length > 0 && !named.includes(architecture);
}

/** Category and generation: `c6` of `c6gn`. */
function lineOf(family: string): string | undefined {
  return /^[a-z]+\d+/.exec(family)?.[0];
}

/** The families without further features. */
function shortest(families: readonly string[]): readonly string[] {
  const length = Math.min(...families.map((family) => family.length));
  return families.filter((family) => family.length === length).sort();
}
