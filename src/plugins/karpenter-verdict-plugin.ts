import { mkdirSync, readFileSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import type { IPolicyValidationContext, IPolicyValidationPlugin, PolicyValidationPluginReport } from 'aws-cdk-lib';
import { checkClusters, ClusterVerdict, renderJson, RULES } from '../validation';
import { checkOptions } from './check-options';
import { KarpenterVerdictProps } from './karpenter-verdict-props';
import { failureViolation, violationsOf } from './policy-violations';
import { stackTemplates } from './stack-templates';
import { clusterLine, planSummary } from './synth-report';

/**
 * Checks an AWS CDK app during `cdk synth`, as a plugin for policy validation.
 *
 * It checks the synthesised templates: Kubernetes manifests, Helm values, IAM roles and policies, queues, event rules,
 * access entries, subnets and security groups. Values that are known only at deployment are not evaluated. A finding
 * names its construct, and can be acknowledged there with
 * `Validations.of(construct).acknowledge({ id: 'Karpenter::KARP-402', reason: '…' })`.
 *
 * @see https://docs.aws.amazon.com/cdk/v2/guide/policy-validation-synthesis.html
 * @example
 * import { App, Validations } from 'aws-cdk-lib';
 * import { plugins } from 'karpenter-constructs';
 *
 * const app = new App();
 * Validations.of(app).addPlugins(new plugins.KarpenterVerdictPlugin());
 */
export class KarpenterVerdictPlugin implements IPolicyValidationPlugin {
  /** Name of the plugin. It is the prefix of rule ids in acknowledgements. */
  public readonly name = 'Karpenter';

  /** Version of this package. */
  public readonly version?: string = packageVersion();

  /** Ids of all rules. */
  public readonly ruleIds?: string[] = RULES.map(({ id }) => id);

  private readonly props: KarpenterVerdictProps;

  /** @param props facts about the cluster that the app does not contain, and what to do with the verdict */
  constructor(props: KarpenterVerdictProps = {}) {
    this.props = props;
  }

  /**
   * Checks the templates of an app. The AWS CDK calls this method during the synth.
   *
   * @param context the app and its templates
   */
  public validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    try {
      return this.check(context);
    } catch (error) {
      // The CDK CLI ignores a plugin that throws, so the synth would pass without a check.
      return { success: false, violations: [failureViolation(error as Error, context)], pluginVersion: this.version };
    }
  }

  private check(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const sources = stackTemplates(context);
    const verdicts = checkClusters(sources, { ...checkOptions(this.props), mayBeEmpty: true, settle: {} });
    const files = verdicts.map((clusterVerdict) => this.write(clusterVerdict, verdicts.length, context));
    if (!this.props.quiet)
      process.stderr.write(verdicts.map(({ verdict }, i) => clusterLine(verdict, files[i])).join(''));
    const violations = violationsOf(
      verdicts.flatMap(({ verdict }) => verdict.findings),
      context,
      this.props.failOn,
    );
    return {
      success: violations.every(({ severity }) => severity !== 'error'),
      violations,
      pluginVersion: this.version,
      metadata: Object.fromEntries(verdicts.map(({ verdict }, i) => [files[i], planSummary(verdict)])),
    };
  }

  private write(
    { cluster = '', verdict }: ClusterVerdict,
    clusters: number,
    context: IPolicyValidationContext,
  ): string {
    const file = this.props.reportFile ?? join(assemblyFolder(context), 'karpenter-verdict.json');
    const clusterFile =
      clusters === 1
        ? file
        : file.replace(/(\.[^./\\]*)?$/, `-${cluster.replace(/[^\w-]+/g, '-').replace(/^-|-$/g, '')}$1`);
    mkdirSync(dirname(clusterFile), { recursive: true });
    writeFileSync(clusterFile, renderJson(verdict));
    return clusterFile;
  }
}

/** Cloud assembly folder of the whole app; stages have sub-folders in it. */
function assemblyFolder({ appConstruct, templatePaths }: IPolicyValidationContext): string {
  const { outdir } = appConstruct as { outdir?: unknown };
  return typeof outdir === 'string' ? outdir : dirname(templatePaths[0]);
}

/** Version of this package in its package.json. */
function packageVersion(): string {
  return (JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string }).version;
}
