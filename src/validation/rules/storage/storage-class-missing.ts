import {
  classNameOf,
  makesEbsVolumes,
  StorageClasses,
  storageClassesOf,
  WrittenClaim,
  writtenClaims,
} from './written-claims';
import { setField, unsafeFix } from '../../../contract';
import { nearestName, valueText } from '../../../model';
import { whyUnresolved } from '../../manifest/find-unresolved';
import { defineRule, Judgement, NOT_APPLICABLE, SubjectFinding, unknown } from '../define-rule';
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
    if (nearest === undefined && !classes.isComplete)
      return unlessInCluster(claim, name, classes) ?? unknown(`StorageClass ${name} is not in the input`);
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

/** Words of names by which a class is likely one of EBS volumes. */
const EBS_WORDS: readonly string[] = ['ebs', 'encrypted', 'gp2', 'gp3', 'io1', 'io2', 'sc1', 'ssd', 'st1'];

/** A class of EBS volumes that is not in the input, whose only class of such volumes may be the one that is meant. */
function unlessInCluster(
  { path, spec }: WrittenClaim,
  name: string,
  { written }: StorageClasses,
): SubjectFinding | undefined {
  const [only, ...others] = [...written.values()].filter(makesEbsVolumes);
  const wordsOf = (text: string) => text.toLowerCase().split(/[^a-z0-9]+/);
  const known = only === undefined ? [] : [...EBS_WORDS, ...wordsOf(only.name)];
  const isOther = only === undefined || withoutNumbers(only.name) === withoutNumbers(name);
  if (isOther || others.length > 0 || !wordsOf(name).some((word) => known.includes(word))) return undefined;
  return {
    path: [...path, 'storageClassName'],
    severity: 'warning',
    message: `names StorageClass ${name}, which is not in the input, whose only class of EBS volumes is ${only.name}: unless the cluster has it, no volume is created, and the pods that mount it stay Pending`,
    remedy: `write ${only.name} instead of ${name}, or add the manifest of ${name}`,
    evidence: { storageClassName: valueText(spec.storageClassName), only: only.name },
    fix: unsafeFix(setField([...path, 'storageClassName'], only.name)),
  };
}

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
  return nearestName(
    name,
    names.filter((other) => withoutNumbers(other) !== withoutNumbers(name)),
  );
}

function withoutNumbers(name: string): string {
  return name.replace(/\d+/g, '');
}
