/* eslint-disable no-bitwise -- sets of label values are bit sets */
import { Label } from '../model';
import { amiFamilyTraits } from './ami-family';
import { CatalogFile } from './catalog-file';
import { codeColumn, setColumn } from './columns';
import { LabelColumn } from './instance-type-table';
import { NodeClassFacts } from './node-class-facts';

export const CAPACITY_TYPES = ['on-demand', 'spot'] as const;

/** Labels that no type has as long as no capacity reservation is known: a requirement of a value excludes every offering. */
const ABSENT = [
  Label.CAPACITY_RESERVATION_ID,
  Label.CAPACITY_RESERVATION_TYPE,
  Label.CAPACITY_RESERVATION_INTERRUPTIBLE,
];

function single(key: string, value: string, size: number, has: (type: number) => boolean = () => true): LabelColumn {
  return { key, values: [value], codes: codeColumn(size, (type) => has(type) ? 0 : -1) };
}

function several(key: string, values: readonly string[], size: number, set: (type: number) => number): LabelColumn {
  return { key, values, codes: new Int16Array(size).fill(-1), sets: setColumn(size, set) };
}

/** The labels that follow from the types alone: equal for every node class. */
export function fixedLabelColumns({ names, facts, labels }: CatalogFile, region: string, zones: readonly string[]): LabelColumn[] {
  const size = names.length;
  const everyZone = zones.length === 32 ? 0xffffffff : (1 << zones.length) - 1;
  return [
    { key: Label.INSTANCE_TYPE, values: names, codes: codeColumn(size, (type) => type) },
    ...labels.map(({ key, values, codes }) => ({ key, values, codes: new Int16Array(codes) })),
    single(Label.REGION, region, size),
    several(Label.ZONE, zones, size, () => everyZone),
    several(Label.CAPACITY_TYPE, CAPACITY_TYPES, size, (type) => facts.spot[type] ? 0b11 : 0b01),
    several(Label.INSTANCE_TENANCY, ['dedicated', 'default'], size, () => 0b11),
    ...ABSENT.map((key) => ({ key, values: [], codes: new Int16Array(size).fill(-1) })),
  ];
}

/** The labels that the AMI family decides. Windows has no arm64 build: such a type then has no operating system at all. */
export function familyLabelColumns({ names, facts }: CatalogFile, nodeClass: NodeClassFacts): LabelColumn[] {
  const { windowsBuild } = amiFamilyTraits(nodeClass.amiFamily);
  if (windowsBuild === undefined) {
    return [
      single(Label.OS, 'linux', names.length),
      { key: Label.WINDOWS_BUILD, values: [], codes: new Int16Array(names.length).fill(-1) },
    ];
  }
  return [
    single(Label.OS, 'windows', names.length, (type) => !facts.arm64[type]),
    single(Label.WINDOWS_BUILD, windowsBuild, names.length),
  ];
}
