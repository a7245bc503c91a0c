import { BlockedDeployment } from '../../manifest/model';
import { defineRule, SubjectFinding } from '../define-rule';
import { subjectsFrom } from '../subjects';

/**
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/projects/
 */
export const deploymentBlocked = defineRule<BlockedDeployment>({
  id: 'KARP-012',
  name: 'deployment-blocked',
  severity: 'error',
  summary:
    'An object of Flux or Argo CD, or a dependency of a chart, fails or waits forever, so that what it deploys never arrives in the cluster; or two of them deploy the same objects.',
  subjects: subjectsFrom(({ model }) => model.blockedDeployments ?? [], {
    where: ({ problem }) => problem.kind === 'blocked',
  }),
  judge: findingOf,
});

export function findingOf({ problem }: BlockedDeployment): SubjectFinding {
  const { path, message, remedy, evidence, severity } = problem;
  return { path, message, remedy, evidence, ...(severity ? { severity } : {}) };
}
