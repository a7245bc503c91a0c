import { checkUnit } from './amount-units';
import { ContainerDefaults, rangeProblem } from './container-range';
import { FieldFix, renameField, safeFix, setField, unsafeFix } from '../../../contract';
import {
  formatAmount,
  likelyQuantities,
  maxResources,
  merge,
  nearestName,
  Quantity,
  QuantityError,
  resourceAmount,
} from '../../../model';
import { FieldReader, isToken } from '../field-reader';
import { FieldPath } from '../model';
import { PlainRecord } from '../records';
import { nullKeysOf } from '../yaml/mapping-value';

interface Resources {
  readonly requests: Map<string, bigint>;
  readonly limits: Map<string, bigint>;
}

const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** 1 Mi CPUs. */
const IMPOSSIBLE_MILLICPUS = 1000n * 2n ** 20n;
const NONE: Resources = { requests: new Map(), limits: new Map() };

/**
 * The requests that the scheduler counts for a pod.
 *
 * The base is the sum of all containers, or the largest init container together with the sidecars that run by then,
 * whichever is more. Pod-level requests replace it if they are written, and the overhead is added.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
 */
export function readEffectiveRequests(
  reader: FieldReader,
  path: FieldPath,
  spec: PlainRecord,
  defaults: ContainerDefaults,
): Map<string, bigint> {
  const containers = reader.records([...path, 'containers'], spec.containers);
  if (containers.length === 0 && !reader.invalid) {
    reader.reject([...path, 'containers'], 'must not be empty', spec.containers, 'add a container');
  }
  const requestsOf = (containerPath: FieldPath, container: PlainRecord) =>
    readContainerRequests(reader, [...containerPath, 'resources'], container.resources, defaults);
  let running = merge(...containers.map(({ itemPath, item }) => requestsOf(itemPath, item)));
  let sidecars = new Map<string, bigint>();
  let largestStart = new Map<string, bigint>();
  for (const { itemPath, item } of reader.records([...path, 'initContainers'], spec.initContainers)) {
    const requests = requestsOf(itemPath, item);
    const isSidecar =
      reader.oneOf([...itemPath, 'restartPolicy'], item.restartPolicy, ['Always', 'OnFailure', 'Never']) === 'Always';
    const starting = merge(sidecars, requests);
    if (isSidecar) {
      running = merge(running, requests);
      sidecars = starting;
    }
    largestStart = maxResources(largestStart, starting);
  }
  const effective = withPodLevel(reader, [...path, 'resources'], spec.resources, maxResources(running, largestStart));
  return merge(effective, readAmounts(reader, [...path, 'overhead'], spec.overhead));
}

/**
 * Pod-level requests replace the sum. A pod-level limit counts only if neither the pod nor a container requests the
 * resource.
 */
function withPodLevel(
  reader: FieldReader,
  path: FieldPath,
  raw: unknown,
  sum: Map<string, bigint>,
): Map<string, bigint> {
  const { requests, limits } = readResources(reader, path, raw);
  const effective = new Map(sum);
  for (const [resource, limit] of limits)
    if (isPodLevelResource(resource) && !effective.has(resource)) effective.set(resource, limit);
  for (const [resource, request] of requests) if (isPodLevelResource(resource)) effective.set(resource, request);
  return effective;
}

function isPodLevelResource(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || resource.startsWith('hugepages-');
}

/** A container's requests. A missing request is its limit, and otherwise the default of the namespace. */
function readContainerRequests(
  reader: FieldReader,
  path: FieldPath,
  raw: unknown,
  defaults: ContainerDefaults,
): Map<string, bigint> {
  const { requests, limits } = readResources(reader, path, raw);
  const isAccepted = checkAgainstLimits(reader, path, { requests, limits });
  const problem = isAccepted ? rangeProblem(path, { requests, limits }, defaults) : undefined;
  if (problem !== undefined) reader.add(problem);
  return new Map([...defaults.requests, ...limits, ...requests]);
}

/** A `resources` field as written, before limits replace missing requests. */
function readResources(reader: FieldReader, path: FieldPath, raw: unknown): Resources {
  const fields = reader.record(path, raw);
  if (!fields) return NONE;
  return {
    requests: readAmounts(reader, [...path, 'requests'], fields.requests),
    limits: readAmounts(reader, [...path, 'limits'], fields.limits),
  };
}

/** A quantity that is null is 0, as the API server reads it. */
export function readAmounts(reader: FieldReader, path: FieldPath, raw: unknown): Map<string, bigint> {
  const amounts = new Map<string, bigint>();
  const record = reader.record(path, raw) ?? {};
  for (const [resource, value] of [...Object.entries(record), ...nullKeysOf(record).map((key) => [key, 0] as const)]) {
    const resourcePath = [...path, resource];
    if (!isContainerResource(resource)) {
      rejectResourceName(reader, resourcePath, resource);
      continue;
    }
    const amount = readAmount(reader, resourcePath, resource, value, record);
    if (amount !== undefined) amounts.set(resource, amount);
  }
  return amounts;
}

function readAmount(
  reader: FieldReader,
  path: FieldPath,
  resource: string,
  value: unknown,
  beside: PlainRecord,
): bigint | undefined {
  const quantity = readQuantity(reader, path, value);
  if (!quantity) return undefined;
  if (quantity.nanos < 0n) return reader.reject(path, 'must be 0 or more', value, 'remove the sign');
  if (isWholeNumberResource(resource) && quantity.nanos % 1_000_000_000n !== 0n) {
    return reader.reject(path, `must be a whole number of ${resource}`, value, 'write an integer');
  }
  checkUnit(reader, path, { resource, quantity, value, beside });
  return resourceAmount(resource, quantity);
}

const QUANTITY_REMEDY = 'write a quantity, for example 500m (CPU) or 2Gi (memory)';

export function readQuantity(reader: FieldReader, path: FieldPath, value: unknown): Quantity | undefined {
  if (isToken(value)) return reader.noteToken(path, value);
  if (typeof value !== 'string' && typeof value !== 'number')
    return reader.reject(path, 'must be a quantity', value, QUANTITY_REMEDY);
  try {
    return Quantity.parse(value);
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    // The finding shows the value itself.
    const [problem, ...remedy] = error.message.split('; ');
    return reader.reject(
      path,
      problem.replace(/, got .*$/s, ''),
      value,
      remedy.join('; ') || QUANTITY_REMEDY,
      quantityFix(path, value),
    );
  }
}

/** If several quantities can have been meant, as 5G or 5Gi by `5GB`, the fix is not safe. */
function quantityFix(path: FieldPath, value: unknown): FieldFix | undefined {
  const [meant, ...others] = typeof value === 'string' ? likelyQuantities(value) : [];
  return meant === undefined ? undefined : (others.length === 0 ? safeFix : unsafeFix)(setField(path, meant));
}

/**
 * The API server rejects a request above its limit. Only cpu, memory and ephemeral-storage may have a request below the
 * limit. Returns whether it accepts all requests.
 */
function checkAgainstLimits(reader: FieldReader, path: FieldPath, { requests, limits }: Resources): boolean {
  let isAccepted = true;
  for (const [resource, request] of requests) {
    const requestPath = [...path, 'requests', resource];
    const limit = limits.get(resource);
    const requestText = formatAmount(resource, request);
    if (limit !== undefined && request > limit) {
      isAccepted = false;
      // The finding about its unit says enough.
      if (resource === 'cpu' && request >= IMPOSSIBLE_MILLICPUS) {
        reader.invalid = true;
        continue;
      }
      reader.reject(
        requestPath,
        `must be at most the limit (${formatAmount(resource, limit)})`,
        requestText,
        'raise the limit, or lower the request',
      );
    } else if (isWholeNumberResource(resource) && limit !== request) {
      reader.reject(
        requestPath,
        `must be equal to the limit of ${resource}`,
        requestText,
        `write limits: { ${resource}: ${requestText} } too`,
        limit === undefined ? safeFix(setField([...path, 'limits', resource], requestText)) : undefined,
      );
      isAccepted = false;
    }
  }
  return isAccepted;
}

/** Extended resources and huge pages. */
function isWholeNumberResource(resource: string): boolean {
  return !STANDARD.has(resource);
}

function isContainerResource(resource: string): boolean {
  return STANDARD.has(resource) || resource.startsWith('hugepages-') || resource.includes('/');
}

/** Devices by the names that people write without their domain. */
const DEVICES: ReadonlyMap<string, string> = new Map([
  ...['gpu', 'gpus', 'nvidia', 'nvidia-gpu', 'nvidia.com'].map((name) => [name, 'nvidia.com/gpu'] as const),
  ['neuron', 'aws.amazon.com/neuron'],
  ['neuroncore', 'aws.amazon.com/neuroncore'],
  ['efa', 'vpc.amazonaws.com/efa'],
  ['pod-eni', 'vpc.amazonaws.com/pod-eni'],
]);

function rejectResourceName(reader: FieldReader, path: FieldPath, resource: string): void {
  const device = DEVICES.get(resource.toLowerCase());
  const likely =
    device ??
    [...STANDARD].find((name) => name.startsWith(resource.toLowerCase()) || resource.toLowerCase().startsWith(name));
  const remedy = likely
    ? `write ${likely}`
    : 'write cpu, memory, ephemeral-storage, or <domain>/<name> as in nvidia.com/gpu';
  const isTypo =
    likely !== undefined &&
    (resource.toLowerCase() === likely || nearestName(resource.toLowerCase(), [likely]) !== undefined);
  reader.reject(
    path,
    'is not a resource of containers',
    resource,
    remedy,
    isTypo
      ? safeFix(renameField(path, likely))
      : device === undefined
        ? undefined
        : unsafeFix(renameField(path, device)),
  );
}
