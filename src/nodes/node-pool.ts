import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { checkNodePoolSpec, disruptionDefaults, FieldProblem, NODE_POOL_API } from '../contract';
import { DisruptionBudget } from './disruption';
import { Expiration } from './expiration';
import { KarpenterObject } from './karpenter-object';
import { INodeClass } from './node-class';
import { NodePoolProps } from './node-pool-props';
import { INodePool, NodePoolAttributes } from './node-pool-ref';
import { Label, requireProps } from '../model';
import { newCheckedObject, CheckedSpec, throwOnMisuse } from './private/checked-object';
import { findContradictions } from './private/contradictions';
import { toGoDuration, unlessEmpty } from './private/lowering';
import { Requirement } from './requirements/requirement';
import { _toTaint, Taint } from './requirements/taint';
import { _toLimits } from './resource-limits';

/** Karpenter's default of `expireAfter`. */
const DEFAULT_EXPIRATION_HOURS = 720;

/**
 * A set of nodes that Karpenter launches and removes as pods need them.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/
 */
export class NodePool extends KarpenterObject implements INodePool {
  /**
   * Refers to a NodePool that is created elsewhere.
   *
   * @param scope where the construct belongs
   * @param id name among its siblings
   * @param name name of the object in the cluster
   */
  public static fromNodePoolName(scope: Construct, id: string, name: string): INodePool {
    return new ImportedNodePool(scope, id, { name });
  }

  /**
   * Refers to a NodePool that is created elsewhere, with more known attributes than its name. Workloads that are pinned
   * to the NodePool use these attributes.
   *
   * @param scope where the construct belongs
   * @param id name among its siblings
   * @param attributes known attributes of the NodePool
   */
  public static fromNodePoolAttributes(scope: Construct, id: string, attributes: NodePoolAttributes): INodePool {
    return new ImportedNodePool(scope, id, attributes);
  }

  public readonly apiObject: ApiObject;

  /**
   * Machine image, network and disks of the nodes.
   */
  public readonly nodeClass: INodeClass;

  /**
   * Priority among the NodePools that fit a pod.
   */
  public readonly weight?: number;

  /**
   * Number of nodes of a static pool.
   */
  public readonly replicas?: number;

  /**
   * When its nodes expire.
   */
  public readonly expireAfter?: Expiration;

  /**
   * How long a node may drain before its pods are deleted.
   */
  public readonly terminationGracePeriod?: Duration;

  /**
   * The NodePool of lower weight that runs the pods of this one if it launches no node.
   *
   * @internal
   */
  public _fallback?: NodePool;

  /**
   * The NodePool of higher weight whose pods this one runs if that one launches no node.
   *
   * @internal
   */
  public _fallbackOf?: NodePool;

  private readonly _requirements: Requirement[];
  private readonly _labels: { [key: string]: string };
  private readonly _annotations: { [key: string]: string };
  private readonly _taints: Taint[];
  private readonly _startupTaints: Taint[];
  private readonly _budgets: DisruptionBudget[];
  private readonly rules: CheckedSpec = { construct: this, toSpec: () => this._toSpec(), check: checkSpec };

  /**
   * @throws Error if Karpenter or the API server would not accept the NodePool, with the path, the value and what to
   * write instead
   */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: NodePoolProps,
  ) {
    super(scope, id);
    requireProps(this, props, { nodeClass: "EC2NodeClass.fromEC2NodeClassName(this, 'NodeClass', 'default')" });
    this.nodeClass = props.nodeClass;
    this.weight = props.weight;
    this.replicas = props.replicas;
    this.expireAfter = props.expireAfter ?? Expiration.after(Duration.hours(DEFAULT_EXPIRATION_HOURS));
    this.terminationGracePeriod = props.terminationGracePeriod;
    this._requirements = [...(props.requirements ?? [])];
    this._labels = { ...props.labels };
    this._annotations = { ...props.annotations };
    this._taints = [...(props.taints ?? [])];
    this._startupTaints = [...(props.startupTaints ?? [])];
    this._budgets = [...(props.disruption?.budgets ?? [])];
    this.apiObject = newCheckedObject(NODE_POOL_API, props.metadata, this.rules);
  }

  /**
   * Requirements of the nodes. The list is a copy: use `addRequirements` to change it.
   */
  public get requirements(): Requirement[] {
    return [...this._requirements];
  }

  /**
   * Labels of the nodes. The map is a copy: use `addLabel` to change it.
   */
  public get labels(): { [key: string]: string } {
    return { ...this._labels };
  }

  /**
   * Annotations of the nodes. The map is a copy: use `addAnnotation` to change it.
   */
  public get annotations(): { [key: string]: string } {
    return { ...this._annotations };
  }

  /**
   * Taints of the nodes. The list is a copy: use `addTaints` to change it.
   */
  public get taints(): Taint[] {
    return [...this._taints];
  }

  /**
   * Zones that all requirements on the zone allow. Undefined if no requirement names zones.
   */
  public get zones(): string[] | undefined {
    return zonesOf(this._requirements);
  }

  /**
   * Taints that a controller removes once the node is ready. The list is a copy: use `addStartupTaints` to change it.
   */
  public get startupTaints(): Taint[] {
    return [...this._startupTaints];
  }

  /**
   * How many nodes may be disrupted at once. The list is a copy: use `addBudgets` to change it.
   */
  public get budgets(): DisruptionBudget[] {
    return [...this._budgets];
  }

  /**
   * Adds requirements, so that fewer kinds of nodes may be launched.
   */
  public addRequirements(...requirements: Requirement[]): void {
    this._requirements.push(...requirements);
    throwOnMisuse(this.rules);
  }

  /**
   * Adds a label to the nodes, or changes its value.
   */
  public addLabel(key: string, value: string): void {
    this._labels[key] = value;
    throwOnMisuse(this.rules);
  }

  /**
   * Adds an annotation to the nodes, or changes its value.
   */
  public addAnnotation(key: string, value: string): void {
    this._annotations[key] = value;
  }

  /**
   * Adds taints. Pods that do not tolerate them are not scheduled on the nodes.
   */
  public addTaints(...taints: Taint[]): void {
    this._taints.push(...taints);
    throwOnMisuse(this.rules);
  }

  /**
   * Adds taints that a controller removes once the node is ready.
   */
  public addStartupTaints(...taints: Taint[]): void {
    this._startupTaints.push(...taints);
    throwOnMisuse(this.rules);
  }

  /**
   * Adds disruption budgets.
   */
  public addBudgets(...budgets: DisruptionBudget[]): void {
    this._budgets.push(...budgets);
    throwOnMisuse(this.rules);
  }

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return {
      template: {
        metadata: unlessEmpty({ ...nonEmpty('labels', this._labels), ...nonEmpty('annotations', this._annotations) }),
        spec: this.toTemplateSpec(),
      },
      disruption: this.toDisruption(),
      limits: _toLimits(this.props.limits),
      weight: this.weight,
      replicas: this.replicas,
    };
  }

  private toTemplateSpec(): Record<string, unknown> {
    const { nodeClass, expireAfter, terminationGracePeriod } = this.props;
    return {
      nodeClassRef: { group: nodeClass.group, kind: nodeClass.kind, name: nodeClass.name },
      requirements: this._requirements.map((requirement) => requirement._toSpec()),
      taints: unlessEmpty(this._taints.map(_toTaint)),
      startupTaints: unlessEmpty(this._startupTaints.map(_toTaint)),
      expireAfter: expireAfter?._toSpec(),
      terminationGracePeriod: terminationGracePeriod && toGoDuration(terminationGracePeriod),
    };
  }

  /** Always has `consolidateAfter`: Karpenter before 1.15 rejects a `disruption` without it. */
  private toDisruption(): Record<string, unknown> | undefined {
    const { disruption } = this.props;
    if (!disruption && this._budgets.length === 0) return undefined;
    const { consolidationPolicy, consolidateAfter } = disruption ?? {};
    const defaults = disruptionDefaults();
    return {
      consolidationPolicy: consolidationPolicy ?? defaults.consolidationPolicy,
      consolidateAfter: consolidateAfter?._toSpec() ?? defaults.consolidateAfter,
      budgets: unlessEmpty(this._budgets.map((budget) => budget._toSpec())),
    };
  }
}

/** A NodePool whose requirements contradict each other is valid, but launches no node. */
function checkSpec(spec: unknown, metadata?: Record<string, unknown>): FieldProblem[] {
  const { requirements } = (spec as { template: { spec: { requirements?: unknown } } }).template.spec;
  return [
    ...checkNodePoolSpec(spec, metadata),
    ...findContradictions(['spec', 'template', 'spec', 'requirements'], requirements),
  ];
}

function nonEmpty(key: string, map: object): Record<string, unknown> {
  return Object.keys(map).length > 0 ? { [key]: { ...map } } : {};
}

function zonesOf(requirements: readonly Requirement[]): string[] | undefined {
  const lists = requirements
    .map((requirement) => requirement._valuesIn(Label.ZONE))
    .filter((list) => list !== undefined);
  return lists.length === 0 ? undefined : lists[0].filter((zone) => lists.every((list) => list.includes(zone)));
}

class ImportedNodePool extends Construct implements INodePool {
  public readonly name: string;
  public readonly taints: Taint[];
  public readonly zones?: string[];
  public readonly expireAfter?: Expiration;
  public readonly terminationGracePeriod?: Duration;

  constructor(
    scope: Construct,
    id: string,
    { name, taints, zones, expireAfter, terminationGracePeriod }: NodePoolAttributes,
  ) {
    super(scope, id);
    this.name = name;
    this.taints = [...(taints ?? [])];
    this.zones = zones && [...zones];
    this.expireAfter = expireAfter;
    this.terminationGracePeriod = terminationGracePeriod;
  }
}
