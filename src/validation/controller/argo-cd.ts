import { parse } from 'yaml';
import { mergedValues } from './chart';
import { SyncedRelease, textOf } from './synced-release';
import { asRecord } from '../../contract';
import { FieldPath, ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';

/**
 * The charts of an Application: of its one source, or of several.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/helm/
 */
export function argoReleases(object: ManifestObject): SyncedRelease[] {
  const spec = asRecord(object.raw.spec);
  if (object.kind !== 'Application' || !object.apiVersion.startsWith('argoproj.io/') || !spec) return [];
  const source = asRecord(spec.source);
  const sources: ReadonlyArray<readonly [PlainRecord, FieldPath]> = source
    ? [[source, ['spec', 'source']]]
    : recordsOf(spec.sources).map((each, at) => [each, ['spec', 'sources', at]] as const);
  return sources.filter(([each]) => isOfChart(each)).map(([each, path]) => releaseOf(object, asRecord(spec.destination), each, path));
}

/** What has a path and no chart is a folder of a repository, whose own chart may have Karpenter's in it. */
function isOfChart({ chart, repoURL }: PlainRecord): boolean {
  return textOf(chart) !== '' || textOf(repoURL).startsWith('oci://');
}

function releaseOf(object: ManifestObject, destination: PlainRecord | undefined, source: PlainRecord, path: FieldPath): SyncedRelease {
  const helm = asRecord(source.helm) ?? {};
  const written = writtenValues(helm.values);
  const parameters = recordsOf(helm.parameters);
  const isElsewhere = [helm.valueFiles, helm.fileParameters].some((list) => Array.isArray(list) && list.length > 0);
  const hasObject = asRecord(helm.valuesObject) !== undefined;
  return {
    object,
    chart: textOf(source.chart),
    repository: textOf(source.repoURL),
    version: textOf(source.targetRevision) || undefined,
    versionPath: [...path, 'targetRevision'],
    name: textOf(helm.releaseName) || object.name,
    namespace: textOf(destination?.namespace) || 'default',
    values: parameters.reduce(withParameter, hasObject ? asRecord(helm.valuesObject)! : written ?? {}),
    complete: !isElsewhere && (hasObject || written !== undefined),
    valuesPath: [...path, 'helm', hasObject ? 'valuesObject' : 'values'],
    updatesCrds: helm.skipCrds !== true,
    crdsPath: [...path, 'helm', 'skipCrds'],
  };
}

/** Values in a text; undefined for a text that holds none. */
function writtenValues(values: unknown): PlainRecord | undefined {
  if (values === undefined || values === '') return {};
  try {
    return asRecord(parse(textOf(values)));
  } catch {
    return undefined;
  }
}

/** As `helm --set` has it, lists left aside. */
function withParameter(values: PlainRecord, { name, value, forceString }: PlainRecord): PlainRecord {
  const steps = textOf(name).split(/(?<!\\)\./).map((step) => step.replaceAll('\\.', '.'));
  const text = textOf(value);
  const typed = forceString === true ? text : TYPED.get(text) ?? (/^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text);
  return mergedValues(values, steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), typed) as PlainRecord);
}

const TYPED: ReadonlyMap<string, boolean> = new Map([['true', true], ['false', false]]);
