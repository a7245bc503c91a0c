import { ContainerDefaults, readAmounts } from './container-resources';
import { FieldReader } from './field-reader';
import { ManifestObject } from './model';
import { ProblemLog } from './problem-log';
import { PlainRecord } from './records';
import { asRecord } from '../../contract';

const NONE: ContainerDefaults = { requests: new Map(), limits: new Map() };

/**
 * What the API server adds to pods as it admits them, from other objects of the input.
 *
 * @see https://kubernetes.io/docs/concepts/policy/limit-range/
 * @see https://kubernetes.io/docs/concepts/containers/runtime-class/
 */
export class Admission {
  private readonly defaults = new Map<string, ContainerDefaults>();
  private readonly runtimeClasses = new Map<string, PlainRecord>();

  public constructor(objects: readonly ManifestObject[], private readonly log: ProblemLog) {
    for (const object of objects) {
      if (object.apiVersion === 'v1' && object.kind === 'LimitRange') this.addLimitRange(object);
      if (object.apiVersion === 'node.k8s.io/v1' && object.kind === 'RuntimeClass') this.runtimeClasses.set(object.name, object.raw);
    }
  }

  public containerDefaults(namespace: string): ContainerDefaults {
    return this.defaults.get(namespace) ?? NONE;
  }

  public runtimeClass(name: string): PlainRecord | undefined {
    return this.runtimeClasses.get(name);
  }

  /** Where several ranges speak of one resource, the API server admits by each in turn: the first default stays. */
  private addLimitRange(object: ManifestObject): void {
    const reader = new FieldReader(object, this.log);
    const path = ['spec', 'limits'];
    for (const { at, item } of reader.records(path, asRecord(object.raw.spec)?.limits)) {
      if (item.type !== 'Container') continue;
      const field = (name: string) => readAmounts(reader, [...at, name], item[name]);
      const limits = new Map([...field('max'), ...field('default')]);
      const requests = new Map([...field('min'), ...limits, ...field('defaultRequest')]);
      const namespace = object.namespace ?? 'default';
      const earlier = this.containerDefaults(namespace);
      this.defaults.set(namespace, { limits: new Map([...limits, ...earlier.limits]), requests: new Map([...requests, ...earlier.requests]) });
    }
  }
}
