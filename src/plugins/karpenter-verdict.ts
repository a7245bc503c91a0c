import { writeFileSync } from 'fs';
import { join } from 'path';
import { App } from 'cdk8s';
import { Construct } from 'constructs';
import { check, Finding, renderJson, renderText, Verdict } from '../validation';
import { checkOptions } from './check-options';
import { ConstructPaths } from './construct-paths';
import { KarpenterVerdictProps } from './karpenter-verdict-props';
import { renderApp } from './rendered-app';
import { failureText, synthReport } from './synth-report';
import { FailOn } from './synth-verdict-options';
import { wrapSynth } from './wrapped-synth';

const SEVERITIES_THAT_FAIL: Readonly<Record<FailOn, readonly string[]>> = {
  [FailOn.ERROR]: ['error'],
  [FailOn.WARNING]: ['error', 'warning'],
  [FailOn.NEVER]: [],
};

/**
 * Makes the validator's verdict part of `app.synth()`, for all charts of the app.
 *
 * The synth then prints a short report on standard error, writes `karpenter-verdict.json` beside the manifests, and
 * throws when there are errors. The manifests are there also when it throws, so that the lines that the report names
 * can be read. Neither `app.synthYaml()` nor `Testing.synth(chart)` is judged.
 *
 * @example
 * import { App } from 'cdk8s';
 * import { plugins } from 'karpenter-constructs';
 *
 * const app = new App();
 * new plugins.KarpenterVerdict(app, 'Verdict', { region: 'eu-west-1' });
 */
export class KarpenterVerdict extends Construct {
  private readonly app: App;
  private readonly props: KarpenterVerdictProps;
  private verdict?: Verdict;

  /**
   * @param scope the app, or any construct in it
   * @param id of this construct
   * @param props what the manifests do not say of the cluster
   * @throws if the app has a verdict already
   */
  constructor(scope: Construct, id: string, props: KarpenterVerdictProps = {}) {
    super(scope, id);
    this.app = App.of(this);
    this.props = props;
    const other = this.app.node.findAll().find((construct) => construct instanceof KarpenterVerdict && construct !== this);
    if (other) {
      throw new Error(`${this.node.path}: an app is judged once, got a second verdict beside ${other.node.path}; keep one of them`);
    }
    this.becomePartOfSynth();
  }

  /**
   * The verdict as text, with all its parts, as `karpenter-constructs check` prints it.
   *
   * @throws before `app.synth()`
   */
  public get text(): string {
    return renderText(this.lastVerdict());
  }

  /**
   * The verdict as JSON, schema version 1, as it is written beside the manifests.
   *
   * @throws before `app.synth()`
   */
  public get json(): string {
    return renderJson(this.lastVerdict());
  }

  /**
   * Not a validation of the node: cdk8s runs those once for the app and once more for every chart, and before it has
   * written the lines that findings point at.
   */
  private becomePartOfSynth(): void {
    wrapSynth(this.app, (synth) => this.judge(renderAndCheck(this.app, synth, this.props)));
  }

  private judge(verdict: Verdict): void {
    this.verdict = verdict;
    const file = join(this.app.outdir, 'karpenter-verdict.json');
    writeFileSync(file, renderJson(verdict));
    const paths = new ConstructPaths(this.app);
    if (!this.props.quiet) {
      process.stderr.write(synthReport(verdict, paths, file));
    }
    const failing = failingFindings(verdict, this.props.failOn);
    if (failing.length > 0) {
      throw new Error(failureText(failing, paths));
    }
  }

  private lastVerdict(): Verdict {
    if (!this.verdict) {
      throw new Error(`${this.node.path}: there is no verdict yet, got read before the synth; call app.synth() first`);
    }
    return this.verdict;
  }
}

function renderAndCheck(app: App, synth: () => void, props: KarpenterVerdictProps): Verdict {
  return check(renderApp(app, synth), checkOptions(props));
}

function failingFindings(verdict: Verdict, failOn = FailOn.ERROR): Finding[] {
  return verdict.findings.filter(({ severity }) => SEVERITIES_THAT_FAIL[failOn].includes(severity));
}
