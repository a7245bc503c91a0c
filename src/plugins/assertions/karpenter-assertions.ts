import type { Stack } from 'aws-cdk-lib';
import { App, Chart } from 'cdk8s';
import { SourceFile } from '../../validation';
import { ConstructPaths } from '../construct-paths';
import { noErrors, noFindingOf } from './finding-assertions';
import { JudgedInput } from './judged-input';
import { InstanceTypesInZones, KarpenterAssertionsProps } from './karpenter-assertions-props';
import { allPodsScheduled, hourlyCostAtMost, instanceTypesInEachZone, nodesAtMost } from './plan-assertions';
import { Scenario } from './scenario';
import { getsThrough, keepsReady } from './scenario-assertions';
import { appSources, chartSources, fileSources, stackSources } from './sources';

/**
 * Assertions on what Karpenter will do with manifests, for tests: in the manner of `aws-cdk-lib/assertions`.
 *
 * Each assertion that fails throws an Error with the whole explanation. It also throws, and says why, if it cannot be
 * evaluated, because a value is known only at deployment or is not evaluated.
 *
 * @example
 * import { Chart } from 'cdk8s';
 * import { plugins } from 'karpenter-constructs';
 *
 * declare const chart: Chart;
 * const karpenter = plugins.KarpenterAssertions.fromChart(chart, { region: 'eu-west-1' });
 * karpenter.hasAllPodsScheduled();
 * karpenter.keepsReady('nginx-demo', 1, plugins.Scenario.CONSOLIDATION);
 */
export class KarpenterAssertions {
  /**
   * On a chart, with the charts within it.
   *
   * @param chart is synthesised
   * @param props what it does not say of the cluster
   */
  public static fromChart(chart: Chart, props?: KarpenterAssertionsProps): KarpenterAssertions {
    return new KarpenterAssertions(chartSources(chart), props, new ConstructPaths(chart));
  }

  /**
   * On all charts of an app together.
   *
   * @param app is synthesised, without anything being written
   * @param props what it does not say of the cluster
   */
  public static fromApp(app: App, props?: KarpenterAssertionsProps): KarpenterAssertions {
    return new KarpenterAssertions(appSources(app), props, new ConstructPaths(app));
  }

  /**
   * On the templates of a stack of the AWS CDK, of stacks nested in it, and of those that it depends on.
   *
   * @param stack is synthesised, with its app
   * @param props what the templates do not say of the cluster
   * @throws if the stack is in no app
   */
  public static fromStack(stack: Stack, props?: KarpenterAssertionsProps): KarpenterAssertions {
    return new KarpenterAssertions(stackSources(stack), props);
  }

  /**
   * For manifests of any origin.
   *
   * @param yaml one document or more
   * @param props what the manifests do not say of the cluster
   */
  public static fromYaml(yaml: string, props?: KarpenterAssertionsProps): KarpenterAssertions {
    return new KarpenterAssertions([{ path: 'manifests.yaml', text: yaml }], props);
  }

  /**
   * On files: manifests as YAML or JSON, and templates of CloudFormation.
   *
   * @param paths of files and of folders with all that is below them
   * @param props what the files do not say of the cluster
   */
  public static fromFiles(paths: string[], props?: KarpenterAssertionsProps): KarpenterAssertions {
    return new KarpenterAssertions(fileSources(paths), props);
  }

  private readonly input: JudgedInput;

  private constructor(sources: readonly SourceFile[], props: KarpenterAssertionsProps = {}, private readonly paths?: ConstructPaths) {
    this.input = new JudgedInput(sources, props);
  }

  /**
   * Asserts that every pod has a node.
   *
   * @throws if one has none, with what each constraint leaves of the instance types, and the smallest change that
   * helps; also where there is no pod, and no `clusterFiles` with some that run
   */
  public hasAllPodsScheduled(): void {
    allPodsScheduled(this.input);
  }

  /**
   * Asserts that Karpenter launches only so many nodes. Those that `clusterFiles` tell of are there already, and do not
   * count.
   *
   * @param count whole, from 0
   * @throws if there are more, with the nodes and how the pods came to them
   */
  public hasNodesAtMost(count: number): void {
    nodesAtMost(this.input, count);
  }

  /**
   * Asserts what the nodes that Karpenter launches cost at most, each at the least price that it can be launched for.
   * Those that `clusterFiles` tell of are there already, and do not count.
   *
   * @param usd US dollars an hour
   * @throws if they cost more, with the nodes and their prices
   */
  public hasHourlyCostAtMost(usd: number): void {
    hourlyCostAtMost(this.input, usd);
  }

  /**
   * Asserts that a NodePool can launch enough instance types in each zone, whatever its limits leave. Spot nodes need a
   * choice: EC2 has the least of them to take back then, and Karpenter replaces one spot node by another only where 15
   * types are cheaper.
   *
   * @param nodePool its name
   * @param count fewest types in a zone: whole, from 1
   * @param options which types are counted, and where
   * @throws if there are fewer in a zone, with what each requirement leaves
   */
  public hasInstanceTypesInEachZone(nodePool: string, count: number, options?: InstanceTypesInZones): void {
    instanceTypesInEachZone(this.input, nodePool, count, options);
  }

  /**
   * Asserts that so many pods of a workload are ready at any time of a scenario: whatever node, zone or instance pool
   * it is about.
   *
   * @param workload its name, or with namespace and kind where there is another of the name: `shop/web`, `Deployment
   * shop/web`
   * @param pods fewest that are ready: whole, from 1
   * @param scenario what happens
   * @throws if there are fewer at a time, with what happens when
   */
  public keepsReady(workload: string, pods: number, scenario: Scenario): void {
    keepsReady(this.input, workload, pods, scenario);
  }

  /**
   * Asserts that a scenario comes to its end: no node stays as it is for ever, every pod has a node again, and none is
   * lost.
   *
   * @param scenario what happens
   * @throws if something stays in the way, with what it is and what helps
   */
  public getsThrough(scenario: Scenario): void {
    getsThrough(this.input, scenario);
  }

  /**
   * Asserts that no rule finds an error.
   *
   * @param exceptRules ids or names of rules to leave out, because they are known to fail here or cannot be evaluated
   * @throws if one does, with constructs, places and remedies
   * @see https://github.com/karpenter-constructs/karpenter-constructs/blob/main/docs/rules.md
   */
  public hasNoErrors(exceptRules: string[] = []): void {
    noErrors(this.input, exceptRules, this.paths);
  }

  /**
   * Asserts that a rule finds nothing, neither error nor warning nor note.
   *
   * @param rule its id or its name: `KARP-402`, `no-pdb`
   * @throws if it does, with constructs, places and remedies
   * @see https://github.com/karpenter-constructs/karpenter-constructs/blob/main/docs/rules.md
   */
  public hasNoFindingOf(rule: string): void {
    noFindingOf(this.input, rule, this.paths);
  }
}
