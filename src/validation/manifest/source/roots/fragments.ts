import { dirname, normalize } from 'path';
import { Kustomizations } from './kustomization';
import { isOfKind, objectsIn, POOL_KINDS, WORKLOAD_KINDS } from './root-objects';
import { asRecord } from '../../../../contract';
import { shortListText, valueText } from '../../../../model';
import { SourceFile } from '../../model';
import { PlainRecord, recordsOf } from '../../records';

/** A file with objects that are not whole: patches that no kustomization uses, or parts of objects. */
export interface FragmentFile {
  readonly file: SourceFile;
  /** The nearest folder with a kustomization: that of the file, or one that contains it. @default - none */
  readonly folder?: string;
  /** The file without these objects. @default - no other object is in it */
  readonly rest?: SourceFile;
}

/** Some patches are for the kustomization of another repository, or for `kubectl patch`. */
const PATCH_NAME = /(?:^|[-_./])patch(?:es)?[-_./]/;

/**
 * Files with patches that were forgotten, or are commented out, beside a kustomization, or that are named like patches,
 * and parts of objects anywhere. They define no object: the API server would refuse all of them, because fields are
 * missing that only the patched object has.
 *
 * @param files which no kustomization uses
 */
export function fragmentFiles(files: readonly SourceFile[], kustomizations: Kustomizations): FragmentFile[] {
  return files.flatMap((file): FragmentFile[] => {
    if (!file.isFound) return [];
    const folder = nearestKustomization(file, kustomizations);
    const isNamed = PATCH_NAME.test(file.path);
    const objects = objectsIn(file);
    // An incomplete object beside whole ones is rather a mistake, except in a file that is named like a patch.
    const isPatchFile = isNamed || (folder !== undefined && !objects.some(isWholeWorkload));
    const isFragment = (object: PlainRecord) => isPart(object) || (isPatchFile && lacksRequiredFields(object, isNamed));
    const whole = objects.filter((object) => !isFragment(object));
    if (whole.length === objects.length) return [];
    const isWhole = (object: PlainRecord) => (isFragment(object) ? undefined : object);
    const rest = whole.length > 0 ? { ...file, edit: isWhole } : undefined;
    return [{ file, folder, rest }];
  });
}

/** Why such files are not judged, in one sentence for those beside a kustomization and one for others. */
export function describeFragments(files: readonly FragmentFile[]): string[] {
  return [
    describe(
      files.filter(({ folder }) => folder !== undefined),
      ['is a patch that no kustomization uses', 'are patches that no kustomization uses'],
    ),
    describe(
      files.filter(({ folder }) => folder === undefined),
      [
        'has a patch, or a part of an object: fields are missing that the API requires',
        'have patches, or parts of objects: fields are missing that the API requires',
      ],
    ),
  ].flat();
}

function describe(files: readonly FragmentFile[], [one, several]: readonly [string, string]): string[] {
  if (files.length === 0) return [];
  const names = shortListText(
    files.map(({ file }) => file.path),
    3,
  );
  return [`not judged: ${names} ${files.length === 1 ? one : several}`];
}

function nearestKustomization({ path }: SourceFile, kustomizations: Kustomizations): string | undefined {
  let folder = dirname(normalize(path));
  while (!kustomizations.has(folder)) {
    const outer = dirname(folder);
    if (outer === folder) return undefined;
    folder = outer;
  }
  return folder;
}

const WITH_SELECTOR = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'];

/** Whether nobody can have meant a whole object: it is a directive for a patch, or all that matters is missing. */
function isPart({ kind, spec: value, ...object }: PlainRecord): boolean {
  const spec = asRecord(value);
  if ('$patch' in object || (spec && '$patch' in spec)) return true;
  if (kind === 'NodePool') return spec !== undefined && spec.template === undefined;
  if (!WITH_SELECTOR.includes(valueText(kind)) || spec?.selector !== undefined) return false;
  return containersOf(spec ?? {}).every(({ image }) => image === undefined);
}

/** Whether fields are missing without which no object of the kind exists. */
function lacksRequiredFields({ kind, spec: value }: PlainRecord, isNamed: boolean): boolean {
  const spec = asRecord(value) ?? {};
  switch (kind) {
    case 'Deployment':
    case 'StatefulSet':
    case 'DaemonSet':
    case 'ReplicaSet':
      return spec.selector === undefined;
    case 'Pod':
      return recordsOf(spec.containers).length === 0;
    case 'Job':
      return containersOf(spec).length === 0;
    case 'CronJob':
      return containersOf(asRecord(asRecord(spec.jobTemplate)?.spec) ?? {}).length === 0;
    case 'NodePool':
      return asRecord(asRecord(spec.template)?.spec)?.nodeClassRef === undefined;
    case 'EC2NodeClass':
      return (
        (isNamed && spec.amiSelectorTerms === undefined) ||
        (spec.subnetSelectorTerms === undefined && spec.securityGroupSelectorTerms === undefined)
      );
    default:
      return false;
  }
}

function isWholeWorkload(object: PlainRecord): boolean {
  return isOfKind(object, [...POOL_KINDS, ...WORKLOAD_KINDS]) && !lacksRequiredFields(object, false);
}

function containersOf({ template }: PlainRecord): PlainRecord[] {
  return recordsOf(asRecord(asRecord(template)?.spec)?.containers);
}
