import { mkdirSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { App } from 'cdk8s';
import { Construct } from 'constructs';
import { check, renderJson, renderText, Verdict } from '../validation';
import { renderApp, wrapSynth } from './app-synth';
import { checkOptions } from './check-options';
import { ConstructPaths } from './construct-paths';
import { failingFindings } from './failing-findings';
import { KarpenterVerdictProps } from './karpenter-verdict-props';
import { failureText, synthReport } from './synth-report';
import { errorWithoutStack } from '../model';

/**
 * Checks all charts of a cdk8s app during `app.synth()`.
 *
 * The synth then prints a short report on standard error, writes `karpenter-verdict.json` next to the manifests, and
 * throws if there are errors. The manifests are written even then, so that you can read the lines that the report
 * names. `app.synthYaml()` and `Testing.synth(chart)` are not checked.
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
   * @param id id of this construct
   * @param props facts about the cluster that the app does not contain, and what to do with the verdict
   * @throws if the app already has a KarpenterVerdict
   */
  constructor(scope: Construct, id: string, props: KarpenterVerdictProps = {}) {
    super(scope, id);
    this.app = App.of(this);
    this.props = props;
    const existing = this.app.node
      .findAll()
      .find((construct) => construct instanceof KarpenterVerdict && construct !== this);
    if (existing) {
      throw errorWithoutStack(
        `${this.node.path}: the app already has the KarpenterVerdict ${existing.node.path}; keep one of them`,
      );
    }
    this.checkDuringSynth();
  }

  /**
   * The verdict as text, as `karpenter-constructs check` prints it.
   *
   * @throws if it is read before `app.synth()`
   */
  public get text(): string {
    return renderText(this.lastVerdict());
  }

  /**
   * The verdict as JSON, as in the file.
   *
   * @throws if it is read before `app.synth()`
   */
  public get json(): string {
    return renderJson(this.lastVerdict());
  }

  /**
   * `node.addValidation` does not work here: cdk8s runs validations once for the app and once for every chart, and
   * before it writes the files whose lines the findings name.
   */
  private checkDuringSynth(): void {
    wrapSynth(this.app, (synth) => this.report(renderAndCheck(this.app, synth, this.props)));
  }

  private report(verdict: Verdict): void {
    this.verdict = verdict;
    const file = this.props.reportFile ?? join(this.app.outdir, 'karpenter-verdict.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, renderJson(verdict));
    const paths = new ConstructPaths(this.app);
    const failing = failingFindings(verdict.findings, this.props.failOn);
    if (!this.props.quiet) {
      process.stderr.write(synthReport(verdict, failing, paths, file));
    }
    if (failing.length > 0) {
      throw errorWithoutStack(failureText(failing, paths));
    }
  }

  private lastVerdict(): Verdict {
    if (!this.verdict) {
      throw errorWithoutStack(`${this.node.path}: the verdict does not exist before the synth; call app.synth() first`);
    }
    return this.verdict;
  }
}

function renderAndCheck(app: App, synth: () => void, props: KarpenterVerdictProps): Verdict {
  return check(renderApp(app, synth), { ...checkOptions(props), isSynth: true, settle: {} });
}
