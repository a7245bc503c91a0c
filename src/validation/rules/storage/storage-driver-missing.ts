import { classNameOf, provisionerOf, storageClassesOf, writtenClaims } from './written-claims';
import { appendItem, asRecord, StorageDriver, STORAGE_DRIVERS, unsafeFix } from '../../../contract';
import { shortListText } from '../../../model';
import { AddonList, addonListOf } from '../../cluster/addon-list';
import { ManifestObject } from '../../manifest/model';
import { recordsOf, stringOrUndefined } from '../../manifest/records';
import { EKS_STORAGE_CLASS } from '../../manifest/workload/storage';
import { podSpecOf } from '../common/pod-constraints';
import { defineRule, SubjectFinding } from '../define-rule';
import { RelatedField, RuleContext } from '../rule';
import { subjectsFrom } from '../subjects';

/** @see https://docs.aws.amazon.com/eks/latest/userguide/ebs-csi.html */
export const storageDriverMissing = defineRule({
  id: 'KARP-825',
  name: 'storage-driver-missing',
  readsTerraform: true,
  severity: 'warning',
  summary:
    'Pods mount volumes of a CSI driver that is not among the add-ons of the cluster, and that no file installs: the pods never start.',
  subjects: subjectsFrom<MissingDriver>(missingDrivers),
  judge: ({ driver, use, addons }) => finding(driver, use, addons),
});

/** What needs a driver, and where it says so. */
interface DriverUse extends RelatedField {
  readonly driver: string;
  readonly workloads: readonly string[];
}

interface MissingDriver {
  /** What the finding points at: a ClusterConfig, which can be changed, or what needs the driver. */
  readonly object: ManifestObject;
  readonly driver: StorageDriver;
  readonly use: DriverUse;
  readonly addons: AddonList;
}

function missingDrivers(context: RuleContext): MissingDriver[] {
  const { model } = context;
  const addons = model.cluster ? undefined : addonListOf(model);
  if (addons === undefined) return [];
  return STORAGE_DRIVERS.filter(
    ({ name, installedBy }) => !addons.names.includes(installedBy) && model.installedPrograms?.includes(name) !== true,
  ).flatMap((driver) => {
    const use = usesOf(context).find((one) => one.driver === driver.name);
    return use ? [{ object: addons.isOfEksctl ? addons.object : use.object, driver, use, addons }] : [];
  });
}

/** What needs drivers: StorageClasses of claims that pods mount, and volumes of the input. */
function usesOf(context: RuleContext): DriverUse[] {
  const { model } = context;
  const classes = storageClassesOf(context);
  const ofClaims = writtenClaims(model).flatMap((claim): DriverUse[] => {
    const workloads = usersOf(context, claim.object);
    const name = classNameOf(claim, classes);
    if (workloads.length === 0 || name === undefined || name === '') return [];
    const written = classes.written.get(name);
    if (written) {
      const driver = provisionerOf(written) === 'kubernetes.io/aws-ebs' ? 'ebs.csi.aws.com' : provisionerOf(written);
      return [{ object: written, path: ['provisioner'], label: '', driver, workloads }];
    }
    const path = [...claim.path, 'storageClassName'];
    return name === EKS_STORAGE_CLASS
      ? [{ object: claim.object, path, label: '', driver: 'ebs.csi.aws.com', workloads }]
      : [];
  });
  const ofVolumes = model.objects
    .filter(({ kind, apiVersion }) => kind === 'PersistentVolume' && apiVersion === 'v1')
    .flatMap((object): DriverUse[] => {
      const driver = stringOrUndefined(asRecord(object.raw.spec?.csi)?.driver);
      return driver === undefined
        ? []
        : [{ object, path: ['spec', 'csi', 'driver'], label: '', driver, workloads: [] }];
    });
  return [...ofClaims, ...ofVolumes];
}

/** The workloads that mount a claim, or have it as a template. */
function usersOf({ model }: RuleContext, claim: ManifestObject): string[] {
  return model.workloads
    .filter((workload) => {
      const names = recordsOf(podSpecOf(workload)?.volumes).map(
        ({ persistentVolumeClaim }) => asRecord(persistentVolumeClaim)?.claimName,
      );
      return (
        workload.object === claim ||
        ((claim.namespace ?? 'default') === workload.namespace && names.includes(claim.name))
      );
    })
    .map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`);
}

function finding(driver: StorageDriver, use: DriverUse, addons: AddonList): SubjectFinding {
  const { name, installedBy, isAddon } = driver;
  const users = use.workloads.length === 0 ? `volume ${use.object.name}` : shortListText(use.workloads);
  const what = isAddon ? `the add-on ${installedBy}` : `the chart ${installedBy}`;
  const evidence = { driver: name, addons: addons.names, workloads: use.workloads };
  if (!addons.isOfEksctl)
    return {
      path: use.path,
      message: `${name} is a driver that nothing here installs, and ${what} is not among the cluster's add-ons: the volumes of ${users} are never created, and the pods stay Pending`,
      remedy: `install ${what}, with a role`,
      evidence,
      related: { object: addons.object, path: addons.path, label: `the add-ons are ${shortListText(addons.names, 6)}` },
    };
  return {
    path: ['addons'],
    message: `${users} ${use.workloads.length === 1 || use.workloads.length === 0 ? 'needs' : 'need'} the driver ${name}, but ${what} is not among the add-ons of cluster ${addons.object.name}, and no other file installs it: the volumes are never created, and the pods stay Pending`,
    remedy: isAddon ? `add - name: ${installedBy} to addons; eksctl gives it its role` : `install ${what}, with a role`,
    evidence,
    related: { object: use.object, path: use.path, label: `needs ${name}` },
    ...(isAddon ? { fix: unsafeFix(appendItem(['addons'], { name: installedBy })) } : {}),
  };
}
