import { findingOf } from './deployment-blocked';
import { BlockedDeployment } from '../../manifest/model';
import { defineRule } from '../define-rule';
import { subjectsFrom } from '../subjects';

/** @see https://fluxcd.io/flux/components/kustomize/kustomizations/#suspend */
export const deploymentSuspended = defineRule<BlockedDeployment>({
  id: 'KARP-013',
  name: 'deployment-suspended',
  severity: 'warning',
  summary: 'NodePools, node classes or Karpenter are in an object of Flux or Argo CD that is suspended.',
  subjects: subjectsFrom(({ model }) => model.blockedDeployments ?? [], {
    where: ({ problem }) => problem.kind === 'suspended',
  }),
  judge: findingOf,
});
