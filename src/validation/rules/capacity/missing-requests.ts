import { SchedulePlan } from '../../../scheduling';
import { podGroupIndices } from '../../context/schedule-input';
import { FieldPath, ManifestModel, WorkloadManifest } from '../../manifest/model';
import { podSpecOf } from '../common/pod-constraints';
import { findUnresolved } from '../common/unresolved';
import { count, joinNames } from '../common/wording';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

const REQUIRED = ['cpu', 'memory'];
/** With so many pods that count as 0, a node gets far more work than it was chosen for. */
const PODS_OF_AN_OVERCOMMITTED_NODE = 10;
const NONE: ReadonlySet<string> = new Set();
/** A missing default is the maximum, and a missing request is then the minimum. */
const DEFAULTING_FIELDS = ['default', 'defaultRequest', 'max', 'min'];

interface MissingRequest {
  readonly container: string;
  readonly resources: readonly string[];
  readonly path: FieldPath;
}

/** @see https://karpenter.sh/docs/troubleshooting/#unspecified-resource-requests-cause-scheduleunschedule-loops */
export class MissingRequests implements Rule {
  public readonly id = 'KARP-306';
  public readonly name = 'missing-requests';
  public readonly severity = 'warning';
  public readonly isWorkloadAdvice = true;
  public readonly summary = 'A container has no CPU or memory request: Karpenter counts it as 0 and packs too many pods on a node.';

  public check(context: RuleContext): Outcome[] {
    const defaultsOf = limitRangeDefaults(context.model);
    return context.model.workloads.flatMap((workload) => {
      const pod = podSpecOf(workload);
      if (!Array.isArray(pod?.containers)) {
        return [];
      }
      const missing = missingRequestsOf(workload, pod, defaultsOf(workload.namespace));
      if (missing.length > 0) {
        return [this.finding(context.plan, workload, missing)];
      }
      const unknown = findUnresolved([pod.containers, pod.initContainers].flat().map((container) => container?.resources));
      return [unknown === undefined
        ? pass(workload.object)
        : notEvaluated(workload.object, `the value of ${unknown} is known only at deployment`)];
    });
  }

  private finding(plan: SchedulePlan, workload: WorkloadManifest, containers: readonly MissingRequest[]): Outcome {
    const resources = REQUIRED.filter((resource) => containers.some((container) => container.resources.includes(resource)));
    const named = containers.map(({ container, resources: missing }) => `${container} (${joinNames(missing)})`);
    const fullest = fullestNode(plan, workload);
    const packed = fullest === undefined ? '' : `; the plan puts ${fullest.pods} of its pods on one node (${fullest.instanceType})`;
    return fail({
      object: workload.object,
      path: containers[0].path,
      message: `${count(containers.length, 'container')} without ${joinNames(resources, 'or')} requests: ${joinNames(named)}; `
        + `Karpenter sizes nodes by requests and counts these as 0${packed}`,
      remedy: `set ${joinNames(resources.map((resource) => `resources.requests.${resource}`))} of each container to its real use`,
      evidence: {
        containers: containers.map(({ container, resources: missing }) => ({ name: container, missing })),
        mostPodsPerNode: fullest?.pods ?? null,
      },
      severity: fullest !== undefined && fullest.pods >= PODS_OF_AN_OVERCOMMITTED_NODE ? 'error' : undefined,
    });
  }
}

function missingRequestsOf(workload: WorkloadManifest, pod: any, defaults: ReadonlySet<string>): MissingRequest[] {
  const sidecars = (Array.isArray(pod.initContainers) ? pod.initContainers : [])
    .flatMap((container: any, index: number) => container?.restartPolicy === 'Always' ? [{ container, list: 'initContainers', index }] : []);
  const containers = pod.containers.map((container: any, index: number) => ({ container, list: 'containers', index }));
  return [...containers, ...sidecars].flatMap(({ container, list, index }): MissingRequest[] => {
    const resources = REQUIRED.filter((resource) => !defaults.has(resource) && !isRequested(resource, container?.resources, pod.resources));
    const path = [...workload.podPath, list, index, 'resources'];
    return resources.length === 0 ? [] : [{ container: typeof container?.name === 'string' ? container.name : `${list}[${index}]`, resources, path }];
  });
}

/** A limit without a request becomes the request, in the resources of a container and of a whole pod. */
function isRequested(resource: string, ...resources: readonly any[]): boolean {
  return resources.some((written) =>
    [written?.requests?.[resource], written?.limits?.[resource]].some((amount) => amount !== undefined && amount !== null));
}

/** The planned node with most pods of the workload, if it has at least 2. */
function fullestNode(plan: SchedulePlan, workload: WorkloadManifest): { pods: number; instanceType: string } | undefined {
  let fullest: { pods: number; instanceType: string } | undefined;
  const groups = podGroupIndices(workload);
  for (const claim of groups.length === 0 ? [] : plan.nodeClaims) {
    const pods = groups.reduce((sum, group) => sum + (claim.groups.get(group) ?? 0), 0);
    if (pods > (fullest?.pods ?? 1)) {
      fullest = { pods, instanceType: claim.cheapest?.instanceType ?? claim.instanceTypes[0] };
    }
  }
  return fullest;
}

/**
 * Resources for which a LimitRange gives every container of a namespace a request.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/apis/core/v1/defaults.go SetDefaults_LimitRangeItem
 */
function limitRangeDefaults({ objects, cluster }: ManifestModel): (namespace: string) => ReadonlySet<string> {
  const defaults = new Map<string, Set<string>>();
  for (const { apiVersion, kind, namespace = 'default', raw } of [...objects, ...cluster?.objects ?? []]) {
    if (apiVersion !== 'v1' || kind !== 'LimitRange' || !Array.isArray(raw?.spec?.limits)) continue;
    const resources = raw.spec.limits.filter((limit: any) => limit?.type === 'Container')
      .flatMap((limit: any) => DEFAULTING_FIELDS.flatMap((field) => Object.keys(limit[field] ?? {})));
    defaults.set(namespace, new Set([...defaults.get(namespace) ?? [], ...resources]));
  }
  return (namespace) => defaults.get(namespace) ?? NONE;
}
