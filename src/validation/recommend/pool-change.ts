import { appendItem, FieldFix, unsafeFix } from '../../contract';
import { Label, listText, normalizeLabelKey, RequirementSpec } from '../../model';
import { isStatic, NodePoolSpec } from '../../scheduling';
import { NodePoolManifest } from '../manifest';

/** One line of a NodePool that may make its nodes cheaper. */
export interface PoolChange {
  readonly nodePool: string;
  /** An instruction: 'launch nodes of at most 32 CPUs'. */
  readonly description: string;
  readonly fix: FieldFix;
  apply(pool: NodePoolSpec): NodePoolSpec;
}

const REQUIREMENTS = ['spec', 'template', 'spec', 'requirements'] as const;
/** The most CPUs of a node. Instance types have these numbers of CPUs, so that a size more or less is excluded. */
const CPU_BOUNDS = [4, 8, 16, 32, 64] as const;
/** The families that run anything: balanced, with more CPU, with more memory. */
const GENERAL_CATEGORIES = ['c', 'm', 'r'] as const;

/** Changes of a NodePool that are worth a try. Architectures are left out: whether images run there is not known. */
export function poolChanges({ object, spec }: NodePoolManifest): PoolChange[] {
  if (spec === undefined || isStatic(spec)) return [];
  return [
    ...CPU_BOUNDS.map((cpus) =>
      appended(spec.name, `launch nodes of at most ${cpus} CPUs`, {
        key: Label.INSTANCE_CPU,
        operator: 'Lt',
        values: [String(cpus + 1)],
      }),
    ),
    ...widerCategories(spec, object.raw),
  ];
}

function appended(nodePool: string, description: string, requirement: RequirementSpec): PoolChange {
  return {
    nodePool,
    description,
    fix: unsafeFix(appendItem(REQUIREMENTS, requirement)),
    apply: (pool) => ({ ...pool, requirements: [...pool.requirements, requirement] }),
  };
}

/** Adds the general categories that the NodePool leaves out. A pool for other categories is one on purpose. */
function widerCategories({ name, requirements }: NodePoolSpec, raw: unknown): PoolChange[] {
  const index = requirements.findIndex(
    ({ key, operator }) => normalizeLabelKey(key) === Label.INSTANCE_CATEGORY && operator === 'In',
  );
  const { values = [] } = requirements[index] ?? {};
  const missing = GENERAL_CATEGORIES.filter((category) => !values.includes(category));
  const isGeneral =
    values.length > 0 && values.every((value) => (GENERAL_CATEGORIES as readonly string[]).includes(value));
  if (!isGeneral || missing.length === 0 || !isWrittenAt(raw, index, values)) return [];
  const wider = [...values, ...missing];
  return [
    {
      nodePool: name,
      description: `allow instance category ${listText(missing)} as well`,
      fix: unsafeFix(...missing.map((category) => appendItem([...REQUIREMENTS, index, 'values'], category))),
      apply: (pool) => ({
        ...pool,
        requirements: pool.requirements.map((requirement, at) =>
          at === index ? { ...requirement, values: wider } : requirement,
        ),
      }),
    },
  ];
}

/** Whether the manifest has the requirement at the same place as the specification that was read from it. */
function isWrittenAt(raw: unknown, index: number, values: readonly string[]): boolean {
  const list = REQUIREMENTS.reduce<any>((value, step) => value?.[step], raw);
  const written = Array.isArray(list) ? list[index]?.values : undefined;
  return Array.isArray(written) && written.join() === values.join();
}
