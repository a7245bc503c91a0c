import { HorizontalAutoscaler, horizontalAutoscalers, scaledObjects } from './horizontal-autoscalers';
import { asRecord, FieldPath, removeField, setField, unsafeFix } from '../../../../contract';
import { amountsText, numberText, parseResourceList, Quantity, resourceAmount, valueText } from '../../../../model';
import { findUnresolved, whyUnresolved } from '../../../manifest/find-unresolved';
import { WorkloadManifest } from '../../../manifest/model';
import { recordsOf, stringOrUndefined } from '../../../manifest/records';
import { podSpecOf } from '../../common/pod-constraints';
import { defineRule, Judgement, SubjectFinding } from '../../define-rule';
import { subjectsFrom } from '../../subjects';

/** No pod uses so many times its request. */
const FAR_ABOVE_REQUEST = 20n;
/** Less memory than any program uses, in thousandths of bytes. */
const FEWEST_MEMORY = 1000n * 2n ** 20n;
/** A number that was likely meant as a percentage of the requests. */
const PERCENTAGE = /^\d{1,3}$/;

/** A target for the resource use of each pod. */
interface UseTarget {
  readonly resource: string;
  /** The only container that counts. @default - all containers */
  readonly container?: string;
  /** Of the amount. */
  readonly path: FieldPath;
  readonly value: unknown;
  /** Whether the amount is a share of the requests, in percent. */
  readonly isShare: boolean;
}

/** @see https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#algorithm-details */
export const autoscalerTargetOutOfReach = defineRule({
  id: 'KARP-441',
  name: 'autoscaler-target-out-of-reach',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'An autoscaler keeps a use of CPU or memory that no pod reaches, or that each pod exceeds: it never scales, or never back.',
  subjects: subjectsFrom<HorizontalAutoscaler>(
    ({ model }) => [...horizontalAutoscalers(model), ...scaledObjects(model)],
    {
      where: ({ object, target }) => target !== undefined && targetsOf(object.raw).length > 0,
      unknown: ({ object, target }) =>
        findUnresolved(targetsOf(object.raw).map(({ value }) => value)) === undefined
          ? whyUnresolved(recordsOf(podSpecOf(target!)?.containers).map(({ resources }) => resources))
          : 'its targets are known only at deployment',
    },
  ),
  judge: ({ object, target }): Judgement =>
    targetsOf(object.raw).flatMap((each) => {
      const finding = judgeTarget(each, target!);
      return finding === undefined ? [] : [{ ...finding, evidence: { resource: each.resource, target: each.value } }];
    }),
});

function judgeTarget(target: UseTarget, workload: WorkloadManifest): Omit<SubjectFinding, 'evidence'> | undefined {
  const { resource, path, value, isShare } = target;
  if (isShare && !/^-?\d{1,9}$/.test(valueText(value)))
    return path[1] !== 'triggers'
      ? undefined
      : {
          path,
          message: `${valueText(value)} is not a whole number of percent: KEDA refuses the ScaledObject, which never scales`,
          remedy: `write a percentage of the requests, such as 80, or metricType: AverageValue for an amount of ${resource}`,
        };
  const { requests, limits } = amountsOf(target, workload);
  if (requests === undefined || requests === 0n) return undefined;
  const quantity = isShare ? undefined : Quantity.tryParse(value);
  const wanted = isShare
    ? (requests * BigInt(Math.round(Number(value)))) / 100n
    : quantity && resourceAmount(resource, quantity);
  if (wanted === undefined || wanted <= 0n) return undefined;
  const text = (amount: bigint) => amountsText([resource], new Map([[resource, amount]]));
  if (limits !== undefined && wanted > limits)
    return {
      path,
      message: `keeps ${isShare ? `${valueText(value)}% of the requests, which is ${text(wanted)}` : text(wanted)} for each pod, and the limit of a pod is ${text(limits)}: no pod reaches it, and this metric never adds pods`,
      ...remedyFor(target, `write a target below ${isShare ? `${percent(limits, requests)}%` : text(limits)}`),
    };
  if (isShare) return undefined;
  if (resource === 'memory' && wanted < FEWEST_MEMORY)
    return {
      path,
      message: `keeps ${numberText(Number(wanted) / 1000)} bytes of memory for each pod, which every pod exceeds: it always runs the most replicas`,
      ...remedyFor(target, 'write an amount with a unit, such as 512Mi'),
    };
  if (limits !== undefined || wanted < requests * FAR_ABOVE_REQUEST) return undefined;
  return {
    path,
    message: `keeps ${text(wanted)} for each pod, and a pod requests ${text(requests)}: hardly any pod reaches it, and this metric never adds pods`,
    ...remedyFor(target, 'write an amount near the requests'),
  };
}

/** A small number was meant as a percentage, which has a field of its own. */
function remedyFor(
  { path, value, resource, isShare }: UseTarget,
  other: string,
): Pick<SubjectFinding, 'remedy' | 'fix'> {
  const isPercentage = !isShare && PERCENTAGE.test(valueText(value)) && Number(value) > 0 && path[0] === 'spec';
  if (!isPercentage || path.at(-1) !== 'averageValue')
    return {
      remedy: isPercentage ? `write metricType: Utilization, with which ${valueText(value)} is a percentage` : other,
    };
  const target = path.slice(0, -1);
  return {
    remedy: `write type: Utilization and averageUtilization: ${valueText(value)}, which is a percentage of the requests of ${resource}, instead of averageValue`,
    fix: unsafeFix(
      setField([...target, 'averageUtilization'], Number(value)),
      removeField(path),
      setField([...target, 'type'], 'Utilization'),
    ),
  };
}

function percent(part: bigint, whole: bigint): number {
  return Number((part * 100n) / whole);
}

/** The requests and limits of the containers that count. Undefined if one of them has none. */
function amountsOf({ resource, container }: UseTarget, workload: WorkloadManifest) {
  const containers = recordsOf(podSpecOf(workload)?.containers).filter(
    ({ name }) => container === undefined || name === container,
  );
  const sum = (fields: readonly string[]) =>
    containers.reduce<bigint | undefined>((total, { resources }) => {
      const written = fields.map((field) => asRecord(asRecord(resources)?.[field])?.[resource]);
      const value = written.find((amount) => amount !== undefined && amount !== null);
      const amount = Quantity.tryParse(value) && parseResourceList({ [resource]: value as string }).get(resource);
      return total === undefined || amount === undefined ? undefined : total + amount;
    }, 0n);
  return containers.length === 0
    ? { requests: undefined, limits: undefined }
    : { requests: sum(['requests', 'limits']), limits: sum(['limits']) };
}

/** Targets for CPU and memory of a HorizontalPodAutoscaler, or of the triggers of a ScaledObject. */
function targetsOf(raw: any): UseTarget[] {
  const isResource = (name: unknown): name is string => name === 'cpu' || name === 'memory';
  const ofMetrics = recordsOf(raw?.spec?.metrics).flatMap((metric, index): UseTarget[] => {
    const field = metric.type === 'ContainerResource' ? 'containerResource' : 'resource';
    const source = asRecord(metric[field]);
    const target = asRecord(source?.target);
    if (!isResource(source?.name) || target === undefined) return [];
    const isShare = target.averageUtilization !== undefined;
    const name = isShare ? 'averageUtilization' : 'averageValue';
    return [
      {
        resource: source.name,
        ...(field === 'resource' ? {} : { container: stringOrUndefined(source.container) ?? '' }),
        path: ['spec', 'metrics', index, field, 'target', name],
        value: target[name],
        isShare,
      },
    ];
  });
  const ofTriggers = recordsOf(raw?.spec?.triggers).flatMap((trigger, index): UseTarget[] => {
    const { type, metricType } = trigger;
    const metadata = asRecord(trigger.metadata);
    if (!isResource(type) || metadata === undefined) return [];
    return [
      {
        resource: type,
        ...(metadata.containerName === undefined ? {} : { container: stringOrUndefined(metadata.containerName) ?? '' }),
        path: ['spec', 'triggers', index, 'metadata', 'value'],
        value: metadata.value,
        isShare: (metricType ?? metadata.type) !== 'AverageValue',
      },
    ];
  });
  return [...ofMetrics, ...ofTriggers].filter(({ value }) => value !== undefined && value !== null);
}
