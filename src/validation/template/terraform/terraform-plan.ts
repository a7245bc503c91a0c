import { Configuration, Target } from './configuration';
import { REFERENCES, RESOURCE_TYPES } from './resource-types';
import { resourcesIn, TerraformFile, TerraformResource } from './terraform-json';
import { asRecord } from '../../../contract';
import { arnOf, Environment, NamedResource, physicalName, partitionOf, refOf } from '../resource-names';
import { hasUnknown, unknownToken } from '../token';

const ARN = /^arn:[^:]*:[^:]*:([^:]*):(\d{12}):/;

/** The resources of a plan or a state, with what they refer to. */
export class TerraformPlan {
  public readonly resources: readonly TerraformResource[];
  public readonly configuration: Configuration;
  private readonly byName = new Map<string, TerraformResource[]>();
  private readonly byBlock = new Map<string, TerraformResource[]>();
  private readonly named = new Map<TerraformResource, NamedResource>();
  private readonly account: string | undefined;
  private readonly region: string | undefined;

  public constructor(private readonly file: TerraformFile) {
    this.resources = resourcesIn(file.raw);
    this.configuration = new Configuration(file.raw);
    for (const resource of this.resources) {
      addTo(this.byName, keyOf(resource), resource);
      addTo(this.byBlock, withoutIndexes(resource.address), resource);
    }
    const arns = this.resources.flatMap(({ values: { arn } }) =>
      typeof arn === 'string' ? (ARN.exec(arn) ?? []) : [],
    );
    this.account =
      onlyOne(this.valuesOf('aws_caller_identity', 'account_id')) ?? onlyOne(arns.filter((_, i) => i % 3 === 2));
    this.region =
      onlyOne([...this.valuesOf('aws_region', 'name'), ...this.valuesOf('aws_region', 'region')]) ??
      onlyOne(arns.filter((part, i) => i % 3 === 1 && part !== ''));
  }

  public idOf({ address }: TerraformResource): string {
    return `${this.file.name}/${address}`;
  }

  /** The region and the account of a resource, if they are known. */
  public placeOf(resource: TerraformResource): { readonly region?: string; readonly account?: string } {
    const own = resource.values.region;
    const region =
      (typeof own === 'string' && !hasUnknown(own) ? own : undefined) ??
      this.configuration.regionOf(resource) ??
      this.region ??
      this.file.region;
    return {
      ...(region === undefined ? {} : { region }),
      ...(this.account === undefined ? {} : { account: this.account }),
    };
  }

  /** The value of an attribute. If it is unknown, but the name, ARN or URL of one resource, it is that text. */
  public value(resource: TerraformResource, attribute: string): unknown {
    const value = resource.values[attribute];
    const reference = REFERENCES[attribute];
    if (!reference || !this.isUnknown(resource, attribute)) return value;
    const target = this.referred(resource, attribute, reference.types);
    if (!target) return value;
    const named = this.namedOf(target);
    return { name: physicalName, arn: arnOf, ref: refOf }[reference.is](named);
  }

  /** Whether the whole value is known only at deployment. */
  public isUnknown({ address, values }: TerraformResource, attribute: string): boolean {
    return values[attribute] === unknownToken(`${address}.${attribute}`);
  }

  /** The only resource of these types that an attribute refers to. */
  public referred(
    resource: TerraformResource,
    attribute: string,
    types: readonly string[],
  ): TerraformResource | undefined {
    return this.instanceOf(this.configuration.targetsOf(resource, attribute).targets, types, resource);
  }

  /** The ARN of the only resource that an attribute of a block refers to. */
  public arnReferred(resource: TerraformResource, block: string, index: number, attribute: string): string | undefined {
    const { targets } = this.configuration.targetsOfBlock(resource, block, index, attribute);
    const managed = targets.filter(({ mode }) => mode === 'managed');
    const target = this.instanceOf(managed, [...new Set(managed.map(({ type }) => type))], resource);
    return target && ['aws_sqs_queue', 'aws_iam_role'].includes(target.type) ? arnOf(this.namedOf(target)) : undefined;
  }

  /** The name of the cluster that Helm or Kubernetes resources are applied to; a token if it is not known. */
  public clusterOf(resource: TerraformResource): string {
    const { targets } = this.configuration.targetsOfProvider(resource, [
      'host',
      'cluster_ca_certificate',
      'token',
      'exec',
    ]);
    const clusters = this.resources.filter(({ type, mode }) => type === 'aws_eks_cluster' && mode === 'managed');
    const cluster =
      this.instanceOf(targets, ['aws_eks_cluster'], resource) ?? (clusters.length === 1 ? clusters[0] : undefined);
    return cluster ? physicalName(this.namedOf(cluster)) : unknownToken('the cluster of Terraform');
  }

  public namedOf(resource: TerraformResource): NamedResource {
    const known = this.named.get(resource) ?? this.makeNamed(resource);
    this.named.set(resource, known);
    return known;
  }

  /** The addresses of the resources that a resource waits for; undefined if they are not known. */
  public dependenciesOf(resource: TerraformResource): string[] | undefined {
    const found = new Set<string>();
    const pending = [resource];
    const seen = new Set(pending);
    let isComplete = true;
    while (pending.length > 0) {
      const current = pending.pop()!;
      for (const dependency of this.directDependenciesOf(current, () => (isComplete = false))) {
        if (dependency.mode === 'managed') found.add(this.idOf(dependency));
        else if (!seen.has(dependency)) pending.push(dependency);
        seen.add(dependency);
      }
    }
    return isComplete ? [...found] : undefined;
  }

  private directDependenciesOf(resource: TerraformResource, onUnknown: () => void): TerraformResource[] {
    if (resource.dependsOn) {
      return resource.dependsOn.flatMap((address) => this.byBlock.get(withoutIndexes(address)) ?? []);
    }
    const { targets, isComplete } = this.configuration.dependenciesOf(resource);
    if (!isComplete) onUnknown();
    return targets.flatMap((target) =>
      target.type === ''
        ? this.resources.filter(({ module }) => withoutIndexes(module) === withoutIndexes(target.module))
        : this.instancesOf(target),
    );
  }

  private instanceOf(
    all: readonly Target[],
    types: readonly string[],
    { index }: TerraformResource,
  ): TerraformResource | undefined {
    const targets = new Map(all.filter(({ type }) => types.includes(type)).map((target) => [keyOf(target), target]));
    if (targets.size !== 1) return undefined;
    const instances = this.instancesOf([...targets.values()][0]);
    return instances.length === 1 ? instances[0] : instances.find((instance) => instance.index === index);
  }

  private instancesOf(target: Target): TerraformResource[] {
    const all = this.byName.get(keyOf(target)) ?? [];
    return target.index === undefined ? all : all.filter(({ index }) => index === target.index);
  }

  private makeNamed(resource: TerraformResource): NamedResource {
    const { type = resource.type, attributes = {}, id } = RESOURCE_TYPES.get(resource.type) ?? {};
    const { region, account } = this.placeOf(resource);
    const textOf = (attribute: string | undefined) => {
      const value = attribute === undefined ? undefined : resource.values[attribute];
      return typeof value === 'string' && !hasUnknown(value) ? value : undefined;
    };
    const environment: Environment = {
      partition: partitionOf(region),
      region: region ?? unknownToken('AWS::Region'),
      account: account ?? unknownToken('AWS::AccountId'),
    };
    return {
      id: this.idOf(resource),
      type,
      environment,
      known: this.file.isWritten ? writtenNames(resource, attributes) : { name: textOf(id), arn: textOf('arn') },
      property: (name) => textOf(attributes[name]),
    };
  }

  private valuesOf(type: string, attribute: string): unknown[] {
    return this.resources
      .filter((resource) => resource.type === type && resource.mode === 'data')
      .map(({ values }) => asRecord(values)?.[attribute]);
  }
}

/** What references to a resource of a `.tf` file become. An unknown name is a reference, too. */
function writtenNames(
  { type, address, values }: TerraformResource,
  attributes: Readonly<Record<string, string>>,
): NonNullable<NamedResource['known']> {
  const text = (attribute: string) => {
    const value = values[attribute];
    return typeof value === 'string' && value !== '' ? value : `\${${address}.${attribute}}`;
  };
  const hasName = Object.values(attributes).includes('name');
  const refs: Readonly<Record<string, string>> = { aws_sqs_queue: 'url', aws_vpc: 'id', aws_subnet: 'id' };
  return {
    name: hasName && type !== 'aws_security_group' ? text('name') : `\${${address}.id}`,
    arn: text('arn'),
    ...(Object.hasOwn(refs, type) ? { ref: text(refs[type]) } : {}),
  };
}

/** The key of all instances of a resource block in a module. */
function keyOf({ module, mode, type, name }: Target): string {
  return JSON.stringify([module, mode, type, name]);
}

function addTo<T>(map: Map<string, T[]>, key: string, item: T): void {
  const all = map.get(key);
  if (all) all.push(item);
  else map.set(key, [item]);
}

function withoutIndexes(address: string): string {
  return address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '');
}

/** The only text among the values. */
function onlyOne(values: readonly unknown[]): string | undefined {
  const texts = new Set(values.filter((value) => typeof value === 'string' && !hasUnknown(value)));
  return texts.size === 1 ? ([...texts][0] as string) : undefined;
}
