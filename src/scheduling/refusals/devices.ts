import { Label, ResourceList } from '../../model';
import { PoolTemplate } from '../launch/pool-template';
import { compatibleTypes } from '../launch/type-filter';

type Table = PoolTemplate['table'];

const ACCELERATOR_LABELS = [Label.INSTANCE_GPU_COUNT, Label.INSTANCE_ACCELERATOR_COUNT];

/** Whether a device plugin or a NodeOverlay provides the resource. */
export function isExtendedResource(resource: string): boolean {
  return resource.includes('/');
}

/** Whether each instance type that the pool allows has an accelerator, and the pod requests no device. */
export function isForDevicesOnly(
  { table, requirements }: Pick<PoolTemplate, 'table' | 'requirements'>,
  requests: ResourceList,
): boolean {
  if ([...requests.keys()].some(isExtendedResource)) return false;
  const types = compatibleTypes(table, requirements).flatMap((isCompatible, type) => (isCompatible ? [type] : []));
  return types.length > 0 && types.every((type) => isAccelerated(table, type));
}

export function isAccelerated(table: Table, type: number): boolean {
  return ACCELERATOR_LABELS.some((key) => typeLabel(table, key, type) !== undefined);
}

/** The value of a label on nodes of an instance type; undefined if they have no such label. */
export function typeLabel({ labels }: Table, key: string, type: number): string | undefined {
  const column = labels.find((label) => label.key === key);
  return column === undefined || column.codes[type] < 0 ? undefined : column.values[column.codes[type]];
}
