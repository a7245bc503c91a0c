import { countText, shortListText } from '../../../model';
import { fail, Outcome, Rule, RuleContext } from '../rule';

const POOL_KINDS: readonly string[] = ['NodePool', 'Provisioner'];
const KARPENTER = 'karpenter.sh/';

/** One finding for all pods of an input without a NodePool of any version. */
export const noNodePool: Rule = {
  id: 'KARP-003',
  name: 'no-node-pool',
  severity: 'error',
  summary: 'The input has workloads but no NodePool, so no pod is planned.',
  check({ model, plan, options }: RuleContext): Outcome[] {
    const { objects, cluster, workloads, aws, problems } = model;
    const hasPools = [...objects, ...(cluster?.objects ?? [])].some(
      ({ apiVersion, kind }) => apiVersion.startsWith(KARPENTER) && POOL_KINDS.includes(kind),
    );
    const pods = plan.notEvaluated.reduce((sum, group) => sum + group.pods.length, 0);
    const first = workloads.find(({ group }) => group !== undefined);
    // Resources with unknown content, such as nested stacks, may apply NodePools.
    if (hasPools || pods === 0 || !first || aws.opaque.length > 0 || options.mayBeEmpty) return [];
    const unread = problems.filter(({ evidence }) => typeof evidence.nodePools === 'number');
    const files = [
      ...new Set(
        unread.flatMap(({ evidence: { places }, location: { file, line } }) =>
          Array.isArray(places) ? (places as string[]) : `${file}:${line}`,
        ),
      ),
    ];
    const { why, remedy, severity } =
      files.length > 0
        ? onlyInUnread(
            files,
            unread.every((finding) => finding.severity === 'info'),
          )
        : model.isWithoutKarpenter && !cluster
          ? OTHER_REPOSITORY
          : NO_POOL;
    return [
      fail({
        object: first.object,
        path: [],
        ...(severity ? { severity } : {}),
        message: `${countText(pods, 'pod')} ${pods === 1 ? 'is' : 'are'} not planned, because ${why}`,
        remedy,
        evidence: { pods, ...(files.length > 0 ? { files } : {}) },
      }),
    ];
  },
};

interface Reason {
  readonly why: string;
  readonly remedy: string;
  readonly severity?: 'warning' | 'info';
}

const CLUSTER = 'the output of `kubectl get nodepools,ec2nodeclasses -o yaml` with --cluster';

const NO_POOL: Reason = {
  why: 'the input has no NodePool: which nodes Karpenter would launch is unknown',
  remedy: `pass the manifests of the NodePools and EC2NodeClasses as well, or give ${CLUSTER}`,
};

/** It is no mistake that a repository is about something else. */
const OTHER_REPOSITORY: Reason = {
  severity: 'warning',
  why: 'the input has no NodePool, and no file names Karpenter',
  remedy: `if Karpenter launches their nodes, pass the manifests of the NodePools and EC2NodeClasses as well, or give ${CLUSTER}`,
};

/** @param areOfCharts whether helm has rendered the files, with values that make no NodePool */
function onlyInUnread(files: readonly string[], areOfCharts: boolean): Reason {
  if (areOfCharts)
    return {
      severity: 'info',
      why: `the only NodePools are in charts whose values make none: ${shortListText(files, 3)}`,
      remedy: `pass the values of a cluster with --values FILE, or give ${CLUSTER}`,
    };
  return {
    severity: 'warning',
    why: `NodePools are only in files that cannot be read: ${shortListText(files, 3)}`,
    remedy: `pass the rendered manifests, or give ${CLUSTER}`,
  };
}
