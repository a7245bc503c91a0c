import { UsageAmount, UsageFigure, UsageResource } from './figures';
import { MatchedFigures, SizableWorkload, workloadLabel } from './sizable-workloads';
import { asRecord } from '../../../contract';
import { Quantity } from '../../../model';
import { FieldPath, SourceFile } from '../../manifest';

/** A request of a container, now and with usage. CPU is in millicores, memory in bytes. */
export interface SizedRequest {
  readonly workload: SizableWorkload;
  readonly container: string;
  readonly path: FieldPath;
  readonly resource: UsageResource;
  /** The request of the manifest, or its limit without one. @default - the manifest sets neither */
  readonly before?: UsageAmount;
  readonly after: UsageAmount;
  /** The source of the figure that decides the request. */
  readonly source: UsageFigure['source'];
  /** @default - the manifest sets no limit */
  readonly limit?: UsageAmount;
  /** The highest measured usage. @default - there is only an advised request */
  readonly peak?: UsageAmount;
  /** @default - the measured usage is one value */
  readonly p99?: UsageAmount;
}

const MIB = 2 ** 20;
/** Measured idle containers get these requests. */
const LEAST: Readonly<Record<UsageResource, UsageAmount>> = { cpu: 10, memory: 16 * MIB };
const ROUNDED_TO: Readonly<Record<UsageResource, UsageAmount>> = { cpu: 1, memory: MIB };

/** @param headroom the part of a measured usage that is added to it: 0.15 */
export function sizedRequest(
  { workload, container, resource, figures }: MatchedFigures,
  headroom: number,
): SizedRequest {
  const { requests, limits } = container.resources;
  const limit = amountIn(limits, resource);
  const before = amountIn(requests, resource) ?? limit;
  const sized = figures.map((figure) => ({ figure, request: requestOf(figure, headroom) }));
  const decisive = sized.reduce((most, next) => (next.request > most.request ? next : most));
  const measured = figures.filter(({ source }) => source === 'measured');
  const p99 = measured.flatMap((figure) => figure.p99 ?? []);
  return {
    workload,
    container: container.name,
    path: container.path,
    resource,
    ...(before === undefined ? {} : { before }),
    after: decisive.request,
    source: decisive.figure.source,
    ...(limit === undefined ? {} : { limit }),
    ...(measured.length === 0 ? {} : { peak: Math.max(...measured.map(({ amount, peak }) => peak ?? amount)) }),
    ...(p99.length === 0 ? {} : { p99: Math.max(...p99) }),
  };
}

/** An advised request is used as it is, because it has the margin of the tool that advises it. */
function requestOf({ source, resource, amount }: UsageFigure, headroom: number): UsageAmount {
  if (source !== 'measured') return Math.max(amount, 1);
  const step = ROUNDED_TO[resource];
  const withHeadroom = Number((amount * (1 + headroom)).toFixed(3));
  return Math.max(Math.ceil(withHeadroom / step) * step, LEAST[resource]);
}

function amountIn(amounts: unknown, resource: UsageResource): UsageAmount | undefined {
  const quantity = Quantity.tryParse(asRecord(amounts)?.[resource]);
  return quantity && Number(resource === 'cpu' ? quantity.milliValue() : quantity.value());
}

/**
 * Half of each request of the resources, for a trial: if the price falls, they keep the nodes.
 *
 * @param sized the requests that differ from those of the manifests
 */
export function halvedRequests(
  workloads: readonly SizableWorkload[],
  sized: readonly SizedRequest[],
  resources: readonly UsageResource[],
): SizedRequest[] {
  return workloads.flatMap((workload) =>
    workload.containers.flatMap((container) =>
      resources.flatMap((resource): SizedRequest[] => {
        const { name, path } = container;
        const before =
          sized.find((own) => own.workload === workload && own.path === path && own.resource === resource)?.after ??
          amountIn(container.resources.requests, resource) ??
          amountIn(container.resources.limits, resource);
        if (before === undefined || before < 2) return [];
        const after = Math.floor(before / 2);
        return [{ workload, container: name, path, resource, before, after, source: 'measured' }];
      }),
    ),
  );
}

/** The same files, read with these requests. A limit below its request is raised, because the API rejects it. */
export function withRequests(sources: readonly SourceFile[], requests: readonly SizedRequest[]): SourceFile[] {
  const byLabel = new Map<string, SizedRequest[]>();
  for (const request of requests) {
    const { label } = request.workload;
    byLabel.set(label, [...(byLabel.get(label) ?? []), request]);
  }
  return sources.map((file) => ({
    ...file,
    edit: (raw) => {
      const object = file.edit === undefined ? raw : file.edit(raw);
      return object && (byLabel.get(workloadLabel(object)) ?? []).reduce(withRequest, object);
    },
  }));
}

function withRequest(
  raw: Readonly<Record<string, unknown>>,
  { path, resource, after, limit }: SizedRequest,
): Readonly<Record<string, unknown>> {
  const amount = resource === 'cpu' ? `${after}m` : String(after);
  const resized = withValue(raw, [...path, 'resources', 'requests', resource], amount);
  const changed = limit !== undefined && limit < after;
  return asRecord(changed ? withValue(resized, [...path, 'resources', 'limits', resource], amount) : resized)!;
}

/** A copy with another value at the path. Only what contains the value is copied. */
function withValue(container: unknown, path: FieldPath, value: unknown): unknown {
  if (path.length === 0) return value;
  const [step, ...rest] = path;
  if (Array.isArray(container))
    return container.map((item, index) => (index === step ? withValue(item, rest, value) : item));
  const record = asRecord(container) ?? {};
  // Objects of manifests have no prototype, so that a key such as __proto__ is a key.
  return Object.assign(Object.create(null), record, { [step]: withValue(record[step], rest, value) });
}
