import { mkdirSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import type { IPolicyValidationContext, IPolicyValidationPlugin, PolicyValidationPluginReport } from 'aws-cdk-lib';
import { checkClusters, ClusterVerdict, renderJson, RULES } from '../validation';
import { checkOptions } from './check-options';
import { KarpenterValidationProps } from './karpenter-validation-props';
import { packageVersion } from './package-version';
import { failureViolation, violationsOf } from './policy-violations';
import { stackTemplates } from './stack-templates';
import { clusterLine, planSummary } from './synth-report';

/**
 * Makes the validator's verdict part of `cdk synth`: a plugin for the policy validation of the AWS CDK.
 *
 * It judges what the app synthesises: Kubernetes manifests and Helm values within the templates, and around them roles,
 * policies, queues, event rules, access entries, subnets and security groups. Values that are known only at deployment
 * are not judged. A finding names its construct, and can be acknowledged there, as in
 * `Validations.of(construct).acknowledge({ id: 'Karpenter::KARP-402', reason: '…' })`.
 *
 * @see https://docs.aws.amazon.com/cdk/v2/guide/policy-validation-synthesis.html
 * @example
 * import { App, Validations } from 'aws-cdk-lib';
 * import { plugins } from 'karpenter-constructs';
 *
 * const app = new App();
 * Validations.of(app).addPlugins(new plugins.KarpenterValidation());
 */
export class KarpenterValidation implements IPolicyValidationPlugin {
  /** Name of the plugin. Ids of its rules begin with it when they are acknowledged. */
  public readonly name = 'Karpenter';

  /** Version of this package. */
  public readonly version?: string = packageVersion();

  /** Ids of all rules. */
  public readonly ruleIds?: string[] = RULES.map(({ id }) => id);

  private readonly props: KarpenterValidationProps;

  /** @param props what the app does not say of the cluster */
  constructor(props: KarpenterValidationProps = {}) {
    this.props = props;
  }

  /**
   * Judges the templates of an app. The AWS CDK calls it during the synth.
   *
   * @param context the templates
   */
  public validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    try {
      return this.judge(context);
    } catch (error) {
      // The command line of the CDK passes over a plugin that throws, and the synth would seem to be sound.
      return { success: false, violations: [failureViolation(error as Error, context)], pluginVersion: this.version };
    }
  }

  private judge(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const sources = stackTemplates(context);
    const verdicts = checkClusters(sources, { ...checkOptions(this.props), mayBeEmpty: true });
    const files = verdicts.map((each) => this.write(each, verdicts.length, context));
    if (!this.props.quiet) process.stderr.write(verdicts.map(({ verdict }, i) => clusterLine(verdict, files[i])).join(''));
    const violations = violationsOf(verdicts.flatMap(({ verdict }) => verdict.findings), context, this.props.failOn);
    return {
      success: violations.every(({ severity }) => severity !== 'error'),
      violations,
      pluginVersion: this.version,
      metadata: Object.fromEntries(verdicts.map(({ verdict }, i) => [files[i], planSummary(verdict)])),
    };
  }

  private write({ cluster = '', verdict }: ClusterVerdict, clusters: number, context: IPolicyValidationContext): string {
    const file = this.props.reportFile ?? join(assemblyFolder(context), 'karpenter-verdict.json');
    const own = clusters === 1 ? file : file.replace(/(\.[^./\\]*)?$/, `-${cluster.replace(/[^\w-]+/g, '-').replace(/^-|-$/g, '')}$1`);
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, renderJson(verdict));
    return own;
  }
}

/** Of the whole app, also where stages have folders of their own in it. */
function assemblyFolder({ appConstruct, templatePaths }: IPolicyValidationContext): string {
  const { outdir } = appConstruct as { outdir?: unknown };
  return typeof outdir === 'string' ? outdir : dirname(templatePaths[0]);
}
