import { HELM_GROUP, KUSTOMIZE_GROUP, SOURCE_GROUP, WiredObject } from './wired-objects';
import { asRecord, FieldPath } from '../../../../../contract';
import { PlainRecord, recordsOf, stringOrUndefined } from '../../../records';

/** What an object of Flux names. */
export interface FluxReference {
  readonly path: FieldPath;
  readonly group: string;
  readonly kind: string;
  /** Kinds that the field may name as well. */
  readonly kinds: readonly string[];
  readonly name: string;
  /** @default - that of the object */
  readonly namespace?: string;
  readonly use: 'dependency' | 'source' | 'values';
}

const FILE_SOURCES = ['GitRepository', 'OCIRepository', 'Bucket'];
const CHART_SOURCES = ['HelmRepository', 'GitRepository', 'Bucket'];
const CHARTS = ['OCIRepository', 'HelmChart'];

/**
 * All objects that a Kustomization or HelmRelease needs before it is applied.
 *
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#dependencies
 */
export function fluxReferences({ group, kind, spec }: WiredObject): FluxReference[] {
  if (group === KUSTOMIZE_GROUP && kind === 'Kustomization')
    return [
      ...sourceIn(spec.sourceRef, ['spec', 'sourceRef'], FILE_SOURCES),
      ...dependenciesIn(spec, group, kind),
      ...valuesIn(asRecord(spec.postBuild)?.substituteFrom, ['spec', 'postBuild', 'substituteFrom']),
    ];
  if (group === HELM_GROUP && kind === 'HelmRelease')
    return [
      ...sourceIn(
        asRecord(asRecord(spec.chart)?.spec)?.sourceRef,
        ['spec', 'chart', 'spec', 'sourceRef'],
        CHART_SOURCES,
      ),
      ...sourceIn(spec.chartRef, ['spec', 'chartRef'], CHARTS),
      ...dependenciesIn(spec, group, kind),
      ...valuesIn(spec.valuesFrom, ['spec', 'valuesFrom']),
    ];
  return [];
}

function sourceIn(value: unknown, path: FieldPath, kinds: readonly string[]): FluxReference[] {
  const reference = asRecord(value);
  const named = reference && namedIn(reference, path);
  const kind = stringOrUndefined(reference?.kind);
  if (!named || kind === undefined || !kinds.includes(kind)) return [];
  return [{ ...named, group: SOURCE_GROUP, kind, kinds, use: 'source' }];
}

function dependenciesIn({ dependsOn }: PlainRecord, group: string, kind: string): FluxReference[] {
  return recordsOf(dependsOn).flatMap((entry, index): FluxReference[] => {
    const named = namedIn(entry, ['spec', 'dependsOn', index]);
    return named ? [{ ...named, group, kind, kinds: [kind], use: 'dependency' }] : [];
  });
}

/** A ConfigMap or Secret that is not optional. It has to be in the namespace of the object. */
function valuesIn(entries: unknown, path: FieldPath): FluxReference[] {
  return recordsOf(entries).flatMap((entry, index): FluxReference[] => {
    const named = namedIn(entry, [...path, index]);
    const kind = stringOrUndefined(entry.kind);
    if (!named || entry.optional === true || (kind !== 'ConfigMap' && kind !== 'Secret')) return [];
    const { name } = named;
    return [{ path: named.path, name, group: '', kind, kinds: [kind], use: 'values' }];
  });
}

function namedIn(
  { name, namespace }: PlainRecord,
  path: FieldPath,
): Pick<FluxReference, 'name' | 'namespace' | 'path'> | undefined {
  if (typeof name !== 'string') return undefined;
  return { name, path, ...(typeof namespace === 'string' ? { namespace } : {}) };
}
