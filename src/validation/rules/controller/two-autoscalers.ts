import { setField, unsafeFix } from '../../../contract';
import { shortListText } from '../../../model';
import { gitOpsReleases } from '../../controller';
import { FieldPath, ManifestModel, ManifestObject } from '../../manifest/model';
import { imagesOf } from '../common/ordinary-pods';
import { defineRule } from '../define-rule';
import { subjectsFrom } from '../subjects';

const IMAGE = /(?:^|\/)cluster-autoscaler(?:-[a-z0-9]+)?(?:[:@]|$)/;
const CHART = 'cluster-autoscaler';

/** An installation of Cluster Autoscaler. */
interface Installation {
  readonly object: ManifestObject;
  readonly replicas: unknown;
  readonly path: FieldPath;
}

/** @see https://karpenter.sh/docs/getting-started/migrating-from-cas/ */
export const twoAutoscalers = defineRule({
  id: 'KARP-913',
  name: 'two-autoscalers',
  severity: 'warning',
  summary: 'Cluster Autoscaler runs beside Karpenter: both add a node for the same pending pod.',
  subjects: subjectsFrom<Installation>(({ model }) => (model.nodePools.length > 0 ? installationsOf(model) : [])),
  judge({ object: { kind, name }, replicas, path }, { model }) {
    if (replicas === 0) return undefined;
    const pools = model.nodePools.map(({ object }) => object.name).sort();
    return {
      path,
      message:
        `Cluster Autoscaler sees the same pending pods as NodePool ${shortListText(pools)}, and neither waits for the other: ` +
        'if a pod fits its node groups, both add a node',
      remedy:
        kind === 'Deployment'
          ? `scale ${kind} ${name} to 0 when Karpenter has taken over, or keep pods off its node groups with a taint`
          : `write ${String(path.at(-1))}: 0 when Karpenter has taken over, or remove ${kind} ${name}; or keep pods off its node groups with a taint`,
      evidence: { nodePools: pools },
      ...(kind === 'Deployment' ? {} : { fix: unsafeFix(setField(path, 0)) }),
    };
  },
});

/** The workloads with its image, and the releases of its chart. */
function installationsOf({ workloads, objects }: ManifestModel): Installation[] {
  const written = workloads
    .filter((workload) => imagesOf(workload).some((image) => IMAGE.test(image)))
    .map(({ object, replicas }) => ({ object, replicas, path: ['spec', 'replicas'] }));
  const charts = gitOpsReleases(objects, CHART).map(({ object, values, valuesPath }) => ({
    object,
    replicas: values.replicaCount,
    path: [...valuesPath, 'replicaCount'],
  }));
  return [...written, ...charts];
}
