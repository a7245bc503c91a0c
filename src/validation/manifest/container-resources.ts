import { FieldReader, isToken } from './field-reader';
import { FieldPath } from './model';
import { formatAmount, Quantity, QuantityError, resourceAmount, ResourceList } from '../../model';

export interface Resources {
  readonly requests: Map<string, bigint>;
  readonly limits: Map<string, bigint>;
}

/** What a namespace gives containers that say nothing of a resource themselves. */
export interface ContainerDefaults {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);
const NONE: Resources = { requests: new Map(), limits: new Map() };

/** A container's `resources`, with each request that is left out taken from its limit, then from what the namespace gives. */
export function readContainerResources(reader: FieldReader, path: FieldPath, raw: unknown, defaults: ContainerDefaults): Resources {
  const written = readResources(reader, path, raw);
  checkAgainstLimits(reader, path, { ...written, limits: new Map([...defaults.limits, ...written.limits]) });
  return { limits: written.limits, requests: new Map([...defaults.requests, ...written.limits, ...written.requests]) };
}

/** A `resources` field as written: limits do not yet stand in for requests. */
export function readResources(reader: FieldReader, path: FieldPath, raw: unknown): Resources {
  const fields = reader.record(path, raw);
  if (!fields) return NONE;
  return {
    requests: readAmounts(reader, [...path, 'requests'], fields.requests),
    limits: readAmounts(reader, [...path, 'limits'], fields.limits),
  };
}

export function readAmounts(reader: FieldReader, path: FieldPath, raw: unknown): Map<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const [resource, value] of Object.entries(reader.record(path, raw) ?? {})) {
    const at = [...path, resource];
    if (!isContainerResource(resource)) {
      rejectName(reader, at, resource);
      continue;
    }
    const amount = readAmount(reader, at, resource, value);
    if (amount !== undefined) amounts.set(resource, amount);
  }
  return amounts;
}

function readAmount(reader: FieldReader, path: FieldPath, resource: string, value: unknown): bigint | undefined {
  const quantity = readQuantity(reader, path, value);
  if (!quantity) return undefined;
  if (quantity.nanos < 0n) return reader.reject(path, 'must be 0 or more', value, 'remove the sign');
  if (isWhole(resource) && quantity.nanos % 1_000_000_000n !== 0n) {
    return reader.reject(path, `must be a whole number of ${resource}`, value, 'write an integer');
  }
  return resourceAmount(resource, quantity);
}

const QUANTITY_REMEDY = 'write for example 500m of cpu, or 2Gi of memory';

export function readQuantity(reader: FieldReader, path: FieldPath, value: unknown): Quantity | undefined {
  if (isToken(value)) return reader.noteToken(path);
  if (typeof value !== 'string' && typeof value !== 'number') return reader.reject(path, 'must be a quantity', value, QUANTITY_REMEDY);
  try {
    return Quantity.parse(value);
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    // The value is told by the finding itself.
    const [problem, ...remedy] = error.message.split('; ');
    return reader.reject(path, problem.replace(/, got .*$/s, ''), value, remedy.join('; ') || QUANTITY_REMEDY);
  }
}

/** The API server takes a request above its limit for a mistake, and lets nothing but cpu, memory and storage be overcommitted. */
function checkAgainstLimits(reader: FieldReader, path: FieldPath, { requests, limits }: Resources): void {
  for (const [resource, request] of requests) {
    const at = [...path, 'requests', resource];
    const limit = limits.get(resource);
    const shown = formatAmount(resource, request);
    if (limit !== undefined && request > limit) {
      reader.reject(at, `must be at most the limit (${formatAmount(resource, limit)})`, shown, 'raise the limit, or lower the request');
    } else if (isWhole(resource) && limit !== request) {
      reader.reject(at, `must be the same as the limit of ${resource}`, shown, `write limits: { ${resource}: ${shown} } as well`);
    }
  }
}

/** Extended resources and huge pages. */
function isWhole(resource: string): boolean {
  return !STANDARD.has(resource);
}

function isContainerResource(resource: string): boolean {
  return STANDARD.has(resource) || resource.startsWith('hugepages-') || resource.includes('/');
}

function rejectName(reader: FieldReader, path: FieldPath, resource: string): void {
  const near = [...STANDARD].find((name) => name.startsWith(resource.toLowerCase()) || resource.toLowerCase().startsWith(name));
  const remedy = near ? `write ${near}` : 'write cpu, memory, ephemeral-storage, or <domain>/<name> as in nvidia.com/gpu';
  reader.reject(path, 'must be a resource that containers can have', resource, remedy);
}
