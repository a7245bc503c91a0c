import { HorizontalAutoscaler, horizontalAutoscalers } from './horizontal-autoscalers';
import { removeField, unsafeFix } from '../../../../contract';
import { isCount } from '../../../manifest/field-reader';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { defineRule } from '../../define-rule';
import { subjectsFrom } from '../../subjects';

const PATH = ['spec', 'replicas'];

/**
 * A note: nothing goes wrong until the autoscaler has changed the replicas and the manifest is applied again.
 *
 * @see https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#migrating-deployments-and-statefulsets-to-horizontal-autoscaling
 */
export const autoscalerAgainstReplicas = defineRule({
  id: 'KARP-435',
  name: 'autoscaler-against-replicas',
  severity: 'info',
  isWorkloadAdvice: true,
  summary: 'A workload with an autoscaler also sets replicas: each apply resets what the autoscaler has decided.',
  subjects: subjectsFrom<HorizontalAutoscaler>(({ model }) => horizontalAutoscalers(model), {
    where: ({ target }) => target !== undefined,
    unknown: ({ target }) => whyUnresolved(target!.object.raw?.spec?.replicas),
  }),
  judge({ object, target }) {
    const replicas: unknown = target!.object.raw?.spec?.replicas;
    // The autoscaler does not act on a workload with 0 replicas.
    if (!isCount(replicas) || replicas === 0) return undefined;
    const { minReplicas = 1, maxReplicas } = object.raw.spec ?? {};
    return {
      object: target!.object,
      path: PATH,
      message:
        `sets replicas: ${replicas}, but HorizontalPodAutoscaler ${object.name} sets ${minReplicas} to ${maxReplicas}: each apply, also by GitOps, ` +
        `goes back to ${replicas}, and the nodes of the other pods are removed and launched again`,
      remedy: 'remove replicas from the manifest',
      evidence: { replicas, autoscaler: object.name, minReplicas, maxReplicas },
      fix: unsafeFix(removeField(PATH)),
    };
  },
});
