import { readFileSync, statSync } from 'fs';
import type { Document, LineCounter, Node } from 'yaml';
import { asRecord, FEATURE_GATES, FeatureGateRule, FeatureGates } from '../contract';
import { parseGoBool } from '../model';
import type { CheckOptions } from '../validation';
import { UsageError } from './io';
import { lazy } from './lazy';
import { parseSchedulerConfig } from './scheduler-config-file';

type Path = readonly string[];

/** The keys under `settings` of Karpenter's chart. Source: charts/karpenter/values.yaml of Karpenter for AWS 1.15.1. */
const KNOWN_SETTINGS = [
  'amiRefreshInterval', 'awsFeatureGates', 'batchIdleDuration', 'batchMaxDuration', 'clusterCABundle', 'clusterEndpoint', 'clusterName',
  'disableClusterStateObservability', 'disableDryRun', 'eksControlPlane', 'enableDRA', 'enableZonalShift', 'featureGates', 'ignoreDRARequests',
  'interruptionQueue', 'isolatedVPC', 'legacyNodeRepair', 'minValuesPolicy', 'preferencePolicy', 'reservedENIs', 'securityGroupRefreshInterval',
  'subnetRefreshInterval', 'vmMemoryOverheadPercent',
];
const SCHEDULER_CONFIG = 'SCHEDULER_CONFIG';
const LARGEST_SETTINGS_BYTES = 1024 * 1024;

/**
 * What Karpenter's Helm values say of scheduling. Keys that the chart does not have are told to `warn`: Helm says nothing of
 * them, and they have no effect.
 *
 * @throws UsageError if the file cannot be read, or a value cannot be used
 */
export function readSettings(file: string, warn: (text: string) => void): CheckOptions {
  const settings = new SettingsFile(file);
  for (const path of settings.unknownKeys()) {
    warn(`warning: ${settings.place(['settings', ...path])}: the chart has no settings.${path.join('.')}, and it has no effect\n`);
  }
  return {
    controllerValues: { file, values: settings.values },
    vmMemoryOverheadPercent: settings.number('vmMemoryOverheadPercent', (n) => n >= 0 && n < 1, 'a fraction such as 0.075'),
    reservedENIs: settings.number('reservedENIs', (n) => Number.isInteger(n) && n >= 0, 'a number of network interfaces such as "1"'),
    preferencePolicy: settings.word('preferencePolicy', ['Respect', 'Ignore']),
    minValuesPolicy: settings.word('minValuesPolicy', ['Strict', 'BestEffort']),
    ...draSettings(settings),
    ...schedulerSettings(settings),
  };
}

/** The chart has no key for it: it is an environment variable of the controller. */
function schedulerSettings(settings: SettingsFile): CheckOptions {
  const variable = settings.environment(SCHEDULER_CONFIG);
  if (variable === undefined) return {};
  return { schedulerConfig: parseSchedulerConfig(variable.value, () => `${variable.place}: ${SCHEDULER_CONFIG}`) };
}

/** The chart turns every part of dynamic resource allocation on by one key, and the claims of pods count where any part is on. */
function draSettings(settings: SettingsFile): CheckOptions {
  const all = settings.flag(['enableDRA']);
  const pathOf = ({ setting, owner }: FeatureGateRule) => [owner === 'core' ? 'featureGates' : 'awsFeatureGates', setting];
  const featureGates = Object.fromEntries(Object.values(FEATURE_GATES).flatMap((gate) => {
    const value = settings.flag(pathOf(gate)) ?? (all && gate.name.startsWith('DRA') ? true : undefined);
    return value === undefined ? [] : [[gate.name, value]];
  })) as FeatureGates;
  const counts = [['enableDRA'], pathOf(FEATURE_GATES.DRANVIDIAGPU), pathOf(FEATURE_GATES.DRAEFA)].some((path) => settings.counts(path));
  return { featureGates, ignoreDraRequests: counts ? false : settings.flag(['ignoreDRARequests']) };
}

class SettingsFile {
  public readonly values: Readonly<Record<string, unknown>>;
  private readonly document: Document.Parsed;
  private readonly lines: LineCounter;
  private readonly written: Readonly<Record<string, unknown>>;
  /** With the variables of `controller.env`, which Karpenter takes before them. */
  private readonly settings: Readonly<Record<string, unknown>>;

  public constructor(private readonly file: string) {
    this.lines = new lazy.yaml.LineCounter();
    this.document = lazy.yaml.parseDocument(readText(file), { lineCounter: this.lines, logLevel: 'silent' });
    const [error] = this.document.errors;
    if (error) throw new UsageError(`${this.at(error.pos[0])}: not YAML, ${error.message.split('\n')[0]}; correct the syntax there`);
    const values = this.plainValues();
    this.values = values;
    if (values.settings === undefined) {
      const nested = asRecord(values.karpenter)?.settings !== undefined;
      throw new UsageError(`${file}: there is no key settings; ${nested ? 'move what is under karpenter: to the top' : 'write the Helm values of Karpenter, with settings: at the top'}`);
    }
    const settings = asRecord(values.settings);
    if (!settings) throw new UsageError(`${this.place(['settings'])}: settings must be an object, got ${JSON.stringify(values.settings)}; write keys under it`);
    this.written = settings;
    this.settings = lazy.validation.settingsOfChart(values);
  }

  /** Paths under `settings` that the chart does not have. */
  public unknownKeys(): Path[] {
    return [
      ...Object.keys(this.written).filter((key) => !KNOWN_SETTINGS.includes(key)).sort().map((key) => [key]),
      ...this.unknownGates('featureGates', 'core'),
      ...this.unknownGates('awsFeatureGates', 'aws'),
    ];
  }

  /** The chart has numbers in quotes as well. */
  public number(key: string, isValid: (value: number) => boolean, example: string): number | undefined {
    const value = this.told([key]);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && isValid(number)) return number;
    throw this.wrong([key], value, `write ${example}`);
  }

  public word<Word extends string>(key: string, words: readonly Word[]): Word | undefined {
    const value = this.told([key]);
    if (value === undefined) return undefined;
    const word = words.find((known) => known === value);
    if (word) return word;
    throw this.wrong([key], value, `write ${words.join(' or ')}`);
  }

  /** It comes to Karpenter as a text, and may be written as one. */
  public flag(path: Path): boolean | undefined {
    const value = this.told(path);
    if (value === undefined) return undefined;
    const flag = typeof value === 'boolean' || typeof value === 'string' ? parseGoBool(value) : undefined;
    if (flag !== undefined) return flag;
    throw this.wrong(path, value, 'write true or false');
  }

  /** Whether the chart's templates take it for true: that is any text, also one that says false. */
  public counts(path: Path): boolean {
    const value = this.told(path);
    return value === true || (typeof value === 'string' && value !== '');
  }

  /** What `controller.env` says, and where. */
  public environment(name: string): { readonly value: string; readonly place: string } | undefined {
    const variables = asRecord(this.values.controller)?.env;
    // Of one name Kubernetes takes the last.
    const at = Array.isArray(variables) ? variables.map((variable) => asRecord(variable)?.name).lastIndexOf(name) : -1;
    if (at < 0) return undefined;
    const path = ['controller', 'env', at, 'value'];
    const value = this.document.getIn(path);
    if (typeof value === 'string') return { value, place: this.place(path) };
    throw new UsageError(`${this.place(path)}: ${name} must be a text, got ${JSON.stringify(value)}; write it out as value: |`);
  }

  public place(path: ReadonlyArray<string | number>): string {
    const node = this.document.getIn(path, true) as Node | undefined;
    return this.at(node?.range?.[0] ?? 0);
  }

  private unknownGates(key: string, owner: FeatureGateRule['owner']): Path[] {
    const known = Object.values(FEATURE_GATES).filter((gate) => gate.owner === owner).map(({ setting }): string => setting);
    return Object.keys(asRecord(this.written[key]) ?? {}).filter((gate) => !known.includes(gate)).sort().map((gate) => [key, gate]);
  }

  private plainValues(): Readonly<Record<string, unknown>> {
    try {
      return asRecord(this.document.toJS()) ?? {};
    } catch (error) {
      throw new UsageError(`${this.file}: cannot be read, ${(error as Error).message}; write the values out`);
    }
  }

  private at(offset: number): string {
    const { line, col } = this.lines.linePos(offset);
    return `${this.file}:${line}:${col}`;
  }

  /** Undefined also for what is known in the cluster alone. */
  private told(path: Path): unknown {
    const value = path.reduce<unknown>((at, key) => asRecord(at)?.[key], this.settings);
    return value === null || value === lazy.validation.FROM_ELSEWHERE ? undefined : value;
  }

  private wrong(path: Path, value: unknown, remedy: string): UsageError {
    const variable = lazy.validation.variableOfSetting(path[0]);
    const told = variable === '' ? undefined : this.environment(variable);
    if (told) return new UsageError(`${told.place}: ${variable} cannot be this, got ${JSON.stringify(told.value)}; ${remedy}`);
    return new UsageError(`${this.place(['settings', ...path])}: settings.${path.join('.')} cannot be this, got ${JSON.stringify(value)}; ${remedy}`);
  }
}

function readText(file: string): string {
  try {
    if (statSync(file).size <= LARGEST_SETTINGS_BYTES) return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: cannot be read, ${(error as Error).message}; name the file of Karpenter's Helm values`);
  }
  throw new UsageError(`${file}: larger than Helm values are; name the file of Karpenter's Helm values`);
}
