import { shortListText } from '../../../model';
import { count } from '../common/wording';
import { fail, Outcome, Rule, RuleContext } from '../rule';

const POOL_KINDS: readonly string[] = ['NodePool', 'Provisioner'];
const KARPENTER = 'karpenter.sh/';

/** One finding for all pods of an input without a NodePool of any version. */
export const noNodePool: Rule = {
  id: 'KARP-003',
  name: 'no-node-pool',
  severity: 'error',
  summary: 'The input has workloads but no NodePool, so no pod is planned.',
  check({ model: { objects, cluster, workloads, aws, problems }, plan, options }: RuleContext): Outcome[] {
    const hasPools = [...objects, ...(cluster?.objects ?? [])].some(
      ({ apiVersion, kind }) => apiVersion.startsWith(KARPENTER) && POOL_KINDS.includes(kind),
    );
    const pods = plan.notEvaluated.reduce((sum, group) => sum + group.pods.length, 0);
    const first = workloads.find(({ group }) => group !== undefined);
    // Resources with unknown content, such as nested stacks, may apply NodePools.
    if (hasPools || pods === 0 || !first || aws.opaque.length > 0 || options.mayBeEmpty) return [];
    const unread = problems.filter(({ evidence }) => typeof evidence.nodePools === 'number');
    if (unread.length > 0) {
      const files = [...new Set(unread.map(({ location: { file, line } }) => `${file}:${line}`))];
      return [
        fail({
          object: first.object,
          path: [],
          severity: 'warning',
          message: `${count(pods, 'pod')} ${pods === 1 ? 'is' : 'are'} not planned, because NodePools are only in files that cannot be read: ${shortListText(files, 3)}`,
          remedy:
            'pass the rendered manifests, or give the output of `kubectl get nodepools,ec2nodeclasses -o yaml` with --cluster',
          evidence: { pods, files },
        }),
      ];
    }
    return [
      fail({
        object: first.object,
        path: [],
        message: `${count(pods, 'pod')} ${pods === 1 ? 'is' : 'are'} not planned, because the input has no NodePool: which nodes Karpenter would launch is unknown`,
        remedy:
          'pass the manifests of the NodePools and EC2NodeClasses as well, or give the output of `kubectl get nodepools,ec2nodeclasses -o yaml` with --cluster',
        evidence: { pods },
      }),
    ];
  },
};
