import { Label, normalizeLabelKey, RequirementSpec } from '../../model';
import { NodePoolSpec } from '../../scheduling';

type WriteValue = (value: string) => string;

const constant =
  (type: string): WriteValue =>
  (value) =>
    `${type}.${value.toUpperCase().replace(/-/g, '_')}`;
const text: WriteValue = (value) => `'${value}'`;
const whole: WriteValue = (value) => value;

/** Methods of the construct `Requirement`, and how their values are written. */
const LABELS: Readonly<Record<string, readonly [method: string, write: WriteValue]>> = {
  [Label.INSTANCE_CPU]: ['instanceCpu', whole],
  [Label.INSTANCE_GPU_COUNT]: ['instanceGpuCount', whole],
  [Label.INSTANCE_GENERATION]: ['instanceGeneration', whole],
  [Label.INSTANCE_CATEGORY]: ['instanceCategory', constant('InstanceCategory')],
  [Label.INSTANCE_FAMILY]: ['instanceFamily', constant('InstanceFamily')],
  [Label.INSTANCE_SIZE]: ['instanceSize', (size) => constant('InstanceSize')(size.replace(/^(\d+)(xlarge)$/, '$2$1'))],
  [Label.INSTANCE_TYPE]: ['instanceType', text],
  [Label.CAPACITY_TYPE]: ['capacityType', constant('CapacityType')],
  [Label.ARCH]: ['architecture', constant('Architecture')],
  [Label.ZONE]: ['zone', (zone) => `Zone.of('${zone}')`],
};
const OPERATORS: Readonly<Record<string, string>> = {
  In: 'in',
  NotIn: 'notIn',
  Gt: 'greaterThan',
  Lt: 'lessThan',
};

/** The requirements of a NodePool that a change adds or replaces. */
export function changedRequirements(before: NodePoolSpec, after: NodePoolSpec): RequirementSpec[] {
  const known = new Set(before.requirements.map((requirement) => JSON.stringify(requirement)));
  return after.requirements.filter((requirement) => !known.has(JSON.stringify(requirement)));
}

/** A requirement as it is written with constructs in TypeScript. */
export function requirementCode({ key, operator, values = [], minValues }: RequirementSpec): string {
  const [method, write] = LABELS[normalizeLabelKey(key)] ?? [undefined, text];
  const label = method === undefined ? `Requirement.of('${key}')` : `Requirement.${method}()`;
  const suffix = minValues === undefined ? '' : `.withMinValues(${minValues})`;
  const written = values.map(write);
  return `${label}.${OPERATORS[operator]}(${written.join(', ')})${suffix}`;
}
