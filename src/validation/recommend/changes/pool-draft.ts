import { PoolChange } from './pool-change';
import { InstanceTypeTable } from '../../../catalog';
import { appendItem, FieldEdit, setField } from '../../../contract';
import { normalizeLabelKey, RequirementSpec } from '../../../model';
import { NodePoolSpec } from '../../../scheduling';
import { NodePoolManifest } from '../../manifest';

const REQUIREMENTS = ['spec', 'template', 'spec', 'requirements'] as const;

type ChangeTraits = Pick<PoolChange, 'description' | 'subject' | 'consent' | 'condition'>;

/** A requirement as the file has it. */
export interface WrittenRequirement extends RequirementSpec {
  readonly index: number;
  readonly values: readonly string[];
}

/** Builds changes of one NodePool: the edits of its file, and the NodePool that they make. */
export class PoolDraft {
  public readonly name: string;
  private readonly written: readonly unknown[];

  public constructor(
    { object }: NodePoolManifest,
    public readonly spec: NodePoolSpec,
    public readonly table: InstanceTypeTable,
  ) {
    this.name = spec.name;
    const list = REQUIREMENTS.reduce<any>((value, step) => value?.[step], object.raw);
    this.written = Array.isArray(list) ? list : [];
  }

  /** The values of a label that the NodePool lists; undefined if several requirements or none are about the label. */
  public listed(key: string): WrittenRequirement | undefined {
    return this.only(key, (operator) => operator === 'In');
  }

  /** A requirement that compares the label with a number. */
  public bound(key: string, operator: 'Gt' | 'Lt'): WrittenRequirement | undefined {
    return this.only(key, (found) => found === operator, true);
  }

  public has(key: string): boolean {
    return this.spec.requirements.some((requirement) => normalizeLabelKey(requirement.key) === key);
  }

  public appended(traits: ChangeTraits, ...added: readonly RequirementSpec[]): PoolChange {
    return this.change(
      traits,
      added.map((requirement) => appendItem(REQUIREMENTS, requirement)),
      (requirements) => [...requirements, ...added],
    );
  }

  /** Adds values to lists. */
  public widened(
    traits: ChangeTraits,
    ...lists: ReadonlyArray<{ readonly requirement: WrittenRequirement; readonly added: readonly string[] }>
  ): PoolChange {
    return this.change(
      traits,
      lists.flatMap(({ requirement: { index }, added }) =>
        added.map((value) => appendItem([...REQUIREMENTS, index, 'values'], value)),
      ),
      (requirements) =>
        lists.reduce<readonly RequirementSpec[]>(
          (result, { requirement: { index }, added }) =>
            replaced(result, index, (requirement) => [...(requirement.values ?? []), ...added]),
          requirements,
        ),
    );
  }

  /** Replaces the number with which a label is compared. */
  public compared(traits: ChangeTraits, { index }: WrittenRequirement, value: string): PoolChange {
    return this.change(traits, [setField([...REQUIREMENTS, index, 'values', 0], value)], (requirements) =>
      replaced(requirements, index, () => [value]),
    );
  }

  private change(
    traits: ChangeTraits,
    edits: readonly FieldEdit[],
    edit: (requirements: readonly RequirementSpec[]) => readonly RequirementSpec[],
  ): PoolChange {
    const { name } = this;
    return {
      ...traits,
      nodePool: name,
      edits,
      apply: (pools) =>
        pools.map((pool) => (pool.name === name ? { ...pool, requirements: edit(pool.requirements) } : pool)),
    };
  }

  private only(
    key: string,
    isOperator: (operator: string) => boolean,
    mayHaveOthers = false,
  ): WrittenRequirement | undefined {
    const found = this.spec.requirements.flatMap((requirement, index) =>
      normalizeLabelKey(requirement.key) === key ? [{ ...requirement, index }] : [],
    );
    const matching = found.filter(({ operator }) => isOperator(operator));
    const [first] = matching;
    if (matching.length !== 1 || (found.length > 1 && !mayHaveOthers)) return undefined;
    // A kustomization or a default may have changed the list.
    const written = (this.written[first.index] as { readonly values?: unknown } | undefined)?.values;
    const values = first.values ?? [];
    return Array.isArray(written) && written.join() === values.join() ? { ...first, values } : undefined;
  }
}

/** Joins the changes of fields: a missing list of requirements can be added only once. */
export function joinedEdits(edits: readonly FieldEdit[], raw: unknown): FieldEdit[] {
  const isMissing = !Array.isArray(REQUIREMENTS.reduce<any>((value, step) => value?.[step], raw));
  const isAppended = (edit: FieldEdit) => edit.operation === 'append' && edit.path.join() === REQUIREMENTS.join();
  if (!isMissing || !edits.some(isAppended)) return [...edits];
  const values = edits.flatMap((edit) => (edit.operation === 'append' && isAppended(edit) ? [edit.value] : []));
  return [...edits.filter((edit) => !isAppended(edit)), setField(REQUIREMENTS, values)];
}

function replaced(
  requirements: readonly RequirementSpec[],
  index: number,
  valuesOf: (requirement: RequirementSpec) => readonly string[],
): readonly RequirementSpec[] {
  return requirements.map((requirement, at) =>
    at === index ? { ...requirement, values: [...valuesOf(requirement)] } : requirement,
  );
}
