import { nearestName, valueText } from '../../model';
import { check, Finding, SourceFileReader, Verdict } from '../../validation';
import { checkOptions } from '../check-options';
import { failingFindings } from '../failing-findings';
import { FailOn, KarpenterVerdictProps } from '../karpenter-verdict-props';
import { planSummary } from '../synth-report';

/** The part of cdk8s-cli's `ValidationContext` that is used. */
export interface Cdk8sValidationContext {
  /** The files that the synth has written. */
  readonly manifests: readonly string[];
  readonly report: Cdk8sValidationReport;
}

export interface Cdk8sValidationReport {
  addViolation(violation: Cdk8sViolation): void;
  submit(status: 'success' | 'failure', metadata?: Readonly<Record<string, string>>): void;
}

export interface Cdk8sViolation {
  readonly ruleName: string;
  readonly recommendation: string;
  readonly fix: string;
  readonly violatingResources: ReadonlyArray<{
    readonly resourceName: string;
    readonly locations: readonly string[];
    readonly manifestPath: string;
  }>;
}

/** The properties of a verdict that apply here. The report is that of cdk8s-cli. */
type Cdk8sValidationProps = Omit<KarpenterVerdictProps, 'reportFile' | 'quiet'>;

/** The properties that cdk8s.yaml may have. The compiler checks that none is missing. */
const PROPERTIES: Readonly<Record<keyof Cdk8sValidationProps, true>> = {
  region: true,
  zones: true,
  zoneIds: true,
  karpenterVersion: true,
  clusterFiles: true,
  helmValuesFile: true,
  catalogFile: true,
  spotPriceRatio: true,
  pricesFrom: true,
  vmMemoryOverheadPercent: true,
  reservedEnis: true,
  preferencePolicy: true,
  minValuesPolicy: true,
  ignoreDraRequests: true,
  systemDaemonSets: true,
  storageClasses: true,
  priorityClasses: true,
  featureGates: true,
  failOn: true,
};
/** cdk8s-cli prints all violations alike, so notes are only counted. */
const REPORTED: ReadonlyArray<Finding['severity']> = ['error', 'warning'];
const FAIL_ON: readonly string[] = Object.values(FailOn);

/**
 * Checks the manifests of `cdk8s synth`, as a plugin under `validations` in cdk8s.yaml. The app can be written in any
 * language. It is not part of the constructs, because cdk8s-cli loads it.
 *
 * @see https://cdk8s.io/docs/latest/cli/synth/#validating-manifests
 */
export class Cdk8sValidation {
  /** @throws Error if cdk8s.yaml has an unknown property */
  public constructor(private readonly props: Cdk8sValidationProps = {}) {
    const known = Object.keys(PROPERTIES);
    const unknown = Object.keys(props).find((key) => !known.includes(key));
    if (unknown !== undefined)
      throw new Error(`properties: unknown property ${JSON.stringify(unknown)}; ${remedy(unknown, known)}`);
    const { failOn = FailOn.ERROR } = props;
    if (!FAIL_ON.includes(failOn))
      throw new Error(`failOn: unknown value ${JSON.stringify(failOn)}; ${remedy(valueText(failOn), FAIL_ON)}`);
  }

  public async validate({ manifests, report }: Cdk8sValidationContext): Promise<void> {
    const reader = new SourceFileReader();
    for (const file of manifests) reader.read(file);
    const verdict = check(reader.files, { ...checkOptions(this.props), isSynth: true, settle: {} });
    for (const violation of violationsOf(verdict.findings.filter(({ severity }) => REPORTED.includes(severity))))
      report.addViolation(violation);
    report.submit(
      failingFindings(verdict.findings, this.props.failOn).length > 0 ? 'failure' : 'success',
      summaryOf(verdict),
    );
  }
}

/** Findings with the same texts are one violation with several resources. */
function violationsOf(findings: readonly Finding[]): Cdk8sViolation[] {
  const violations = new Map<string, Cdk8sViolation>();
  for (const {
    rule,
    name,
    severity,
    message,
    remedy: fix,
    subject,
    location: { file, line, column, path },
  } of findings) {
    const place = `${file}:${line}:${column}`;
    const resource = {
      resourceName: subject.name,
      locations: [path === '' ? place : `${path} (${place})`],
      manifestPath: file,
    };
    const key = JSON.stringify([rule, severity, message, fix]);
    const violatingResources = [...(violations.get(key)?.violatingResources ?? []), resource];
    violations.set(key, { ruleName: `${severity} ${rule} ${name}`, recommendation: message, fix, violatingResources });
  }
  return [...violations.values()];
}

function summaryOf(verdict: Verdict): Record<string, string> {
  const { errors, warnings, infos } = verdict.summary;
  return { Plan: planSummary(verdict), Findings: `errors: ${errors}, warnings: ${warnings}, notes: ${infos}` };
}

function remedy(name: string, known: readonly string[]): string {
  const nearest = known.find((key) => key.toLowerCase() === name.toLowerCase()) ?? nearestName(name, known);
  return nearest === undefined ? `write ${known.join(', ')}` : `did you mean ${nearest}?`;
}
