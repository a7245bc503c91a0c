import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { requireWholeNumber } from './private/checked-values';

/** Kubernetes keeps greater values for its own classes. */
const MAX_VALUE = 1_000_000_000;

/**
 * Properties of a DaemonSetPriorityClass.
 */
export interface DaemonSetPriorityClassProps {
  /**
   * Name, labels and annotations of the PriorityClass. The name must not begin with `system-`.
   *
   * @default - the name `daemon-sets`
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Priority of the pods: a whole number from 1 to 1,000,000,000. Pods without a class have 0.
   *
   * @default 1000000
   */
  readonly value?: number;
}

/**
 * A PriorityClass for DaemonSets that are less important than those of the system. On a node that is full, the
 * scheduler preempts pods of lower priority for them, so that each node gets its pod of the DaemonSet. Give its `name`
 * to `daemonSetPriorityClass` of `Resilience`.
 *
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
 */
export class DaemonSetPriorityClass extends Construct {
  /**
   * The object in the manifest.
   */
  public readonly apiObject: ApiObject;

  /**
   * @throws Error if the value is out of range, or the name is reserved
   */
  constructor(scope: Construct, id: string, props: DaemonSetPriorityClassProps = {}) {
    super(scope, id);
    const { metadata, value = 1_000_000 } = props;
    requireWholeNumber('DaemonSetPriorityClass.value', value, 1, MAX_VALUE);
    if (metadata?.name?.startsWith('system-'))
      throw new Error(
        `DaemonSetPriorityClass.metadata.name: must not begin with system-, which is reserved, got ${JSON.stringify(metadata.name)}; write for example daemon-sets`,
      );
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'daemon-sets', ...metadata },
      value,
      globalDefault: false,
      description: 'Pods of DaemonSets, for which pods of lower priority are preempted.',
    });
  }

  /**
   * Name of the PriorityClass.
   */
  public get name(): string {
    return this.apiObject.name;
  }
}
