import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Amounts, ScheduleOracle } from './oracle';
import { Catalog, InstanceTypeTable } from '../../src/catalog';
import { readManifests } from '../../src/validation';
import { Dice } from '../../test/support/schedule-scenario/dice';
import { Json, ScenarioSettings } from '../../test/support/schedule-scenario/draft';
import { plainSettings } from '../../test/support/schedule-scenario/generate';
import { nodeClass } from '../../test/support/schedule-scenario/pools';
import { uniformFigures } from '../../test/support/uniform-figures';
import { Versions } from '../oracle-process';

/** AMI families by their alias; Custom has none. */
const FAMILIES = ['al2', 'al2023', 'bottlerocket', 'windows2019', 'windows2022', 'windows2025', 'custom'];
const PER_FAMILY = 40;
const MAX_PRINTED = 20;

export interface AllocatableOptions {
  readonly seed: number;
  /** Node classes for each family, at most 40. */
  readonly count?: number;
  /** Folder in which differing node classes are saved. */
  readonly keep?: string;
}

export interface AllocatableSummary {
  /** Number of node classes. */
  readonly scenarios: number;
  readonly agree: number;
  readonly different: number;
  readonly amounts: number;
  readonly versions: Versions;
}

/**
 * Compares capacity and allocatable of every instance type with the AWS provider's, for 40 node classes of every AMI
 * family.
 */
export async function compareAllocatable(
  options: AllocatableOptions,
  print: (line: string) => void,
): Promise<AllocatableSummary> {
  const oracle = await ScheduleOracle.start();
  try {
    return { ...(await compareAll(options, oracle, print)), versions: oracle.versions };
  } finally {
    oracle.stop();
  }
}

async function compareAll(
  { seed, count = PER_FAMILY, keep }: AllocatableOptions,
  oracle: ScheduleOracle,
  print: (line: string) => void,
) {
  const counts = { scenarios: 0, different: 0, amounts: 0 };
  for (const family of FAMILIES) {
    for (let number = 0; number < Math.min(count, PER_FAMILY); number += 1) {
      const dice = new Dice(seed, FAMILIES.indexOf(family), number);
      const settings = settingsOf(dice);
      const manifests = JSON.stringify(classOf(dice, family, number));
      const differences = differencesOf(
        await oracle.resolve({ manifests, settings }),
        ours(manifests, settings),
        counts,
      );
      counts.scenarios += 1;
      if (differences.length === 0) continue;
      counts.different += 1;
      print(
        `${family} ${number}: ${differences.length} amounts differ: ${differences.slice(0, MAX_PRINTED).join('; ')}`,
      );
      if (keep === undefined) continue;
      mkdirSync(keep, { recursive: true });
      writeFileSync(
        join(keep, `${family}-${number}.json`),
        `${JSON.stringify({ settings, manifests, differences }, null, 1)}\n`,
      );
    }
  }
  return { ...counts, agree: counts.scenarios - counts.different };
}

function settingsOf(dice: Dice): ScenarioSettings {
  return {
    ...plainSettings(),
    vmMemoryOverheadPercent: dice.pick([0.075, 0.075, 0, 0.033, 0.0711]),
    reservedENIs: dice.pick([0, 0, 0, 1, 2]),
  };
}

function classOf(dice: Dice, family: string, number: number): Json {
  const result = nodeClass('default', family);
  if (family === 'custom')
    Object.assign(result.spec, { amiFamily: 'Custom', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] });
  if (number === 0) return result;
  result.spec.kubelet = kubelet(dice, family);
  if (dice.chance(0.5))
    result.spec.blockDeviceMappings = dice
      .some(['/dev/xvda', '/dev/xvdb', '/dev/sda1'], dice.between(1, 3))
      .map((name, at) => blockDevice(dice, name, at));
  if (dice.chance(0.3)) result.spec.instanceStorePolicy = 'RAID0';
  if (dice.chance(0.1)) {
    result.spec.networkInterfaces = [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
      { networkCardIndex: 0, deviceIndex: 1, interfaceType: 'efa-only' },
    ];
  }
  return result;
}

function kubelet(dice: Dice, family: string): Json {
  const reserved = () =>
    dice.pick<Json>([
      { cpu: '200m' },
      { memory: '1500Mi', 'ephemeral-storage': '2Gi' },
      { cpu: '1', memory: '1G' },
      { cpu: '80m', memory: '500Mi', 'ephemeral-storage': '1G', pid: '100' },
    ]);
  const eviction = () =>
    dice.pick<Json>([
      { 'memory.available': '5%' },
      { 'memory.available': '750Mi', 'nodefs.available': '3G' },
      { 'memory.available': '100%', 'nodefs.available': '7%' },
      { 'memory.available': '3.7%', 'nodefs.available': '12.5%' },
      { 'nodefs.available': '15%', 'imagefs.available': '15%' },
    ]);
  return {
    ...(dice.chance(0.5) ? { maxPods: dice.pick([8, 29, 58, 110, 234, 737]) } : {}),
    ...(dice.chance(0.3) && family !== 'bottlerocket' ? { podsPerCore: dice.pick([1, 5, 10]) } : {}),
    ...(dice.chance(0.5) ? { kubeReserved: reserved() } : {}),
    ...(dice.chance(0.5) ? { systemReserved: reserved() } : {}),
    ...(dice.chance(0.5) ? { evictionHard: eviction() } : {}),
  };
}

function blockDevice(dice: Dice, deviceName: string, at: number): Json {
  return {
    deviceName,
    ...(at === 0 && dice.chance(0.3) ? { rootVolume: true } : {}),
    ebs: { volumeType: 'gp3', volumeSize: dice.pick(['20Gi', '33Gi', '100Gi', '77G', '1Ti']) },
  };
}

function ours(manifests: string, settings: ScenarioSettings): InstanceTypeTable {
  const { nodeClasses, problems } = readManifests([{ path: 'class.yaml', text: manifests }]);
  const facts = nodeClasses[0]?.facts;
  if (!facts) throw new Error(`the API server would reject the generated node class: ${problems[0]?.message}`);
  return Catalog.load({ ...settings, figures: uniformFigures(settings.region) }).resolve(facts);
}

function differencesOf(
  expected: Amounts,
  { names, resources, capacity, allocatable }: InstanceTypeTable,
  counts: { amounts: number },
): string[] {
  const differences: string[] = [];
  const columns = [
    ['capacity', expected.capacity, capacity],
    ['allocatable', expected.allocatable, allocatable],
  ] as const;
  for (const [what, wanted, actual] of columns) {
    for (const resource of new Set([...resources, ...Object.keys(wanted)])) {
      expected.names.forEach((name, at) => {
        counts.amounts += 1;
        const got = resources.includes(resource) ? Number(actual[resources.indexOf(resource)][names.indexOf(name)]) : 0;
        if (got !== (wanted[resource]?.[at] ?? 0))
          differences.push(`${what} of ${resource} of ${name} is ${got} instead of ${wanted[resource]?.[at] ?? 0}`);
      });
    }
  }
  if (expected.names.length !== names.length)
    differences.push(`${names.length} types instead of ${expected.names.length}`);
  return differences;
}
