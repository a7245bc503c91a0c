import { DisruptionDraft, DisruptionFeature, podsOf } from './draft';
import { capacityBuffer, podTemplate } from '../schedule-scenario/capacity-features';
import { Json } from '../schedule-scenario/draft';

const SCALABLE = ['Deployment', 'StatefulSet', 'ReplicaSet'];

/** A buffer for a workload with running pods, or with a pod template of its own. */
const capacityBuffers: DisruptionFeature = {
  name: 'capacityBuffers',
  apply(draft) {
    const { dice, settings, workloads, others } = draft;
    settings.featureGates.CapacityBuffer = !dice.chance(0.1);
    const scalable = workloads.filter(({ kind }) => SCALABLE.includes(kind));
    const count = dice.pick([1, 1, 2]);
    for (let index = 0; index < count; index += 1) {
      const target = scalable.length > 0 && dice.chance(0.5) ? dice.pick(scalable) : undefined;
      if (target && !others.includes(target)) others.push(scaled(target, draft));
      others.push(
        ...(target ? [] : [podTemplate(dice, `buffer-${index}`)]),
        capacityBuffer(dice, `buffer-${index}`, target),
      );
    }
  },
};

/** The workload with as many replicas as it has running pods. */
function scaled(workload: Json, draft: DisruptionDraft): Json {
  const running = podsOf(draft).filter(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined &&
      status.phase === 'Running' &&
      metadata.ownerReferences?.some(({ uid }: Json) => uid === `of-${workload.metadata.name}`),
  );
  workload.spec.replicas = running.length;
  return workload;
}

/** Applied last, because buffers count the running pods. */
export const BUFFER_FEATURES: readonly DisruptionFeature[] = [capacityBuffers];
