import { FieldSpec } from './changes/field-spec';
import { Generator } from './changes/generators';
import { ImageChange } from './changes/images';
import { PatchOptions } from './changes/patches';
import { FieldReplacement } from './changes/replacements';
import { SelectorFields } from './changes/selector';
import { Variable } from './changes/variables';
import { DecodingProblem, decoded, KUSTOMIZATION_TYPE } from './kustomization-fields';
import { KustomizeRefusal } from './refusal';
import { SortOptions } from './resources/legacy-order';
import { documentsOf } from './resources/read-resources';
import { newFields } from './values';
import { SourceFile } from '../../../model';

/** The names that kustomize looks for, in any folder exactly one of them. */
export const KUSTOMIZATION_NAMES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** A name that kustomize does not look for, though some people expect it to. */
export const MISNAMED_KUSTOMIZATION = 'kustomization';

export interface PatchEntry {
  readonly path?: string;
  readonly patch?: string;
  readonly target?: SelectorFields;
  readonly options?: PatchOptions;
}

/** The fields of a kustomization, after kustomize has replaced old names of fields. */
export interface Kustomization {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly namespace?: string;
  readonly commonLabels?: Readonly<Record<string, string>>;
  readonly labels?: ReadonlyArray<{
    readonly pairs?: Readonly<Record<string, string>>;
    readonly includeSelectors?: boolean;
    readonly includeTemplates?: boolean;
    readonly fields?: readonly FieldSpec[];
  }>;
  readonly commonAnnotations?: Readonly<Record<string, string>>;
  readonly patchesStrategicMerge?: readonly string[];
  readonly patchesJson6902?: readonly PatchEntry[];
  readonly patches?: readonly PatchEntry[];
  readonly images?: readonly ImageChange[];
  readonly imageTags?: readonly ImageChange[];
  readonly replacements?: ReadonlyArray<FieldReplacement & { readonly path?: string }>;
  readonly replicas?: ReadonlyArray<{ readonly name?: string; readonly count?: number }>;
  readonly vars?: readonly Variable[];
  readonly sortOptions?: SortOptions;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly crds?: readonly string[];
  readonly bases?: readonly string[];
  readonly configMapGenerator?: readonly Generator[];
  readonly secretGenerator?: readonly Generator[];
  readonly helmCharts?: readonly unknown[];
  readonly helmChartInflationGenerator?: readonly unknown[];
  readonly generatorOptions?: Generator['options'];
  readonly configurations?: readonly string[];
  readonly generators?: readonly string[];
  readonly transformers?: readonly string[];
  readonly validators?: readonly string[];
  readonly openapi?: Readonly<Record<string, string>>;
}

/**
 * Reads a kustomization as strictly as kustomize does.
 *
 * @throws Refusal if kustomize refuses the file
 */
export function readKustomization(file: SourceFile): Kustomization {
  const place = { file: file.path, field: [] };
  let value: unknown;
  try {
    [value] = documentsOf(file, true);
  } catch (error) {
    throw error instanceof KustomizeRefusal
      ? new KustomizeRefusal(`invalid Kustomization: ${error.message}`).in(place)
      : error;
  }
  let kustomization: Kustomization;
  try {
    kustomization = decodedKustomization(value ?? newFields());
  } catch (error) {
    if (!(error instanceof DecodingProblem)) throw error;
    throw new KustomizeRefusal(`invalid Kustomization: ${error.message}`, error.advice).in({
      file: file.path,
      field: error.path,
    });
  }
  const { apiVersion, kind, ...rest } = kustomization;
  if (Object.values(rest).every((field) => field === ''))
    throw new KustomizeRefusal('kustomization.yaml is empty').in(place);
  const isComponent = kind === 'Component';
  if (kind && kind !== 'Kustomization' && !isComponent)
    throw new KustomizeRefusal('kind should be Kustomization or Component').in({ ...place, field: ['kind'] });
  const version = `kustomize.config.k8s.io/${isComponent ? 'v1alpha1' : 'v1beta1'}`;
  if (apiVersion && apiVersion !== version)
    throw new KustomizeRefusal(`apiVersion for ${kind || 'Kustomization'} should be ${version}`).in({
      ...place,
      field: ['apiVersion'],
    });
  return kustomization;
}

/** @throws DecodingProblem if a value has a wrong type, or a field is unknown */
export function decodedKustomization(value: unknown): Kustomization {
  const kustomization = decoded(value, KUSTOMIZATION_TYPE) as Kustomization;
  const { bases = [], resources = [], imageTags = [], images = [] } = kustomization;
  return {
    ...kustomization,
    ...(bases.length > 0 ? { resources: [...resources, ...bases] } : {}),
    ...(imageTags.length > 0 ? { images: [...images, ...imageTags] } : {}),
  };
}
