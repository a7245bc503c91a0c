import { KustomizeRefusal } from './refusal';
import { PlainFields, isFields, newFields } from './values';
import { nearestName } from '../../../../../model';
import { FieldPath } from '../../../model';

/** The type of a field, as Go's decoder checks it. A mapping of types is a struct: other fields are refused. */
type FieldType =
  | 'text'
  | 'flag'
  | 'number'
  | 'any'
  | 'texts'
  | { readonly list: FieldType }
  | { readonly fields: Readonly<Record<string, FieldType>> };

const TEXT_LIST: FieldType = { list: 'text' };
const KIND = { group: 'text', version: 'text', kind: 'text' } as const;
const ID = { ...KIND, name: 'text', namespace: 'text' } as const;
const SELECTOR: FieldType = { fields: { ...ID, annotationSelector: 'text', labelSelector: 'text' } };
export const FIELD_SPEC: FieldType = { fields: { ...KIND, path: 'text', create: 'flag' } };
const PATCHES: FieldType = {
  list: {
    fields: {
      path: 'text',
      patch: 'text',
      target: SELECTOR,
      options: { fields: { allowNameChange: 'flag', allowKindChange: 'flag' } },
    },
  },
};
const OPTIONS: FieldType = {
  fields: { labels: 'texts', annotations: 'texts', disableNameSuffixHash: 'flag', immutable: 'flag' },
};
const GENERATOR = {
  namespace: 'text',
  name: 'text',
  behavior: 'text',
  literals: TEXT_LIST,
  files: TEXT_LIST,
  envs: TEXT_LIST,
  env: 'text',
  options: OPTIONS,
} as const;
const FIELD_OPTIONS: FieldType = { fields: { delimiter: 'text', index: 'number', encoding: 'text', create: 'flag' } };
const REPLACEMENT = {
  source: { fields: { ...ID, fieldPath: 'text', options: FIELD_OPTIONS } },
  sourceValue: 'text',
  targets: {
    list: {
      fields: { select: SELECTOR, reject: { list: SELECTOR }, fieldPaths: TEXT_LIST, options: FIELD_OPTIONS },
    },
  },
} as const satisfies Readonly<Record<string, FieldType>>;
const IMAGES: FieldType = {
  list: { fields: { name: 'text', newName: 'text', tagSuffix: 'text', newTag: 'text', digest: 'text' } },
};

export const REPLACEMENT_TYPE: FieldType = { fields: REPLACEMENT };

/** @see https://github.com/kubernetes-sigs/kustomize/blob/api/v0.21.1/api/types/kustomization.go */
export const KUSTOMIZATION_TYPE: FieldType = {
  fields: {
    apiVersion: 'text',
    kind: 'text',
    metadata: { fields: { name: 'text', namespace: 'text', labels: 'texts', annotations: 'texts' } },
    openapi: 'texts',
    namePrefix: 'text',
    nameSuffix: 'text',
    namespace: 'text',
    commonLabels: 'texts',
    labels: {
      list: {
        fields: {
          pairs: 'texts',
          includeSelectors: 'flag',
          includeTemplates: 'flag',
          fields: { list: FIELD_SPEC },
        },
      },
    },
    commonAnnotations: 'texts',
    patchesStrategicMerge: TEXT_LIST,
    patchesJson6902: PATCHES,
    patches: PATCHES,
    images: IMAGES,
    imageTags: IMAGES,
    replacements: { list: { fields: { ...REPLACEMENT, path: 'text' } } },
    replicas: { list: { fields: { name: 'text', count: 'number' } } },
    vars: {
      list: {
        fields: {
          name: 'text',
          objref: { fields: { apiVersion: 'text', ...ID } },
          fieldref: { fields: { fieldPath: 'text' } },
        },
      },
    },
    sortOptions: {
      fields: { order: 'text', legacySortOptions: { fields: { orderFirst: TEXT_LIST, orderLast: TEXT_LIST } } },
    },
    resources: TEXT_LIST,
    components: TEXT_LIST,
    crds: TEXT_LIST,
    bases: TEXT_LIST,
    configMapGenerator: { list: { fields: GENERATOR } },
    secretGenerator: { list: { fields: { ...GENERATOR, type: 'text' } } },
    helmGlobals: 'any',
    helmCharts: { list: 'any' },
    helmChartInflationGenerator: { list: 'any' },
    generatorOptions: OPTIONS,
    configurations: TEXT_LIST,
    generators: TEXT_LIST,
    transformers: TEXT_LIST,
    validators: TEXT_LIST,
    buildMetadata: TEXT_LIST,
  },
};

/** A value that the decoder refuses, and where it is. */
export class DecodingProblem extends KustomizeRefusal {
  public constructor(
    message: string,
    public readonly path: FieldPath,
    remedy?: string,
  ) {
    super(message, remedy === undefined ? undefined : { remedy });
  }
}

/**
 * The value with the names of its fields as they are declared: Go's decoder ignores their case. A null value is left
 * out.
 *
 * @throws DecodingProblem if a value has another type, or a field is unknown
 */
export function decoded(value: unknown, type: FieldType, path: FieldPath = []): unknown {
  if (value === null || value === undefined) return undefined;
  const fail = () => {
    const field = path.filter((step) => typeof step === 'string').join('.');
    const wanted = typeof type === 'string' ? GO_TYPES[type] : 'list' in type ? 'list' : 'object';
    return new DecodingProblem(
      `json: cannot unmarshal ${jsonType(value)} into Go struct field Kustomization.${field} of type ${wanted}`,
      path,
    );
  };
  switch (type) {
    case 'any':
      return value;
    case 'text':
      if (typeof value !== 'string') throw fail();
      return value;
    case 'flag':
      if (typeof value !== 'boolean') throw fail();
      return value;
    case 'number':
      if (typeof value !== 'number' || !Number.isInteger(value)) throw fail();
      return value;
    case 'texts':
      if (!isFields(value)) throw fail();
      for (const [key, inner] of Object.entries(value)) decoded(inner, 'text', [...path, key]);
      return newFields(
        Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inner === null ? '' : inner])),
      );
    default:
      if ('list' in type) {
        if (!Array.isArray(value)) throw fail();
        // Go's decoder makes an empty value of null.
        return value.map((item, index) => decoded(item ?? emptyValue(type.list), type.list, [...path, index]));
      }
      if (!isFields(value)) throw fail();
      return decodedStruct(value, type.fields, path);
  }
}

function unknownField(key: string, path: FieldPath, fields: Readonly<Record<string, FieldType>>): DecodingProblem {
  const near = nearestName(key, Object.keys(fields));
  return new DecodingProblem(
    `json: unknown field "${key}"`,
    [...path, key],
    near === undefined ? undefined : `write ${near}`,
  );
}

function emptyValue(type: FieldType): unknown {
  return type === 'text' ? '' : newFields();
}

function decodedStruct(value: PlainFields, fields: Readonly<Record<string, FieldType>>, path: FieldPath): PlainFields {
  const names = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]));
  const result = newFields();
  for (const [key, inner] of Object.entries(value)) {
    const name = names.get(key.toLowerCase());
    if (name === undefined) throw unknownField(key, path, fields);
    const decodedValue = decoded(inner, fields[name], [...path, key]);
    if (decodedValue !== undefined) result[name] = decodedValue;
  }
  return result;
}

const GO_TYPES = { text: 'string', flag: 'bool', number: 'int', any: 'any', texts: 'map[string]string' } as const;

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
