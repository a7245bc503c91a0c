import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { SCALABLE_GROUP } from '../contract';

/**
 * A workload with replicas, in the namespace of the object that refers to it.
 */
export class ScalableRef {
  /** The Deployment with this name. */
  public static deployment(name: string): ScalableRef {
    return new ScalableRef(SCALABLE_GROUP, 'Deployment', name);
  }

  /** The StatefulSet with this name. */
  public static statefulSet(name: string): ScalableRef {
    return new ScalableRef(SCALABLE_GROUP, 'StatefulSet', name);
  }

  /** The ReplicaSet with this name. */
  public static replicaSet(name: string): ScalableRef {
    return new ScalableRef(SCALABLE_GROUP, 'ReplicaSet', name);
  }

  /**
   * The workload of a construct, such as a `Deployment` of cdk8s-plus.
   *
   * @throws Error if the construct has no API object
   */
  public static of(workload: IConstruct): ScalableRef {
    const { apiGroup, kind, name } = ApiObject.of(workload);
    return new ScalableRef(apiGroup, kind, name);
  }

  private constructor(
    /** API group without a version: `apps`. */
    public readonly apiGroup: string,
    /** Kind of the workload. */
    public readonly kind: string,
    /** Name of the workload. */
    public readonly name: string,
  ) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return { apiGroup: this.apiGroup, kind: this.kind, name: this.name };
  }
}
