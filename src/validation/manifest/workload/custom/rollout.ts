import { asRecord } from '../../../../contract';
import { FieldPath, ManifestObject } from '../../object';
import { PlainRecord } from '../../records';

const REFERENCED: readonly unknown[] = ['Deployment', 'ReplicaSet'];

/**
 * The Deployment with the same pods as a Rollout of Argo. The pod template, and by default the selector, may be those
 * of a workload that the Rollout refers to.
 */
export function rolloutParts(object: ManifestObject, objects: readonly ManifestObject[]): ManifestObject[] | undefined {
  const spec = asRecord(object.raw.spec) ?? {};
  if (spec.workloadRef === undefined) {
    if (spec.template === undefined) return undefined;
    return [{ ...deploymentOf(object, object.name, spec), ...(object.source ? { source: object.source } : {}) }];
  }
  const referenced = referencedBy(object, objects);
  const { template, selector } = asRecord(referenced?.raw.spec) ?? {};
  if (referenced === undefined || template === undefined) return undefined;
  const name = rolloutPartName(object);
  const isTemplate = (path: FieldPath) => path[0] === 'spec' && path[1] === 'template';
  return [
    {
      ...deploymentOf(object, name, { ...spec, selector: spec.selector ?? selector, template }),
      locate: (path) => (isTemplate(path) ? referenced : object).locate(path),
    },
  ];
}

/** The name of the Deployment. The workload that the Rollout refers to may have the Rollout's own name. */
export function rolloutPartName({ raw, name }: ManifestObject): string {
  return raw.spec?.workloadRef === undefined ? name : `${name}-rollout`;
}

/** Workloads without pods of their own, because a Rollout that refers to them scales them down. */
export function scaledDownByRollouts(objects: readonly ManifestObject[]): ReadonlySet<ManifestObject | undefined> {
  const scaling = objects.filter((object) => {
    const { scaleDown } = asRecord(object.raw.spec?.workloadRef) ?? {};
    return isRollout(object) && (scaleDown === 'onsuccess' || scaleDown === 'progressively');
  });
  return new Set(scaling.map((rollout) => referencedBy(rollout, objects)));
}

export function isRollout({ apiVersion, kind }: Pick<ManifestObject, 'apiVersion' | 'kind'>): boolean {
  return kind === 'Rollout' && apiVersion.startsWith('argoproj.io/');
}

function referencedBy(rollout: ManifestObject, objects: readonly ManifestObject[]): ManifestObject | undefined {
  const { kind, name } = asRecord(rollout.raw.spec?.workloadRef) ?? {};
  if (!REFERENCED.includes(kind)) return undefined;
  const namespace = rollout.namespace ?? 'default';
  return objects
    .filter((other) => other.kind === kind && other.name === name && (other.namespace ?? 'default') === namespace)
    .at(-1);
}

function deploymentOf(object: ManifestObject, name: string, spec: PlainRecord): ManifestObject {
  const [apiVersion, kind] = ['apps/v1', 'Deployment'];
  const metadata = { ...asRecord(object.raw.metadata), name };
  const raw = { apiVersion, kind, metadata, spec: { ...spec, strategy: strategyOf(asRecord(spec.strategy)) } };
  return {
    apiVersion,
    kind,
    name,
    namespace: object.namespace,
    raw,
    madeBy: object,
    locate: (path) => object.locate(path),
  };
}

/** A blue-green Rollout runs all pods of both versions for a time. */
function strategyOf(strategy: PlainRecord | undefined): PlainRecord {
  const { maxSurge, maxUnavailable } = asRecord(strategy?.canary) ?? {};
  const isBlueGreen = asRecord(strategy?.blueGreen) !== undefined;
  const rollingUpdate = isBlueGreen
    ? { maxSurge: '100%', maxUnavailable: 0 }
    : {
        ...(maxSurge === undefined ? {} : { maxSurge }),
        ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
      };
  return { type: 'RollingUpdate', rollingUpdate };
}
