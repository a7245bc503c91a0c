import type { Document, LineCounter, Node } from 'yaml';
import { asRecord, FEATURE_GATES, FeatureGateRule, FeatureGates } from '../../contract';
import { listText, parseGoBool, readNamedFile } from '../../model';
import type { CheckOptions } from '../../validation';
import { UsageError } from '../io';
import { lazy } from '../lazy';
import { parseSchedulerConfig } from './scheduler-config-file';

type Path = readonly string[];

/** The keys under `settings` of Karpenter's chart. Source: charts/karpenter/values.yaml of Karpenter for AWS 1.15.1. */
const KNOWN_SETTINGS = [
  'amiRefreshInterval',
  'awsFeatureGates',
  'batchIdleDuration',
  'batchMaxDuration',
  'clusterCABundle',
  'clusterEndpoint',
  'clusterName',
  'disableClusterStateObservability',
  'disableDryRun',
  'eksControlPlane',
  'enableDRA',
  'enableZonalShift',
  'featureGates',
  'ignoreDRARequests',
  'interruptionQueue',
  'isolatedVPC',
  'legacyNodeRepair',
  'minValuesPolicy',
  'preferencePolicy',
  'reservedENIs',
  'securityGroupRefreshInterval',
  'subnetRefreshInterval',
  'vmMemoryOverheadPercent',
];
const SCHEDULER_CONFIG = 'SCHEDULER_CONFIG';
const MAX_BYTES = 1024 * 1024;

/**
 * Reads the settings for scheduling and disruption from Karpenter's Helm values. Unknown keys are reported to `warn`,
 * because Helm ignores them silently.
 *
 * @throws UsageError if the file cannot be read, or a value is invalid
 */
export function readSettings(file: string, warn: (text: string) => void): CheckOptions {
  const settings = new SettingsFile(file);
  for (const path of settings.unknownKeys()) {
    warn(
      `warning: ${settings.place(['settings', ...path])}: the chart has no settings.${path.join('.')}, so it has no effect`,
    );
  }
  return {
    controllerValues: { file, values: settings.values, text: settings.text },
    vmMemoryOverheadPercent: settings.number(
      'vmMemoryOverheadPercent',
      (n) => n >= 0 && n < 1,
      'a fraction such as 0.075',
    ),
    reservedENIs: settings.number(
      'reservedENIs',
      (n) => Number.isInteger(n) && n >= 0,
      'a number of network interfaces such as "1"',
    ),
    preferencePolicy: settings.word('preferencePolicy', ['Respect', 'Ignore']),
    minValuesPolicy: settings.word('minValuesPolicy', ['Strict', 'BestEffort']),
    ...draSettings(settings),
    ...schedulerSettings(settings),
  };
}

/** The scheduler configuration is an environment variable of the controller. The chart has no key for it. */
function schedulerSettings(settings: SettingsFile): CheckOptions {
  const variable = settings.environment(SCHEDULER_CONFIG);
  if (variable === undefined) return {};
  return { schedulerConfig: parseSchedulerConfig(variable.value, () => `${variable.place}: ${SCHEDULER_CONFIG}`) };
}

/**
 * The key `enableDRA` turns all parts of Dynamic Resource Allocation on. Pods with resource claims are scheduled if any
 * part is on.
 */
function draSettings(settings: SettingsFile): CheckOptions {
  const enableDra = settings.flag(['enableDRA']);
  const pathOf = ({ setting, owner }: FeatureGateRule) => [
    owner === 'core' ? 'featureGates' : 'awsFeatureGates',
    setting,
  ];
  const featureGates = Object.fromEntries(
    Object.values(FEATURE_GATES).flatMap((gate) => {
      const value = settings.flag(pathOf(gate)) ?? (enableDra && gate.name.startsWith('DRA') ? true : undefined);
      return value === undefined ? [] : [[gate.name, value]];
    }),
  ) as FeatureGates;
  const isDraOn = [['enableDRA'], pathOf(FEATURE_GATES.DRANVIDIAGPU), pathOf(FEATURE_GATES.DRAEFA)].some((path) =>
    settings.isTruthy(path),
  );
  return { featureGates, ignoreDraRequests: isDraOn ? false : settings.flag(['ignoreDRARequests']) };
}

class SettingsFile {
  public readonly values: Readonly<Record<string, unknown>>;
  private readonly document: Document.Parsed;
  private readonly lines: LineCounter;
  private readonly written: Readonly<Record<string, unknown>>;
  /** The keys under `settings`, overridden by the variables of `controller.env` as in Karpenter. */
  private readonly settings: Readonly<Record<string, unknown>>;

  public readonly text: string;

  public constructor(private readonly file: string) {
    this.lines = new lazy.yaml.LineCounter();
    this.text = readText(file);
    this.document = lazy.yaml.parseDocument(this.text, { lineCounter: this.lines, logLevel: 'silent' });
    const [error] = this.document.errors;
    if (error)
      throw new UsageError(`${this.at(error.pos[0])}: invalid YAML: ${error.message.split('\n')[0]}; fix the syntax`);
    const values = this.plainValues();
    this.values = values;
    if (values.settings === undefined) {
      const nested = asRecord(values.karpenter)?.settings !== undefined;
      throw new UsageError(
        `${file}: there is no key settings; ${nested ? 'move everything under karpenter: to the top level' : "write Karpenter's Helm values, with settings: at the top level"}`,
      );
    }
    const settings = asRecord(values.settings);
    if (!settings)
      throw new UsageError(
        `${this.place(['settings'])}: settings must be an object, got ${JSON.stringify(values.settings)}; write keys under it`,
      );
    this.written = settings;
    this.settings = lazy.validation.settingsOfChart(values);
  }

  /** Paths under `settings` that are unknown to the chart. */
  public unknownKeys(): Path[] {
    return [
      ...Object.keys(this.written)
        .filter((key) => !KNOWN_SETTINGS.includes(key))
        .sort()
        .map((key) => [key]),
      ...this.unknownGates('featureGates', 'core'),
      ...this.unknownGates('awsFeatureGates', 'aws'),
    ];
  }

  /** A number, which may be quoted as in the chart. */
  public number(key: string, isValid: (value: number) => boolean, example: string): number | undefined {
    const value = this.value([key]);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && isValid(number)) return number;
    throw this.invalid([key], value, `write ${example}`);
  }

  public word<Word extends string>(key: string, words: readonly Word[]): Word | undefined {
    const value = this.value([key]);
    if (value === undefined) return undefined;
    const word = words.find((candidate) => candidate === value);
    if (word) return word;
    throw this.invalid([key], value, `write ${listText(words, 'or')}`);
  }

  /** A boolean, which may be quoted: Karpenter gets it as text in any case. */
  public flag(path: Path): boolean | undefined {
    const value = this.value(path);
    if (value === undefined) return undefined;
    const flag = typeof value === 'boolean' || typeof value === 'string' ? parseGoBool(value) : undefined;
    if (flag !== undefined) return flag;
    throw this.invalid(path, value, 'write true or false');
  }

  /** Whether the chart's templates take the value for true. Any text is true for them, even "false". */
  public isTruthy(path: Path): boolean {
    const value = this.value(path);
    return value === true || (typeof value === 'string' && value !== '');
  }

  /** The value of a variable in `controller.env`, and its place in the file. */
  public environment(name: string): { readonly value: string; readonly place: string } | undefined {
    const variables = asRecord(this.values.controller)?.env;
    // If a name occurs twice, Kubernetes uses the last value.
    const index = Array.isArray(variables)
      ? variables.map((variable) => asRecord(variable)?.name).lastIndexOf(name)
      : -1;
    if (index < 0) return undefined;
    const path = ['controller', 'env', index, 'value'];
    const value = this.document.getIn(path);
    if (typeof value === 'string') return { value, place: this.place(path) };
    throw new UsageError(
      `${this.place(path)}: ${name} must be a text, got ${JSON.stringify(value)}; write it as value: |`,
    );
  }

  public place(path: ReadonlyArray<string | number>): string {
    const node = this.document.getIn(path, true) as Node | undefined;
    return this.at(node?.range?.[0] ?? 0);
  }

  private unknownGates(key: string, owner: FeatureGateRule['owner']): Path[] {
    const gates = Object.values(FEATURE_GATES)
      .filter((gate) => gate.owner === owner)
      .map(({ setting }): string => setting);
    return Object.keys(asRecord(this.written[key]) ?? {})
      .filter((gate) => !gates.includes(gate))
      .sort()
      .map((gate) => [key, gate]);
  }

  private plainValues(): Readonly<Record<string, unknown>> {
    try {
      return asRecord(this.document.toJS()) ?? {};
    } catch (error) {
      throw new UsageError(
        `${this.file}: cannot be read, ${(error as Error).message}; write the values without aliases`,
      );
    }
  }

  private at(offset: number): string {
    const { line, col } = this.lines.linePos(offset);
    return `${this.file}:${line}:${col}`;
  }

  /** The value of a setting; undefined also if it comes from a ConfigMap or Secret of the cluster. */
  private value(path: Path): unknown {
    const value = path.reduce<unknown>((record, key) => asRecord(record)?.[key], this.settings);
    return value === null || value === lazy.validation.VALUE_FROM ? undefined : value;
  }

  private invalid(path: Path, value: unknown, remedy: string): UsageError {
    const variable = lazy.validation.variableOfSetting(path[0]);
    const written = variable === '' ? undefined : this.environment(variable);
    if (written)
      return new UsageError(
        `${written.place}: ${variable} has the invalid value ${JSON.stringify(written.value)}; ${remedy}`,
      );
    return new UsageError(
      `${this.place(['settings', ...path])}: settings.${path.join('.')} has the invalid value ${JSON.stringify(value)}; ${remedy}`,
    );
  }
}

function readText(file: string): string {
  try {
    return readNamedFile(file, MAX_BYTES).toString('utf8');
  } catch (error) {
    throw new UsageError(
      `${file}: cannot be read, ${(error as Error).message}; name the file with Karpenter's Helm values`,
    );
  }
}
