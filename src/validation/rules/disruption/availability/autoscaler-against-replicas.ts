import { HorizontalAutoscaler, horizontalAutoscalers } from './horizontal-autoscalers';
import { reconcilerOf } from './reconcilers';
import { removeField, unsafeFix } from '../../../../contract';
import { isCount } from '../../../manifest/field-reader';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { defineRule } from '../../define-rule';
import { subjectsFrom } from '../../subjects';

const PATH = ['spec', 'replicas'];

/**
 * A note, because nothing goes wrong until the manifest is applied again. Argo CD with selfHeal and Flux apply it at
 * once.
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
  judge({ object, target }, { model }) {
    const replicas: unknown = target!.object.raw?.spec?.replicas;
    // The autoscaler does not act on a workload with 0 replicas.
    if (!isCount(replicas) || replicas === 0) return undefined;
    const { minReplicas = 1, maxReplicas } = object.raw.spec ?? {};
    const reconciler = reconcilerOf(model, target!.object, `/${PATH.join('/')}`);
    const effect =
      reconciler === undefined
        ? `each apply, also by GitOps, goes back to ${replicas}, and the nodes of the other pods are removed and launched again`
        : `${reconciler} goes back to ${replicas} whenever the autoscaler has changed it, so that pods, and the nodes of the others, come and go without end`;
    return {
      object: target!.object,
      path: PATH,
      message: `sets replicas: ${replicas}, but HorizontalPodAutoscaler ${object.name} sets ${minReplicas} to ${maxReplicas}: ${effect}`,
      remedy: 'remove replicas from the manifest',
      evidence: { replicas, autoscaler: object.name, minReplicas, maxReplicas, reconciler: reconciler ?? null },
      fix: unsafeFix(removeField(PATH)),
      ...(reconciler === undefined ? {} : { severity: 'warning' as const }),
    };
  },
});
