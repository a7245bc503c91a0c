import { ContainerDefaults } from './container-range';
import { readAmounts } from './pod-resources';
import { FieldReader } from '../field-reader';
import { ManifestObject } from '../model';
import { ProblemLog } from '../problem-log';
import { PlainRecord } from '../records';

const NO_DEFAULTS: ContainerDefaults = { requests: new Map(), limits: new Map(), ranges: [] };

/** A pod template as it is stored: the API server adds these defaults only to pods. */
export const UNADMITTED: Pick<AdmissionDefaults, 'containerDefaults' | 'runtimeClass' | 'defaultsHostPorts'> = {
  containerDefaults: () => NO_DEFAULTS,
  runtimeClass: () => undefined,
  defaultsHostPorts: false,
};

/**
 * The defaults that the API server adds to pods from LimitRanges and RuntimeClasses.
 *
 * @see https://kubernetes.io/docs/concepts/policy/limit-range/
 * @see https://kubernetes.io/docs/concepts/containers/runtime-class/
 */
export class AdmissionDefaults {
  /** Whether each port of a container with the host's network is a host port. */
  public readonly defaultsHostPorts: boolean = true;
  private readonly defaultsByNamespace = new Map<string, ContainerDefaults>();
  private readonly runtimeClasses = new Map<string, PlainRecord>();

  public constructor(
    objects: readonly ManifestObject[],
    private readonly log: ProblemLog,
  ) {
    for (const object of objects) {
      if (object.apiVersion === 'v1' && object.kind === 'LimitRange') this.addLimitRange(object);
      if (object.apiVersion === 'node.k8s.io/v1' && object.kind === 'RuntimeClass')
        this.runtimeClasses.set(object.name, object.raw);
    }
  }

  public containerDefaults(namespace: string): ContainerDefaults {
    return this.defaultsByNamespace.get(namespace) ?? NO_DEFAULTS;
  }

  public runtimeClass(name: string): PlainRecord | undefined {
    return this.runtimeClasses.get(name);
  }

  /** The API server applies one LimitRange after the other: the first default of a resource stays. */
  private addLimitRange(object: ManifestObject): void {
    const reader = new FieldReader(object, this.log);
    const path = ['spec', 'limits'];
    for (const { itemPath, item } of reader.records(path, object.raw.spec?.limits)) {
      if (item.type !== 'Container') continue;
      const amounts = (field: string) => readAmounts(reader, [...itemPath, field], item[field]);
      const [min, max] = [amounts('min'), amounts('max')];
      const limits = new Map([...max, ...amounts('default')]);
      const requests = new Map([...min, ...limits, ...amounts('defaultRequest')]);
      const namespace = object.namespace ?? 'default';
      const earlier = this.containerDefaults(namespace);
      this.defaultsByNamespace.set(namespace, {
        limits: new Map([...limits, ...earlier.limits]),
        requests: new Map([...requests, ...earlier.requests]),
        ranges: [...earlier.ranges, { name: `${namespace}/${object.name}`, min, max, defaultLimits: limits }],
      });
    }
  }
}
