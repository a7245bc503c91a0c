/**
 * Parameters of StorageClasses of EBS volumes that the CSI driver or EC2 refuses when a claim needs a volume.
 *
 * Sources: docs/parameters.md and pkg/cloud/cloud.go of kubernetes-sigs/aws-ebs-csi-driver, which lowers IOPS above the
 * maximum, and https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html.
 */
import { nearestName, valueText } from '../../model';
import { FieldFix, removeField, renameField, safeFix, setField, unsafeFix } from '../field-edit';
import { FieldPath, FieldProblem, launchFails } from '../field-problem';

const TYPES = ['gp2', 'gp3', 'io1', 'io2', 'sc1', 'st1', 'standard', 'sbg1', 'sbp1'];
const KEYS: readonly string[] = [
  ...['type', 'iops', 'iopsPerGB', 'allowAutoIOPSPerGBIncrease', 'throughput', 'encrypted', 'kmsKeyId', 'fsType'],
  ...['blockExpress', 'blockSize', 'inodeSize', 'bytesPerInode', 'numberOfInodes', 'ext4BigAlloc', 'ext4ClusterSize'],
  ...['csi.storage.k8s.io/fstype', 'outpostArn', 'multiAttachEnabled', 'volumeInitializationRate'],
];
const FEWEST_IOPS: Readonly<Record<string, number>> = { gp3: 3_000, io1: 100, io2: 100 };
const GP3_THROUGHPUT = { min: 125, max: 2_000 };
/** The most MiB/s for each of the IOPS of a gp3 volume. */
const THROUGHPUT_PER_IOPS = 0.25;
const PARAMETERS = 'parameters';

/** @param raw the parameters of a StorageClass whose provisioner is the EBS CSI driver */
export function checkStorageClassParameters(raw: Readonly<Record<string, unknown>>): FieldProblem[] {
  const given = new Map(Object.entries(raw).map(([key, value]) => [key.toLowerCase(), { key, value }]));
  const type = valueText(given.get('type')?.value ?? 'gp3');
  const problems = Object.keys(raw).flatMap(keyProblems);
  if (!TYPES.includes(type)) return [...problems, typeProblem(type)];
  const pathOf = (name: string): FieldPath => [PARAMETERS, given.get(name.toLowerCase())?.key ?? name];
  const [iops, perGib] = ['iops', 'iopspergb'].map((name) => numberOf(given.get(name)?.value));
  if (iops !== undefined && perGib !== undefined) {
    const path = pathOf('iopsPerGB');
    problems.push(refused(path, 'must be absent if iops is set', perGib, 'remove it', unsafeFix(removeField(path))));
  }
  if (type.startsWith('io') && !given.has('iops') && !given.has('iopspergb')) {
    const remedy = 'write type: gp3, which has 3000 IOPS at no extra price, or set iops';
    const fix = unsafeFix(setField(pathOf('type'), 'gp3'));
    problems.push(refused(pathOf('iops'), `must be set for a volume of type ${type}`, undefined, remedy, fix));
  }
  const fewest = Object.hasOwn(FEWEST_IOPS, type) ? FEWEST_IOPS[type] : undefined;
  const isRaised = valueText(given.get('allowautoiopspergbincrease')?.value ?? '') === 'true';
  if (iops !== undefined && fewest !== undefined && iops > 0 && iops < fewest && !isRaised) {
    const fix = unsafeFix(setField(pathOf('iops'), String(fewest)));
    const problem = `must be at least ${fewest} for a volume of type ${type}`;
    problems.push(refused(pathOf('iops'), problem, iops, `write "${fewest}" or more`, fix));
  }
  const throughput = numberOf(given.get('throughput')?.value);
  return type === 'gp3' && throughput !== undefined && perGib === undefined
    ? [...problems, ...throughputProblems(pathOf('throughput'), throughput, { iops, path: pathOf('iops') })]
    : problems;
}

function throughputProblems(
  path: FieldPath,
  throughput: number,
  { iops, path: iopsPath }: { readonly iops: number | undefined; readonly path: FieldPath },
): FieldProblem[] {
  const { min, max } = GP3_THROUGHPUT;
  if (throughput < min || throughput > max) {
    const near = String(throughput < min ? min : max);
    const problem = `must be from ${min} to ${max} MiB/s for a volume of type gp3`;
    return [refused(path, problem, throughput, `write "${near}"`, unsafeFix(setField(path, near)))];
  }
  const given = Math.max(iops ?? FEWEST_IOPS.gp3, FEWEST_IOPS.gp3);
  const most = Math.floor(given * THROUGHPUT_PER_IOPS);
  if (throughput <= most) return [];
  const needed = String(Math.ceil(throughput / THROUGHPUT_PER_IOPS));
  return [
    refused(
      path,
      `must be at most ${most} for ${iops === undefined ? `the ${given} IOPS of a gp3 volume without iops` : `${given} IOPS`}: EBS allows ${THROUGHPUT_PER_IOPS} MiB/s for each of the IOPS`,
      throughput,
      `write iops: "${needed}", or a throughput of "${most}" or less`,
      unsafeFix(setField(iopsPath, needed)),
    ),
  ];
}

/** The driver refuses keys that it does not know. Only those of a typing error are certainly unknown. */
function keyProblems(key: string): FieldProblem[] {
  const lower = key.toLowerCase();
  if (KEYS.some((known) => known.toLowerCase() === lower)) return [];
  const meant = nearestName(key, KEYS) ?? KEYS.find((known) => nearestName(lower, [known.toLowerCase()]) !== undefined);
  if (meant === undefined) return [];
  const path = [PARAMETERS, key];
  return [
    refused(path, 'is no parameter of the EBS CSI driver', key, `write ${meant}`, safeFix(renameField(path, meant))),
  ];
}

function typeProblem(type: string): FieldProblem {
  const meant = TYPES.find((known) => known === type.toLowerCase());
  const path = [PARAMETERS, 'type'];
  const remedy = `write ${meant ?? 'gp3, or another type of EBS volume'}`;
  const fix = meant === undefined ? undefined : safeFix(setField(path, meant));
  return refused(path, 'is no type of an EBS volume', type, remedy, fix);
}

function refused(path: FieldPath, problem: string, got: unknown, remedy: string, fix?: FieldFix): FieldProblem {
  return launchFails(path, problem, got, remedy, fix);
}

function numberOf(value: unknown): number | undefined {
  const text = valueText(value ?? '');
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
