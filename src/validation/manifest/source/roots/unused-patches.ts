import { dirname, normalize } from 'path';
import { Kustomizations } from './kustomization';
import { objectsIn } from './root-objects';
import { asRecord } from '../../../../contract';
import { SourceFile } from '../../model';
import { PlainRecord, recordsOf } from '../../records';

/** A file with patches that no kustomization uses. */
export interface UnusedPatch {
  readonly file: SourceFile;
  /** The nearest folder with a kustomization: that of the file, or one that contains it. @default - none */
  readonly folder?: string;
}

/** Some patches are for the kustomization of another repository. */
const PATCH_NAME = /(?:^|[-_./])patch(?:es)?[-_.]/;

/**
 * Files with patches that were forgotten, or are commented out, beside a kustomization, or that are named like patches.
 * They define no object: the API server would refuse all of them, because fields are missing that only the patched
 * object has.
 *
 * @param files which no kustomization uses
 */
export function unusedPatches(files: readonly SourceFile[], kustomizations: Kustomizations): UnusedPatch[] {
  return files.flatMap((file) => {
    const folder = file.isFound ? nearestKustomization(file, kustomizations) : undefined;
    return (folder !== undefined || isNamedPatch(file)) && isPatch(file) ? [{ file, folder }] : [];
  });
}

function isNamedPatch({ isFound, path }: SourceFile): boolean {
  return isFound === true && PATCH_NAME.test(path);
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

function isPatch(file: SourceFile): boolean {
  const lacks = objectsIn(file).map((object) => lacksRequiredFields(object, isNamedPatch(file)));
  return lacks.includes(true) && !lacks.includes(false);
}

/** Whether fields are missing without which no object of the kind exists. Undefined for other kinds. */
function lacksRequiredFields({ kind, spec: value }: PlainRecord, isNamed: boolean): boolean | undefined {
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
      return hasNoContainers(spec);
    case 'CronJob':
      return hasNoContainers(asRecord(asRecord(spec.jobTemplate)?.spec) ?? {});
    case 'NodePool':
      return asRecord(asRecord(spec.template)?.spec)?.nodeClassRef === undefined;
    case 'EC2NodeClass':
      return (
        (isNamed && spec.amiSelectorTerms === undefined) ||
        (spec.subnetSelectorTerms === undefined && spec.securityGroupSelectorTerms === undefined)
      );
    default:
      return undefined;
  }
}

function hasNoContainers({ template }: PlainRecord): boolean {
  return recordsOf(asRecord(asRecord(template)?.spec)?.containers).length === 0;
}
