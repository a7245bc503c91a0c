import { InstanceTypeTable } from '../../../../catalog';
import { Label, merge, Requirement, Requirements, ResourceList } from '../../../../model';
import { matchingTypes } from '../../../../scheduling';
import { fitsOnType } from '../../../instance-types/node-fit';

/** Labels that limit the choice of types without asking for something that other types lack. */
const NARROWING: readonly string[] = [
  Label.INSTANCE_TYPE,
  Label.INSTANCE_FAMILY,
  Label.INSTANCE_CATEGORY,
  Label.INSTANCE_GENERATION,
  Label.INSTANCE_SIZE,
  Label.INSTANCE_CPU,
  Label.INSTANCE_CPU_MANUFACTURER,
  Label.INSTANCE_MEMORY,
];
const KIND: readonly string[] = [Label.ARCH, Label.INSTANCE_GPU_NAME, Label.INSTANCE_ACCELERATOR_NAME];
const SPOT = Requirement.from({ key: Label.CAPACITY_TYPE, operator: 'In', values: ['spot'] });
const ONE_POD: ResourceList = new Map([['pods', 1n]]);

/**
 * The spot types that have what the chosen types have: their architecture and accelerator, and room for one pod of
 * each of the requests. Only the choice of families, sizes and generations is left out.
 */
export function typesThatWouldDo(
  table: InstanceTypeTable,
  chosen: readonly string[],
  requirements: Requirements,
  requests: readonly ResourceList[],
): number {
  const wanted = Requirements.from([]);
  wanted.add(...[...requirements.values()].filter(({ key }) => !NARROWING.includes(key)), SPOT);
  const indices = new Map(table.names.map((name, index) => [name, index]));
  const kinds = new Set(chosen.map((name) => kindOf(table, indices.get(name)!)));
  const pods = requests.map((request) => merge(request, ONE_POD));
  return matchingTypes(table, wanted).filter(
    (index) => kinds.has(kindOf(table, index)) && pods.every((pod) => fitsOnType(table, index, pod)),
  ).length;
}

/** Whether all of the types have a GPU or another accelerator. */
export function haveAccelerator({ names, labels }: InstanceTypeTable, types: readonly string[]): boolean {
  const columns = labels.filter(
    ({ key }) => key === Label.INSTANCE_GPU_NAME || key === Label.INSTANCE_ACCELERATOR_NAME,
  );
  const chosen = new Set(types);
  return names.every(
    (name, index) => !chosen.has(name) || columns.some(({ values, codes }) => values[codes[index]] !== undefined),
  );
}

/** Types of one kind run the same programs. */
function kindOf({ labels }: InstanceTypeTable, index: number): string {
  return JSON.stringify(
    KIND.map((key) => {
      const column = labels.find((label) => label.key === key);
      return column?.values[column.codes[index]] ?? null;
    }),
  );
}
