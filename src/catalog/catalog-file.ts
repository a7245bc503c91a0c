import { readDataFile } from '../model';

/** Figures by type, in the order of `names`. Flags are 0 or 1. */
export interface CatalogFacts {
  readonly vcpus: readonly number[];
  /** As EC2 reports it, before any overhead. */
  readonly memoryMiB: readonly number[];
  readonly arm64: readonly number[];
  readonly nitro: readonly number[];
  readonly nestedVirtualization: readonly number[];
  readonly nitroEnclaves: readonly number[];
  readonly ena: readonly number[];
  readonly spot: readonly number[];
  /** Whether EC2 also sells the type as capacity blocks. */
  readonly capacityBlock: readonly number[];
  /** Whether the VPC resource controller's table knows the type. */
  readonly vpcLimits: readonly number[];
  readonly networkCards: readonly number[];
  /** Network interfaces of the default network card. */
  readonly networkInterfaces: readonly number[];
  readonly ipv4PerInterface: readonly number[];
  readonly branchInterfaces: readonly number[];
  readonly efaInterfaces: readonly number[];
  /** How many EBS volumes can be attached, the root volume included; 0 if unknown. */
  readonly ebsAttachments: readonly number[];
  /** Whether each further network interface reduces `ebsAttachments` by one. */
  readonly ebsAttachmentsShared: readonly number[];
  /** Decimal gigabytes, 0 for none. */
  readonly instanceStoreGB: readonly number[];
  readonly nvidiaGpus: readonly number[];
  readonly amdGpus: readonly number[];
  readonly neuronDevices: readonly number[];
  readonly neuronCores: readonly number[];
}

export interface CatalogLabel {
  readonly key: string;
  readonly values: readonly string[];
  /** Index into `values` by type, -1 for none. */
  readonly codes: readonly number[];
}

/** data/catalog.json: what data/generate.ts makes of data/instance-types.json. */
export interface CatalogFile {
  readonly names: readonly string[];
  readonly facts: CatalogFacts;
  /** Labels that follow from the type alone. */
  readonly labels: readonly CatalogLabel[];
  /** Rows in data/regions of the types. @default - the type's own index */
  readonly rows?: readonly number[];
}

let file: CatalogFile | undefined;

/** Reads the file once a process. */
export function catalogFile(): CatalogFile {
  file ??= readDataFile<CatalogFile>('catalog.json');
  return file;
}

/** The catalogue reduced to the named instance types. */
export function withInstanceTypes({ names, facts, labels }: CatalogFile, offered: readonly string[]): CatalogFile {
  const wanted = new Set(offered);
  const rows = names.flatMap((name, index) => (wanted.has(name) ? [index] : []));
  const part = <T>(column: readonly T[]): T[] => rows.map((row) => column[row]);
  const parts = <T>(columns: Readonly<Record<string, readonly T[]>>) =>
    Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, part(column)]));
  return {
    names: part(names),
    facts: parts({ ...facts }) as unknown as CatalogFacts,
    labels: labels.map((label) => withUsedValues({ ...label, codes: part(label.codes) })),
    rows,
  };
}

function withUsedValues({ key, values, codes }: CatalogLabel): CatalogLabel {
  const used = values.filter((_, code) => codes.includes(code));
  return { key, values: used, codes: codes.map((code) => (code < 0 ? code : used.indexOf(values[code]))) };
}
