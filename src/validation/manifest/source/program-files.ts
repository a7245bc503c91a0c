import { namesKarpenter } from './karpenter-trace';
import { countText } from '../../../model';
import { SourceFile } from '../model';

/** Programs whose objects are known only after they ran, by the file that is beside them. */
const PROGRAMS = [
  {
    marker: 'cdk.json',
    name: 'AWS CDK app',
    remedy: 'run `cdk synth` first, and pass the folder cdk.out that it writes',
  },
  {
    marker: 'Pulumi.yaml',
    name: 'Pulumi program',
    remedy: 'give the output of `kubectl get nodepools,ec2nodeclasses -o yaml` with --cluster',
  },
] as const;
/** The folder that the CDK writes: its templates are read instead of the program. */
const CLOUD_ASSEMBLY = 'cdk.out';

export type ObjectProgram = (typeof PROGRAMS)[number];

/** A longer file is no program that somebody has written. */
export const LARGEST_PROGRAM_BYTES = 256 * 1024;

const POOL = /\bkind["']?\s*[:=]\s*["'](?:NodePool|Provisioner)["']/g;

/**
 * The program in a folder with these names; undefined if there is none, or its result is there.
 *
 * @param around the program in the folder around it
 */
export function programIn(names: readonly string[], around: ObjectProgram | undefined): ObjectProgram | undefined {
  return names.includes(CLOUD_ASSEMBLY) ? undefined : (PROGRAMS.find(({ marker }) => names.includes(marker)) ?? around);
}

export function isProgramFile(name: string): boolean {
  return /\.(ts|py|go|java|cs)$/.test(name) && !/\.(d|test|spec)\.ts$/.test(name);
}

/** What a file of a program says: that it names Karpenter, and that it has NodePools, which cannot be read. */
export function programFiles(file: SourceFile, { name, remedy }: ObjectProgram): SourceFile[] {
  if (file.unreadable || !namesKarpenter(file.text)) return [];
  const { path, text } = file;
  const trace: SourceFile = { path, text: '', isFound: true, trace: {} };
  const pools = [...text.matchAll(POOL)];
  if (pools.length === 0) return [trace];
  const message = `${countText(pools.length, 'NodePool')} of this ${name} cannot be read, because programs are not run`;
  return [trace, { ...file, unreadable: { message, remedy, offset: pools[0].index, severity: 'warning' } }];
}
