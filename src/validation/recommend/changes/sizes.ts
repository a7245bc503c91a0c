import { PoolChange } from './pool-change';
import { PoolDraft } from './pool-draft';
import { countText, Label, listText } from '../../../model';

/** The most CPUs of a node. Instance types have these numbers of CPUs, so that a size more or less is excluded. */
const MOST_CPUS = [2, 4, 8, 16, 32, 48, 64, 96] as const;
/** The fewest CPUs of a node. */
const FEWEST_CPUS = [2, 4, 8, 16] as const;
/** The most GPUs of a node. */
const MOST_GPUS = [1, 4] as const;
const CPUS = ['2', '4', '8', '16', '32', '48', '64'] as const;
const SIZES = ['large', 'xlarge', '2xlarge', '4xlarge', '8xlarge', '12xlarge', '16xlarge'] as const;

/** Bounds on the size of nodes, and more sizes in lists. */
export function sizeChanges(draft: PoolDraft): PoolChange[] {
  return [...mostCpus(draft), ...mostGpus(draft), ...fewestCpus(draft), ...moreSizes(draft)];
}

function mostCpus(draft: PoolDraft): PoolChange[] {
  return bounds(draft, Label.INSTANCE_CPU, 'Lt', MOST_CPUS, (cpus) => `launch nodes of at most ${cpus} CPUs`);
}

function fewestCpus(draft: PoolDraft): PoolChange[] {
  return bounds(draft, Label.INSTANCE_CPU, 'Gt', FEWEST_CPUS, (cpus) => `launch nodes of at least ${cpus} CPUs`);
}

function mostGpus(draft: PoolDraft): PoolChange[] {
  const { table, spec } = draft;
  const gpus = table.labels.find(({ key }) => key === Label.INSTANCE_GPU_COUNT);
  const families = draft.listed(Label.INSTANCE_FAMILY)?.values ?? [];
  const categories = draft.listed(Label.INSTANCE_CATEGORY)?.values ?? [];
  const isOfGpus =
    spec.requirements.some(({ key }) => key.startsWith('karpenter.k8s.aws/instance-gpu-')) ||
    [...families, ...categories].some((name) => /^(g|p)\d*/.test(name));
  if (gpus === undefined || !isOfGpus) return [];
  return bounds(
    draft,
    Label.INSTANCE_GPU_COUNT,
    'Lt',
    MOST_GPUS,
    (count) => `launch nodes of at most ${countText(count, 'GPU')}`,
  );
}

function bounds(
  draft: PoolDraft,
  key: string,
  operator: 'Gt' | 'Lt',
  amounts: readonly number[],
  describe: (amount: number) => string,
): PoolChange[] {
  const present = draft.bound(key, operator);
  if (
    present === undefined &&
    draft.spec.requirements.some((other) => other.key === key && other.operator === operator)
  )
    return [];
  return amounts.flatMap((amount): PoolChange[] => {
    const value = String(operator === 'Lt' ? amount + 1 : amount - 1);
    const traits = { description: describe(amount), subject: `${key} ${operator}` };
    if (present === undefined) return [draft.appended(traits, { key, operator, values: [value] })];
    return present.values[0] === value ? [] : [draft.compared(traits, present, value)];
  });
}

/** Sizes that a list of sizes leaves out. */
function moreSizes(draft: PoolDraft): PoolChange[] {
  return [
    {
      key: Label.INSTANCE_SIZE,
      known: SIZES,
      text: (added: readonly string[]) => `allow sizes ${listText(added)} as well`,
    },
    {
      key: Label.INSTANCE_CPU,
      known: CPUS,
      text: (added: readonly string[]) => `allow nodes of ${listText(added)} CPUs as well`,
    },
  ].flatMap(({ key, known, text }) => {
    const requirement = draft.listed(key);
    const added = known.filter((value) => !requirement?.values.includes(value));
    if (requirement === undefined || added.length === 0) return [];
    return [draft.widened({ description: text(added), subject: `${key} In` }, { requirement, added })];
  });
}
