import { HorizontalAutoscaler, horizontalAutoscalers } from './horizontal-autoscalers';
import { asRecord, setField, unsafeFix } from '../../../../contract';
import { nearestName } from '../../../../model';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { ManifestObject, WorkloadManifest } from '../../../manifest/model';
import { recordsOf, stringOrUndefined } from '../../../manifest/records';
import { containersWithoutRequest } from '../../common/container-requests';
import { podSpecOf } from '../../common/pod-constraints';
import { defineRule, SubjectFinding } from '../../define-rule';
import { subjectsFrom } from '../../subjects';

const RESOURCES: readonly string[] = ['cpu', 'memory'];

/** A metric that compares the use of containers with their requests. */
interface Utilization {
  readonly resource: string;
  /** The only container that counts. @default - all containers */
  readonly container?: string;
}

/**
 * @see https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#how-does-a-horizontalpodautoscaler-work
 */
export const autoscalerWithoutRequest = defineRule({
  id: 'KARP-436',
  name: 'autoscaler-without-request',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'A HorizontalPodAutoscaler measures utilization of a resource that a container does not request, or a container that does not exist: it never scales.',
  subjects: subjectsFrom<HorizontalAutoscaler>(({ model }) => horizontalAutoscalers(model), {
    where: ({ object, target }) =>
      target !== undefined && (utilizationsOf(object.raw).length > 0 || misspeltContainers(object, target).length > 0),
    unknown: ({ object, target }) => whyUnresolved([object.raw?.spec?.metrics, podSpecOf(target!)?.containers]),
  }),
  judge: ({ object, target }, { model }) => [
    ...misspeltContainers(object, target!),
    ...utilizationsOf(object.raw).flatMap(({ resource, container }): SubjectFinding[] => {
      const missing = containersWithoutRequest(model, target!, resource).filter(
        ({ name }) => container === undefined || name === container,
      );
      if (missing.length === 0) return [];
      const [{ name, path }] = missing;
      return [
        {
          object: target!.object,
          path,
          message: `container ${name} requests no ${resource}, so that HorizontalPodAutoscaler ${object.name} cannot compute the ${resource} utilization of the pods: it never scales`,
          remedy: `set resources.requests.${resource} of container ${name}, or measure another container with a ContainerResource metric`,
          evidence: { autoscaler: object.name, resource, containers: missing.map((found) => found.name) },
        },
      ];
    }),
  ],
});

/** Containers that the target almost has. Another name may be that of a container that a webhook adds. */
function misspeltContainers(object: ManifestObject, target: WorkloadManifest): SubjectFinding[] {
  const containers = recordsOf(podSpecOf(target)?.containers).flatMap(({ name }) => stringOrUndefined(name) ?? []);
  return recordsOf(asRecord(object.raw?.spec)?.metrics).flatMap(({ containerResource }, index): SubjectFinding[] => {
    const name = stringOrUndefined(asRecord(containerResource)?.container);
    const meant = name === undefined || containers.includes(name) ? undefined : nearestName(name, containers);
    if (meant === undefined) return [];
    const path = ['spec', 'metrics', index, 'containerResource', 'container'];
    return [
      {
        path,
        message: `measures container ${name}, which ${target.kind} ${target.name} does not have: it never scales`,
        remedy: `write ${meant}`,
        evidence: { container: name, nearest: meant },
        fix: unsafeFix(setField(path, meant)),
      },
    ];
  });
}

/** Without metrics, an autoscaler keeps the CPU utilization at 80 %. */
function utilizationsOf(raw: any): Utilization[] {
  const spec = asRecord(raw?.spec);
  if (String(raw?.apiVersion) === 'autoscaling/v1' || spec?.metrics === undefined) return [{ resource: 'cpu' }];
  return recordsOf(spec.metrics).flatMap((metric): Utilization[] => {
    const source = asRecord(metric.type === 'ContainerResource' ? metric.containerResource : metric.resource);
    const resource = stringOrUndefined(source?.name);
    const isUtilization = asRecord(source?.target)?.type === 'Utilization';
    if (resource === undefined || !isUtilization || !RESOURCES.includes(resource)) return [];
    return metric.type === 'ContainerResource'
      ? [{ resource, container: stringOrUndefined(source?.container) ?? '' }]
      : [{ resource }];
  });
}
