import { classNameOf, storageClassesOf, WrittenClaim, writtenClaims } from './written-claims';
import { setField, unsafeFix } from '../../../contract';
import { nearestName, valueText } from '../../../model';
import { whyUnresolved } from '../../manifest/find-unresolved';
import { defineRule, Judgement, NOT_APPLICABLE, unknown } from '../define-rule';
import { subjectsFrom } from '../subjects';

/** @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/#class-1 */
export const storageClassMissing = defineRule({
  id: 'KARP-821',
  name: 'storage-class-missing',
  severity: 'error',
  summary: 'A claim names a StorageClass that does not exist: its pods stay Pending.',
  subjects: subjectsFrom<WrittenClaim>(({ model }) => writtenClaims(model), {
    unknown: ({ spec }) => whyUnresolved(spec.storageClassName),
  }),
  judge(claim, context) {
    const { path, spec } = claim;
    const classes = storageClassesOf(context);
    const name = classNameOf(claim, classes);
    if (name === '') return NOT_APPLICABLE;
    if (name === undefined) return withoutDefault(claim, classes.isComplete);
    if (classes.names.has(name)) return undefined;
    const nearest = nearestClass(name, [...classes.written.keys()]);
    if (nearest === undefined && !classes.isComplete) return unknown(`StorageClass ${name} is not in the input`);
    return {
      path: [...path, 'storageClassName'],
      message: `names StorageClass ${name}, which does not exist: no volume is created, and the pods that mount it stay Pending`,
      remedy:
        nearest === undefined
          ? 'name a StorageClass of the cluster, or create this one'
          : `write ${nearest} instead of ${name}`,
      evidence: { storageClassName: valueText(spec.storageClassName), nearest: nearest ?? null },
      ...(nearest === undefined ? {} : { fix: unsafeFix(setField([...path, 'storageClassName'], nearest)) }),
    };
  },
});

function withoutDefault({ path }: WrittenClaim, isComplete: boolean): Judgement {
  if (!isComplete) return unknown('it names no StorageClass, and the default one is not in the input');
  return {
    path: [...path, 'storageClassName'],
    message:
      'names no StorageClass, and no StorageClass of the cluster is the default: no volume is created, and the pods that mount it stay Pending',
    remedy: 'write a storageClassName',
    evidence: { storageClassName: null },
  };
}

/** Names that differ in a number, such as gp2 and gp3, are different classes and no typo. */
function nearestClass(name: string, names: readonly string[]): string | undefined {
  const letters = (text: string) => text.replace(/\d+/g, '');
  return nearestName(
    name,
    names.filter((other) => letters(other) !== letters(name)),
  );
}
