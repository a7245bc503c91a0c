import { classNameOf, isStorageClass, writtenClaims } from './written-claims';
import { FieldPath, setField, unsafeFix } from '../../../contract';
import { listText, memoizeByIdentity } from '../../../model';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel, ManifestObject } from '../../manifest/model';
import { PlainRecord } from '../../manifest/records';
import { DEFAULT_CLASS_ANNOTATION, isDefaultClass } from '../../manifest/workload/storage';
import { defineRule } from '../define-rule';
import { subjectsFrom } from '../subjects';

const PATH: FieldPath = ['metadata', 'annotations', DEFAULT_CLASS_ANNOTATION];

/** @see https://kubernetes.io/docs/concepts/storage/storage-classes/#default-storageclass */
export const defaultStorageClassTwice = defineRule({
  id: 'KARP-829',
  name: 'default-storage-class-twice',
  severity: 'warning',
  summary: 'Two different StorageClasses are the default: claims without a class get the one that was created last.',
  subjects: subjectsFrom<{ readonly object: ManifestObject }>(({ model }) =>
    defaultClasses(model).map((object) => ({ object })),
  ),
  judge({ object }, { model }) {
    const all = defaultClasses(model);
    const others = all.filter(({ name }) => name !== object.name).map(({ name }) => name);
    if (others.length === 0 || givenUp(all) !== object || all.every((each) => isSame(each, object))) return undefined;
    const claims = writtenClaims(model).filter((claim) => classNameOf(claim, NONE) === undefined);
    const named = [...new Set(claims.map((claim) => `${claim.object.kind} ${claim.object.name}`))];
    return {
      path: PATH,
      message: `is the default class like StorageClass ${listText(others)}, which makes other volumes: claims without a class, such as ${
        named[0] ?? 'those of charts'
      }, get the class that was created last`,
      remedy: `write ${DEFAULT_CLASS_ANNOTATION}: "false" in all but one`,
      severity: named.length === 0 ? 'info' : 'warning',
      evidence: { defaults: [object.name, ...others], claims: named },
      fix: unsafeFix(setField(PATH, 'false')),
    };
  },
});

const NONE = { written: new Map(), names: new Set<string>(), isComplete: false };

const defaultClasses = memoizeByIdentity(({ objects }: ManifestModel) =>
  objects.filter(
    (object) =>
      isStorageClass(object) && isDefaultClass(object.raw as PlainRecord) && findUnresolved(object.raw) === undefined,
  ),
);

/** The class that is the default from before: that of gp2, else the first one. */
function givenUp(classes: readonly ManifestObject[]): ManifestObject {
  return classes.find(({ name }) => name === 'gp2') ?? classes[0];
}

function isSame(left: ManifestObject, right: ManifestObject): boolean {
  const text = ({ raw }: ManifestObject) => JSON.stringify({ ...raw, metadata: undefined });
  return text(left) === text(right);
}
