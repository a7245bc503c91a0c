import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { SCALABLE_GROUP } from '../contract';

/**
 * The pods that a CapacityBuffer keeps room for: those of a workload, or those of a PodTemplate.
 */
export class BufferedPods {
  /** Pods of the Deployment with this name, in the namespace of the buffer. */
  public static deployment(name: string): BufferedPods {
    return scalable(SCALABLE_GROUP, 'Deployment', name);
  }

  /** Pods of the StatefulSet with this name, in the namespace of the buffer. */
  public static statefulSet(name: string): BufferedPods {
    return scalable(SCALABLE_GROUP, 'StatefulSet', name);
  }

  /** Pods of the ReplicaSet with this name, in the namespace of the buffer. */
  public static replicaSet(name: string): BufferedPods {
    return scalable(SCALABLE_GROUP, 'ReplicaSet', name);
  }

  /**
   * Pods of the workload of a construct, such as a `Deployment` of cdk8s-plus, in the namespace of the buffer.
   *
   * @throws Error if the construct has no API object
   */
  public static of(workload: IConstruct): BufferedPods {
    const { apiGroup, kind, name } = ApiObject.of(workload);
    return scalable(apiGroup, kind, name);
  }

  /** Pods of the PodTemplate with this name, in the namespace of the buffer. */
  public static podTemplate(name: string): BufferedPods {
    return BufferedPods._from({ podTemplateRef: { name } });
  }

  /** @internal */
  public static _from(fields: Record<string, unknown>): BufferedPods {
    return new BufferedPods(fields);
  }

  private constructor(private readonly fields: Record<string, unknown>) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return { ...this.fields };
  }
}

function scalable(apiGroup: string, kind: string, name: string): BufferedPods {
  return BufferedPods._from({ scalableRef: { apiGroup, kind, name } });
}
