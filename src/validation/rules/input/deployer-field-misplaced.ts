import {
  asRecord,
  FieldFix,
  FieldPath,
  formatFieldPath,
  removeField,
  renameField,
  setField,
  unsafeFix,
} from '../../../contract';
import { listText } from '../../../model';
import { misplacedFields } from '../../controller';
import { ManifestObject } from '../../manifest/model';
import { defineRule, SubjectFinding } from '../define-rule';
import { subjectsFrom } from '../subjects';

const KINDS: readonly string[] = ['HelmRelease', 'Application', 'ClusterConfig'];
type Misplaced = ReturnType<typeof misplacedFields>[number];

/** @see https://fluxcd.io/flux/components/helm/helmreleases/#values */
export const deployerFieldMisplaced = defineRule<ManifestWithKind>({
  id: 'KARP-014',
  name: 'deployer-field-misplaced',
  severity: 'error',
  summary:
    'A field of a HelmRelease, an Application or a ClusterConfig is misspelt, or at another level than it belongs.',
  subjects: subjectsFrom(({ model }) =>
    model.objects.filter(({ kind }) => KINDS.includes(kind)).map((object) => ({ object })),
  ),
  judge: ({ object }) => misplacedFields(object).map((fields) => finding(object, fields)),
});

interface ManifestWithKind {
  readonly object: ManifestObject;
}

function finding(object: ManifestObject, fields: Misplaced): SubjectFinding {
  const { parent, keys, meant, areValues } = fields;
  const names = listText(keys);
  const place = parent.length === 0 ? `a ${object.kind}` : formatFieldPath(parent);
  const consequence =
    object.kind === 'ClusterConfig'
      ? 'eksctl refuses the file'
      : `the API server refuses or drops ${keys.length === 1 ? 'it' : 'them'}`;
  const values = areValues ? ', and without values the chart gets its defaults' : '';
  const isRenamed = keys.length === 1 && !areValues && formatFieldPath(parent) === formatFieldPath(meant.slice(0, -1));
  return {
    path: [...parent, keys[0]],
    message: `${names} ${keys.length === 1 ? 'is no field' : 'are no fields'} of ${place}: ${consequence}${values}`,
    remedy: isRenamed
      ? `write ${String(meant.at(-1))}`
      : `move ${names} ${areValues || keys.length > 1 ? 'into' : 'to'} ${formatFieldPath(meant)}`,
    evidence: { fields: keys, meant: formatFieldPath(meant) },
    fix: fixOf(object, fields, isRenamed),
  };
}

function fixOf({ raw }: ManifestObject, { parent, keys, meant, areValues }: Misplaced, isRenamed: boolean): FieldFix {
  const pathOf = (key: string): FieldPath => [...parent, key];
  if (isRenamed) return unsafeFix(renameField(pathOf(keys[0]), String(meant.at(-1))));
  const valueOf = (key: string) => pathOf(key).reduce<unknown>((value, step) => asRecord(value)?.[step], raw);
  const removals = keys.map((key) => removeField(pathOf(key)));
  if (keys.length > 1 && !areValues)
    return unsafeFix(...removals, ...keys.map((key) => setField([...meant, key], valueOf(key))));
  const moved = areValues ? Object.fromEntries(keys.map((key) => [key, valueOf(key)])) : valueOf(keys[0]);
  return unsafeFix(...removals, setField(meant, moved));
}
