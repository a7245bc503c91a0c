import { isEbsDriver } from './attach-limit';
import { classNameOf, provisionerOf, storageClassesOf, writtenClaims } from './written-claims';
import { asRecord, checkVolumeRates, setField, unsafeFix } from '../../../contract';
import { isToken } from '../../manifest/field-reader';
import { ManifestObject } from '../../manifest/model';
import { defineRule, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsWith } from '../subjects';

const EFS_DRIVER = 'efs.csi.aws.com';

/** @see https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html */
export const volumeNeverCreated = defineRule({
  id: 'KARP-827',
  name: 'volume-never-created',
  severity: 'error',
  summary:
    'A claim requests a size that its type of volume does not have, or its StorageClass of EFS lacks a parameter.',
  subjects: subjectsWith<ManifestObject>(
    (object) => object,
    ({ model }) =>
      model.objects.filter(
        ({ kind, apiVersion }) => kind === 'StorageClass' && apiVersion.startsWith('storage.k8s.io/'),
      ),
    { where: (object) => isEbsDriver(provisionerOf(object)) || provisionerOf(object) === EFS_DRIVER },
  ),
  judge(object, context) {
    const parameters = parametersOf(object);
    if (provisionerOf(object) === EFS_DRIVER)
      return isForNewVolumes(object, context) ? withoutFileSystem(parameters) : undefined;
    return sizeProblems(object, valueOf(parameters, 'type') ?? 'gp3', context);
  },
});

interface Parameter {
  readonly name: string;
  readonly value: string;
}

function parametersOf({ raw }: ManifestObject): Parameter[] {
  return Object.entries(asRecord(raw?.parameters) ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && !isToken(value) && !isToken(name) ? [{ name, value }] : [],
  );
}

function valueOf(parameters: readonly Parameter[], wanted: string): string | undefined {
  return parameters.find(({ name }) => name.toLowerCase() === wanted)?.value;
}

/** Claims of a size that the type of the class does not have. */
function sizeProblems({ name }: ManifestObject, volumeType: string, context: RuleContext): SubjectFinding[] {
  const classes = storageClassesOf(context);
  const claims = writtenClaims(context.model).filter((claim) => classNameOf(claim, classes) === name);
  return claims.flatMap(({ object, path, spec }): SubjectFinding[] => {
    const volumeSize = asRecord(asRecord(spec.resources)?.requests)?.storage;
    if (isToken(volumeSize)) return [];
    const [problem] = checkVolumeRates([], { volumeType, volumeSize }).filter(
      ({ path: [field] }) => field === 'volumeSize',
    );
    if (problem === undefined) return [];
    return [
      {
        object,
        path: [...path, 'resources', 'requests', 'storage'],
        message: `requests ${String(volumeSize)} of StorageClass ${name}, whose size ${problem.problem}: no volume is created, and the pods stay Pending`,
        remedy: `${problem.remedy}, or use a class of another type, such as gp3`,
        evidence: { storage: String(volumeSize), type: volumeType },
      },
    ];
  });
}

/** Whether claims name the class, and no PersistentVolume of it is made by hand. */
function isForNewVolumes({ name }: ManifestObject, context: RuleContext): boolean {
  const classes = storageClassesOf(context);
  return (
    writtenClaims(context.model).some((claim) => classNameOf(claim, classes) === name) &&
    !context.model.objects.some(
      ({ kind, raw }) => kind === 'PersistentVolume' && asRecord(raw?.spec)?.storageClassName === name,
    )
  );
}

/** Volumes of EFS are access points in a file system. Without both parameters, the class is for existing volumes. */
function withoutFileSystem(parameters: readonly Parameter[]): SubjectFinding | undefined {
  const [mode, fileSystem] = ['provisioningmode', 'filesystemid'].map((wanted) => valueOf(parameters, wanted));
  if ((mode === undefined) === (fileSystem === undefined)) return undefined;
  const missing = mode === undefined ? 'provisioningMode' : 'fileSystemId';
  return {
    path: ['parameters', missing],
    message: `the parameter ${missing} is missing: the EFS CSI driver creates no volume of the class, and the pods that mount one stay Pending`,
    remedy:
      mode === undefined
        ? 'write provisioningMode: efs-ap'
        : 'write fileSystemId with the id of the file system, such as fs-0123456789abcdef0',
    evidence: { missing },
    ...(mode === undefined ? { fix: unsafeFix(setField(['parameters', missing], 'efs-ap')) } : {}),
  };
}
