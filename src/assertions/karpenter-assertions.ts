import type { Stack } from 'aws-cdk-lib';
import { App, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { EvaluatedInput } from './evaluated-input';
import { noErrors, noFindingOf } from './finding-assertions';
import { InstanceTypesInEachZoneOptions, KarpenterAssertionsProps } from './karpenter-assertions-props';
import { allPodsScheduled, hourlyCostAtMost, instanceTypesInEachZone, nodesAtMost } from './plan-assertions';
import { Scenario } from './scenario';
import { completes, keepsReady } from './scenario-assertions';
import { SourceFile } from '../validation';
import { appSources, chartSources, fileSources, stackSources } from './sources';

/**
 * Assertions for tests about what Karpenter does with manifests, in the style of `aws-cdk-lib/assertions`.
 *
 * An assertion that fails throws an Error with an explanation. An assertion also throws, with the reasons, if it cannot
 * be evaluated, for example because a value is known only at deployment.
 *
 * @example
 * import { Chart } from 'cdk8s';
 * import { assertions } from 'karpenter-constructs';
 *
 * declare const chart: Chart;
 * const karpenter = assertions.KarpenterAssertions.fromChart(chart, { region: 'eu-west-1' });
 * karpenter.hasAllPodsScheduled();
 * karpenter.keepsReady('nginx-demo', 1, assertions.Scenario.CONSOLIDATION);
 */
export class KarpenterAssertions {
  /**
   * Assertions about a chart and the charts inside it.
   *
   * @param chart the chart; it is synthesised
   * @param props facts about the cluster that the chart does not contain
   */
  public static fromChart(chart: Chart, props?: KarpenterAssertionsProps): KarpenterAssertions {
    return new KarpenterAssertions(chartSources(chart), props, chart);
  }

  /**
   * Assertions about all charts of an app together.
   *
   * @param app the app; it is synthesised in memory, without writing files
   * @param props facts about the cluster that the app does not contain
   */
  public static fromApp(app: App, props?: KarpenterAssertionsProps): KarpenterAssertions {
    return new KarpenterAssertions(appSources(app), props, app);
  }

  /**
   * Assertions about the templates of an AWS CDK stack, its nested stacks, and the stacks that it depends on.
   *
   * @param stack the stack; its app is synthesised
   * @param props facts about the cluster that the templates do not contain
   * @throws if the stack does not belong to an app
   */
  public static fromStack(stack: Stack, props?: KarpenterAssertionsProps): KarpenterAssertions {
    return new KarpenterAssertions(stackSources(stack), props);
  }

  /**
   * Assertions about manifests from any source.
   *
   * @param yaml one or more YAML documents
   * @param props facts about the cluster that the manifests do not contain
   */
  public static fromYaml(yaml: string, props?: KarpenterAssertionsProps): KarpenterAssertions {
    return new KarpenterAssertions([{ path: 'manifests.yaml', text: yaml }], props);
  }

  /**
   * Assertions about files: YAML or JSON manifests, and CloudFormation templates.
   *
   * @param paths files and folders; folders are read recursively
   * @param props facts about the cluster that the files do not contain
   */
  public static fromFiles(paths: string[], props?: KarpenterAssertionsProps): KarpenterAssertions {
    return new KarpenterAssertions(fileSources(paths), props);
  }

  private readonly input: EvaluatedInput;

  private constructor(
    sources: readonly SourceFile[],
    props: KarpenterAssertionsProps = {},
    private readonly root?: IConstruct,
  ) {
    this.input = new EvaluatedInput(sources, props);
  }

  /**
   * Asserts that every pod has a node.
   *
   * @throws if a pod is unschedulable, with the instance types that remain after each constraint and the smallest
   * change that helps; also if the input has no pod and `clusterFiles` is not given
   */
  public hasAllPodsScheduled(): void {
    allPodsScheduled(this.input);
  }

  /**
   * Asserts that Karpenter launches at most this number of nodes. Nodes in `clusterFiles` exist already and do not
   * count.
   *
   * @param count maximum number of launched nodes: a whole number of at least 0
   * @throws if Karpenter launches more, with the nodes and the placement of each pod
   */
  public hasNodesAtMost(count: number): void {
    nodesAtMost(this.input, count);
  }

  /**
   * Asserts that the nodes that Karpenter launches cost at most this much. Each node counts with the lowest price at
   * which it can be launched. Nodes in `clusterFiles` exist already and do not count.
   *
   * @param usd maximum cost in US dollars per hour
   * @throws if the nodes cost more, with the nodes and their prices
   */
  public hasHourlyCostAtMost(usd: number): void {
    hourlyCostAtMost(this.input, usd);
  }

  /**
   * Asserts that a NodePool can launch enough instance types in each zone. The limits of the NodePool are ignored. Spot
   * nodes need many types: with more types EC2 interrupts fewer nodes, and Karpenter replaces a spot node with another
   * only if at least 15 types are cheaper.
   *
   * @param nodePool name of the NodePool
   * @param count minimum number of types in each zone: a whole number of at least 1
   * @param options the types and zones to count
   * @throws if a zone has fewer types, with the types that remain after each requirement
   */
  public hasInstanceTypesInEachZone(nodePool: string, count: number, options?: InstanceTypesInEachZoneOptions): void {
    instanceTypesInEachZone(this.input, nodePool, count, options);
  }

  /**
   * Asserts that at least this number of a workload's pods are ready at all times during a scenario. A scenario that
   * affects one node, zone or spot pool is simulated for each of them.
   *
   * @param workload name of the workload; if the name is ambiguous, with namespace and kind: `shop/web`,
   * `Deployment shop/web`
   * @param pods minimum number of ready pods: a whole number of at least 1
   * @param scenario scenario to simulate
   * @throws if fewer pods are ready at some time, with the events of the scenario
   */
  public keepsReady(workload: string, pods: number, scenario: Scenario): void {
    keepsReady(this.input, workload, pods, scenario);
  }

  /**
   * Asserts that a scenario completes: no node is stuck, every pod has a node at the end, and no pod is lost.
   *
   * @param scenario scenario to simulate
   * @throws if a node is stuck, or a pod is pending or lost at the end, with the cause and a remedy
   */
  public completes(scenario: Scenario): void {
    completes(this.input, scenario);
  }

  /**
   * Asserts that no rule finds an error.
   *
   * @param exceptRules ids or names of rules to ignore, for example because they cannot be evaluated
   * @throws if a rule finds an error, with constructs, locations and remedies
   * @see https://github.com/karpenter-constructs/karpenter-constructs/blob/main/docs/rules.md
   */
  public hasNoErrors(exceptRules: string[] = []): void {
    noErrors(this.input, exceptRules, this.root);
  }

  /**
   * Asserts that a rule finds nothing: no error, no warning and no info.
   *
   * @param rule id or name of the rule: `KARP-402`, `no-pdb`
   * @throws if the rule finds something, with constructs, locations and remedies
   * @see https://github.com/karpenter-constructs/karpenter-constructs/blob/main/docs/rules.md
   */
  public hasNoFindingOf(rule: string): void {
    noFindingOf(this.input, rule, this.root);
  }
}
