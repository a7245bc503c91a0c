import { asRecord, FieldPath, setField, unsafeFix } from '../../../../contract';
import { countText, Label, selects } from '../../../../model';
import { PodAffinityTerm } from '../../../../scheduling';
import { isToken } from '../../../manifest/field-reader';
import { WorkloadManifest } from '../../../manifest/model';
import { allPodsHaveNodes } from '../../common/placements';
import { defineRule, NOT_APPLICABLE } from '../../define-rule';
import { launchZonesOf } from '../../instance-selection/spread-over-zone-without-types';
import { workloads } from '../../subjects';

const UPDATE: FieldPath = ['spec', 'strategy', 'rollingUpdate'];
/** The default of the API server, for both settings. */
const SHARE = '25%';
const HASH = 'pod-template-hash';

/** @see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#max-unavailable */
export const rolloutWithoutFreeZone = defineRule({
  id: 'KARP-449',
  name: 'rollout-without-free-zone',
  severity: 'warning',
  summary:
    'Pods exclude each other from a zone and fill all zones, and a rolling update starts a new pod first: it stays Pending, and the rollout hangs.',
  subjects: workloads({
    where: ({ kind, shape, replicas }) => kind === 'Deployment' && shape !== undefined && replicas > 0,
  }),
  judge(workload, context) {
    const { object, shape, replicas } = workload;
    const index = (shape!.podAntiAffinity?.required ?? []).findIndex((term) => excludesOwnPods(term, workload));
    const strategy = asRecord(object.raw.spec?.strategy) ?? {};
    if (index < 0 || strategy.type === 'Recreate' || isToken(JSON.stringify(strategy))) return NOT_APPLICABLE;
    const { maxUnavailable = SHARE, maxSurge = SHARE } = asRecord(strategy.rollingUpdate) ?? {};
    const unavailable = podsOf(maxUnavailable, replicas, Math.floor);
    // Kubernetes takes 1 for maxUnavailable if both settings round to 0.
    if (unavailable === undefined || unavailable > 0 || podsOf(maxSurge, replicas, Math.ceil) === 0) return undefined;
    const zones = launchZonesOf(context, workload).offering;
    if (zones.length === 0 || replicas < zones.length || !allPodsHaveNodes(context, workload)) return undefined;
    const isDefault = asRecord(strategy.rollingUpdate)?.maxUnavailable === undefined;
    const path = [...UPDATE, 'maxUnavailable'];
    return {
      path,
      message:
        `its ${countText(replicas, 'pod')} exclude each other from a zone and fill all ${zones.length} zones, and maxUnavailable is ` +
        `${isDefault ? `${SHARE} by default, which is 0 pods here` : '0'}: in a rolling update, the new pod stays Pending, and no old one ends`,
      remedy: 'write maxUnavailable: 1, so that an old pod ends first',
      evidence: { replicas, zones, maxUnavailable },
      fix: unsafeFix(setField(path, 1)),
    };
  },
});

/** Pods of another revision count, unless the term is for pods with the same hash of the template. */
function excludesOwnPods(term: PodAffinityTerm, { shape, namespace }: WorkloadManifest): boolean {
  const { topologyKey, labelSelector, namespaces = [], namespaceSelector } = term;
  const isOfOwnNamespace = namespaceSelector === undefined && namespaces.every((name) => name === namespace);
  const isOfRevision = (labelSelector?.matchExpressions ?? []).some(({ key }) => key === HASH);
  return (
    topologyKey === Label.ZONE &&
    labelSelector !== undefined &&
    isOfOwnNamespace &&
    !isOfRevision &&
    selects(labelSelector, shape!.labels ?? {})
  );
}

function podsOf(written: unknown, replicas: number, round: (share: number) => number): number | undefined {
  if (typeof written === 'number') return written;
  const [, percent] = /^(\d{1,3})%$/.exec(typeof written === 'string' ? written : '') ?? [];
  return percent === undefined ? undefined : round((Number(percent) * replicas) / 100);
}
