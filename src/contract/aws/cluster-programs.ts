import { POD_IDENTITY_AGENT } from './pod-identity';

/** A CSI driver, without which no volume of a StorageClass is created or mounted. */
export interface StorageDriver {
  /** The provisioner of StorageClasses, and the driver of volumes. */
  readonly name: string;
  /** The EKS add-on, or the chart, that installs the driver. */
  readonly installedBy: string;
  readonly isAddon: boolean;
  /** Matches names of its charts, add-ons, roles and policies. */
  readonly mark: RegExp;
}

/**
 * Drivers that a cluster of EKS has only if somebody installs them.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/workloads-add-ons-available-eks.html
 */
export const STORAGE_DRIVERS: readonly StorageDriver[] = [
  { name: 'ebs.csi.aws.com', installedBy: 'aws-ebs-csi-driver', isAddon: true, mark: /ebs[-_ ]?csi/i },
  { name: 'efs.csi.aws.com', installedBy: 'aws-efs-csi-driver', isAddon: true, mark: /efs[-_ ]?csi/i },
  { name: 'fsx.csi.aws.com', installedBy: 'aws-fsx-csi-driver', isAddon: true, mark: /fsx[-_ ]?csi/i },
  { name: 's3.csi.aws.com', installedBy: 'aws-mountpoint-s3-csi-driver', isAddon: true, mark: /s3[-_ ]?csi/i },
  {
    name: 'fsx.openzfs.csi.aws.com',
    installedBy: 'aws-fsx-openzfs-csi-driver',
    isAddon: false,
    mark: /openzfs[-_ ]?csi/i,
  },
];

/** Lines that are comments, in YAML, Terraform and shell, and lines that name a StorageClass. */
const OTHER_LINES = /^[ \t]*(?:#|\/\/|"?storageClass(?:Name)?"?:).*$/gm;

/** A document that says where charts are. The chart of a release that was removed may still be there. */
const CHART_SOURCE = /^kind:[ \t]*HelmRepository[ \t]*\r?$/m;

/** Programs that pods need besides drivers: credentials by EKS Pod Identity, metrics of pods, ScaledObjects. */
export const METRICS_SERVER = 'metrics-server';
export const KEDA = 'keda';
const PROGRAMS = [
  ...STORAGE_DRIVERS,
  { name: POD_IDENTITY_AGENT, mark: /pod[-_ ]?identity[-_ ]?agent/i },
  { name: METRICS_SERVER, mark: /metrics[-_ ]?server/i },
  // The group of its objects is no sign that it is installed.
  { name: KEDA, mark: /\bkeda(?!\.sh)|kedacore/i },
];

/** The names of the drivers and programs that a text installs, or gives permissions to. */
export function clusterProgramsIn(text: string): string[] {
  if (!/csi|pod[-_ ]?identity|metrics|keda/i.test(text)) return [];
  const documents = text.split(/^---.*$/m).filter((document) => !CHART_SOURCE.test(document));
  const code = documents.join('\n').replace(OTHER_LINES, '');
  return PROGRAMS.filter(({ mark }) => mark.test(code)).map(({ name }) => name);
}
