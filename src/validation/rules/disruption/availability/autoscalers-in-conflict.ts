import { HorizontalAutoscaler, horizontalAutoscalers, scaledObjects } from './horizontal-autoscalers';
import { asRecord } from '../../../../contract';
import { listText, memoizeByIdentity } from '../../../../model';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { ManifestModel, ManifestObject } from '../../../manifest/model';
import { recordsOf, stringOrUndefined } from '../../../manifest/records';
import { defineRule, Judgement } from '../../define-rule';
import { subjectsFrom } from '../../subjects';

/** All autoscalers of one workload, if there are several; the first one is the subject. */
interface Rivals {
  readonly object: ManifestObject;
  readonly target: string;
  readonly horizontal: readonly HorizontalAutoscaler[];
  readonly vertical: readonly ManifestObject[];
}

const TRANSFER = 'scaledobject.keda.sh/transfer-hpa-ownership';
/** Modes in which the autoscaler changes the requests of running pods. */
const CHANGING: readonly unknown[] = [undefined, 'Auto', 'Recreate', 'InPlaceOrRecreate'];
const RESOURCES: readonly string[] = ['cpu', 'memory'];

/**
 * @see https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/
 * @see https://keda.sh/docs/latest/concepts/scaling-deployments/
 * @see https://github.com/kubernetes/autoscaler/blob/master/vertical-pod-autoscaler/docs/known-limitations.md
 */
export const autoscalersInConflict = defineRule({
  id: 'KARP-437',
  name: 'autoscalers-in-conflict',
  severity: 'error',
  isWorkloadAdvice: true,
  summary: 'Two autoscalers change one workload: they do not scale it, or their changes drive each other.',
  subjects: subjectsFrom<Rivals>(({ model }) => rivalsOf(model), {
    unknown: ({ horizontal, vertical }) =>
      whyUnresolved([...horizontal.map(({ object }) => object.raw.spec), ...vertical.map(({ raw }) => raw.spec)]),
  }),
  judge: (rivals) => judgeHorizontal(rivals) ?? judgeVertical(rivals),
});

/** Two HorizontalPodAutoscalers of the same pods stop with the condition AmbiguousSelector. */
function judgeHorizontal({ target, horizontal }: Rivals): Judgement {
  if (horizontal.length < 2) return undefined;
  const [first, ...others] = horizontal.map(({ object }) => `${object.kind} ${object.name}`);
  const scaled = horizontal.find(({ object }) => object.kind === 'ScaledObject');
  const outcome =
    scaled === undefined
      ? 'neither scales it (AmbiguousSelector)'
      : `KEDA makes a HorizontalPodAutoscaler of its own, and refuses to scale what another one scales`;
  return {
    object: horizontal[0].object,
    path: ['spec', 'scaleTargetRef'],
    message: `scales ${target}, as ${listText(others)} ${others.length === 1 ? 'does' : 'do'}: ${outcome}`,
    remedy:
      scaled === undefined
        ? `keep one of ${listText([first, ...others])}, with the metrics of all`
        : `keep ScaledObject ${scaled.object.name}, with a trigger of type cpu or memory for the metrics of the other one`,
    evidence: { target, autoscalers: [first, ...others] },
  };
}

function judgeVertical({ target, horizontal, vertical }: Rivals): Judgement {
  const measured = new Set(horizontal.flatMap(({ object }) => measuredResources(object)));
  for (const object of vertical) {
    const shared = controlledResources(object).filter((resource) => measured.has(resource));
    if (shared.length === 0) continue;
    const [{ object: other }] = horizontal;
    return {
      object,
      path: ['spec', 'targetRef'],
      message: `sets requests of ${listText(shared)} of ${target}, and ${other.kind} ${other.name} scales it by the utilization of the same requests: each change of one changes what the other measures`,
      remedy: `write updatePolicy: {updateMode: "Off"}, or let ${other.kind} ${other.name} measure something else than ${listText(shared)}`,
      evidence: { target, resources: shared, autoscaler: other.name },
      severity: 'warning',
    };
  }
  return undefined;
}

const rivalsOf = memoizeByIdentity((model: ManifestModel): readonly Rivals[] => {
  const byTarget = new Map<
    string,
    { horizontal: HorizontalAutoscaler[]; vertical: ManifestObject[]; target: string }
  >();
  const rivalsFor = (namespace: string, kind: string, name: string) => {
    const key = JSON.stringify([namespace, kind, name]);
    const found = byTarget.get(key) ?? { horizontal: [], vertical: [], target: `${kind} ${namespace}/${name}` };
    byTarget.set(key, found);
    return found;
  };
  for (const autoscaler of [...horizontalAutoscalers(model), ...scaledObjects(model)]) {
    const annotations = asRecord(autoscaler.object.raw.metadata?.annotations);
    if (annotations?.[TRANSFER] === 'true') continue;
    const { namespace, targetKind, targetName, object } = autoscaler;
    const { horizontal } = rivalsFor(namespace, targetKind, targetName);
    // The same autoscaler may be in several files, for several environments.
    if (horizontal.every((other) => other.object.kind !== object.kind || other.object.name !== object.name))
      horizontal.push(autoscaler);
  }
  for (const object of model.objects) {
    if (object.kind !== 'VerticalPodAutoscaler' || !object.apiVersion.startsWith('autoscaling.k8s.io/')) continue;
    const spec = asRecord(object.raw.spec);
    const target = asRecord(spec?.targetRef);
    const [kind, name] = [stringOrUndefined(target?.kind), stringOrUndefined(target?.name)];
    if (kind === undefined || name === undefined) continue;
    if (CHANGING.includes(asRecord(spec?.updatePolicy)?.updateMode))
      rivalsFor(object.namespace ?? 'default', kind, name).vertical.push(object);
  }
  return [...byTarget.values()]
    .filter(({ horizontal, vertical }) => horizontal.length > 1 || (horizontal.length === 1 && vertical.length > 0))
    .map((rivals) => ({ ...rivals, object: rivals.horizontal[0].object }));
});

/** The resources whose utilization, relative to the requests, decides about replicas. */
function measuredResources({ kind, apiVersion, raw }: ManifestObject): string[] {
  const spec = asRecord(raw.spec);
  if (kind === 'ScaledObject')
    return recordsOf(spec?.triggers).flatMap(({ type, metricType }) =>
      RESOURCES.includes(type as string) && metricType !== 'AverageValue' ? [type as string] : [],
    );
  if (apiVersion === 'autoscaling/v1' || spec?.metrics === undefined) return ['cpu'];
  return recordsOf(spec.metrics).flatMap(({ resource, containerResource }) => {
    const source = asRecord(resource) ?? asRecord(containerResource);
    const name = stringOrUndefined(source?.name);
    return name !== undefined && asRecord(source?.target)?.type === 'Utilization' ? [name] : [];
  });
}

/** The resources whose requests the autoscaler sets for some container. */
function controlledResources({ raw }: ManifestObject): string[] {
  const policies = recordsOf(asRecord(raw.spec?.resourcePolicy)?.containerPolicies);
  const controlled = policies
    .filter(({ mode }) => mode !== 'Off')
    .flatMap(({ controlledResources: named }) =>
      Array.isArray(named) ? RESOURCES.filter((resource) => named.includes(resource)) : RESOURCES,
    );
  return policies.length === 0 ? [...RESOURCES] : [...new Set(controlled)];
}
