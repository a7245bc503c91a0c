import { SchedulePlan } from '../../scheduling';
import { FieldPath, WorkloadManifest } from '../manifest/model';
import { groupsOf } from '../schedule-input';
import { limitRangeDefaults } from './private/limit-range';
import { fail, notEvaluated, pass } from './private/outcome';
import { podSpecOf } from './private/pod-constraints';
import { findUnresolved } from './private/unresolved';
import { count, joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';

const REQUIRED = ['cpu', 'memory'];

interface Lack {
  readonly container: string;
  readonly resources: readonly string[];
  readonly path: FieldPath;
}

/** @see https://karpenter.sh/docs/troubleshooting/#unspecified-resource-requests-cause-scheduleunschedule-loops */
export class MissingRequests implements Rule {
  public readonly id = 'KARP-306';
  public readonly name = 'missing-requests';
  public readonly severity = 'error';
  public readonly summary = 'A container requests no CPU or no memory: Karpenter counts nothing for it, and packs nodes too full.';

  public check(context: RuleContext): Outcome[] {
    const defaultsOf = limitRangeDefaults(context.model);
    return context.model.workloads.flatMap((workload) => {
      const pod = podSpecOf(workload);
      if (!Array.isArray(pod?.containers)) {
        return [];
      }
      const lacks = lacksOf(workload, pod, defaultsOf(workload.namespace));
      if (lacks.length > 0) {
        return [this.finding(context.plan, workload, lacks)];
      }
      const unknown = findUnresolved([pod.containers, pod.initContainers].flat().map((container) => container?.resources));
      return [unknown === undefined
        ? pass(workload.object)
        : notEvaluated(workload.object, `the value of ${unknown} is known only at deployment`)];
    });
  }

  private finding(plan: SchedulePlan, workload: WorkloadManifest, lacks: readonly Lack[]): Outcome {
    const resources = REQUIRED.filter((resource) => lacks.some((lack) => lack.resources.includes(resource)));
    const named = lacks.map(({ container, resources: missing }) => `${container} (${joinNames(missing)})`);
    const most = mostPerNode(plan, workload);
    const packed = most === undefined ? '' : `; the plan puts ${most.pods} of its pods on one node (${most.instanceType})`;
    return fail({
      object: workload.object,
      path: lacks[0].path,
      message: `${count(lacks.length, 'container')} without ${joinNames(resources, 'or')} requests: ${joinNames(named)}; `
        + `Karpenter chooses nodes by requests and counts 0 for these${packed}`,
      remedy: `set ${joinNames(resources.map((resource) => `resources.requests.${resource}`))} of each to what it really uses`,
      evidence: { containers: lacks.map(({ container, resources: missing }) => ({ name: container, missing })), mostPodsPerNode: most?.pods ?? null },
      // One pod a node, and AWS ships some of its own daemonsets without: the harm is bounded.
      severity: workload.kind === 'DaemonSet' ? 'warning' : undefined,
    });
  }
}

function lacksOf(workload: WorkloadManifest, pod: any, defaults: ReadonlySet<string>): Lack[] {
  const sidecars = (Array.isArray(pod.initContainers) ? pod.initContainers : [])
    .flatMap((container: any, index: number) => container?.restartPolicy === 'Always' ? [{ container, list: 'initContainers', index }] : []);
  const containers = pod.containers.map((container: any, index: number) => ({ container, list: 'containers', index }));
  return [...containers, ...sidecars].flatMap(({ container, list, index }): Lack[] => {
    const resources = REQUIRED.filter((resource) => !defaults.has(resource) && !isStated(resource, container?.resources, pod.resources));
    const path = [...workload.podPath, list, index, 'resources'];
    return resources.length === 0 ? [] : [{ container: typeof container?.name === 'string' ? container.name : `${list}[${index}]`, resources, path }];
  });
}

/** A limit alone becomes the request too, of a container as of a whole pod. */
function isStated(resource: string, ...places: readonly any[]): boolean {
  return places.some((place) => [place?.requests?.[resource], place?.limits?.[resource]].some((amount) => amount !== undefined && amount !== null));
}

function mostPerNode(plan: SchedulePlan, workload: WorkloadManifest): { pods: number; instanceType: string } | undefined {
  let most: { pods: number; instanceType: string } | undefined;
  const groups = groupsOf(workload);
  for (const claim of groups.length === 0 ? [] : plan.nodeClaims) {
    const pods = groups.reduce((sum, group) => sum + (claim.groups.get(group) ?? 0), 0);
    if (pods > (most?.pods ?? 1)) {
      most = { pods, instanceType: claim.cheapest?.instanceType ?? claim.instanceTypes[0] };
    }
  }
  return most;
}
