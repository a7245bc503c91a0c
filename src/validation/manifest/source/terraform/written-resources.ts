import { clusterModule } from './cluster-module';
import { Evaluator, isPlaceholder, Scope } from './hcl/evaluate';
import { Block, Body, bodyAttribute, HclExpression } from './hcl/syntax';
import { instancesOf } from './instances';
import { karpenterModule, roleMapping } from './karpenter-module';
import { moduleAddons } from './module-addons';
import { isolation, networkOfModule, tagsOfBlock, zonesOfModule } from './network-modules';
import { planObstacles } from './plan-obstacles';
import { prefixLengths } from './subnet-prefixes';
import { NAME_ATTRIBUTES, parsedTerraform, TerraformText } from './terraform-folder';
import { asRecord } from '../../../../contract';
import { valueText } from '../../../../model';
import { WrittenResource } from '../../../vocabulary/source-file';
import { SourceFile } from '../../model';
import { PlainRecord } from '../../records';
import { SourceText } from '../source-text';

/** Resources that decide what Karpenter may do, where its nodes are and whether they join. */
const TYPES =
  /^aws_(?:iam_(?:role|policy|role_policy|role_policy_attachment|policy_attachment|instance_profile|policy_document)|sqs_queue|sqs_queue_policy|cloudwatch_event_rule|cloudwatch_event_target|eks_access_entry|eks_pod_identity_association|subnet|security_group(?:_rule)?|vpc_security_group_egress_rule|ec2_tag|eks_cluster|eks_addon|eks_fargate_profile|eks_node_group|vpc|route_table|route|route_table_association|vpc_endpoint|nat_gateway)$/;
const MENTIONED =
  /"aws_(?:iam_|sqs_|cloudwatch_event_|eks_|subnet|security_group|route|vpc|nat_gateway)|_tags[ \t]*=|\/modules\/karpenter\b|terraform-aws-(?:modules\/|eks|vpc)|addons[ \t]*=|"(?:kubernetes_manifest|helm_release|aws_ecrpublic_authorization_token)"|provider[ \t]+"aws"|create-tags|aws[-_]auth|node_iam_role_arn/;
/** Stands for the sizes of a subnet's blocks, which Terraform may compute. */
const PREFIX_LENGTHS = 'prefix_lengths';
/** Blocks that only tell Terraform how to work. */
const SETTINGS = ['lifecycle', 'provisioner', 'connection', 'timeouts'];

/** Arguments of modules that tag subnets and security groups, with the resources that get the tags. */
const TAGS_OF_MODULES: Readonly<Record<string, string>> = {
  private_subnet_tags: 'aws_subnet',
  public_subnet_tags: 'aws_subnet',
  intra_subnet_tags: 'aws_subnet',
  node_security_group_tags: 'aws_security_group',
  cluster_security_group_tags: 'aws_security_group',
};

/**
 * The AWS resources that matter for Karpenter in a Terraform file, with their literal values. Other values are
 * placeholders with their expression.
 *
 * @see https://developer.hashicorp.com/terraform/language/syntax/configuration
 */
export function writtenResources({ path, text }: SourceFile, scope: Scope): WrittenResource[] {
  const parsed = MENTIONED.test(text) ? parsedTerraform(path, text) : undefined;
  if (!parsed) return [];
  const reader = new ResourceReader(path, parsed, scope);
  return parsed.body.blocks.flatMap((block) => reader.resourcesOf(block));
}

class ResourceReader {
  private readonly source: SourceText;

  public constructor(
    private readonly path: string,
    private readonly file: TerraformText,
    private readonly scope: Scope,
  ) {
    this.source = new SourceText({ path, text: file.text });
  }

  public resourcesOf(block: Block): WrittenResource[] {
    const [type = '', name = ''] = block.labels;
    const text = this.file.text.slice(block.start, block.end);
    const place = { path: this.path, ...this.placesOf(block) };
    const known = (expression: HclExpression) => this.valueOf(expression, this.scope);
    const others = [
      ...tagsOfBlock(block, text, place, known),
      ...roleMapping(block, text, place),
      ...planObstacles(block, text, known, place),
    ];
    if (block.type === 'module') return [...others, ...this.resourcesOfModule(block)];
    if ((block.type !== 'resource' && block.type !== 'data') || !TYPES.test(type)) return others;
    if (block.type === 'data' && type !== 'aws_iam_policy_document') return [];
    const mode = block.type === 'data' ? 'data' : 'managed';
    const all = instancesOf(block.body, this.file.text, this.scope);
    // Instances of a count have the values of one resource.
    const instances = all[0]?.key === undefined ? all.slice(0, 1) : all;
    const made = instances.map(
      ({ key, scope }): WrittenResource => ({
        mode,
        type,
        name,
        ...(key === undefined ? {} : { index: key }),
        values: {
          ...this.valuesOf(block.body, scope),
          ...(type === 'aws_subnet'
            ? {
                ...this.prefixesOf(block.body, 'cidr_block', scope, key === undefined ? all.length : 1),
                ...this.zonesOf(block.body, key === undefined ? all.map((one) => one.scope) : [scope]),
              }
            : {}),
        },
        place,
      }),
    );
    return [...others, ...made];
  }

  /** Tags that a module gives to its subnets and security groups, and roles to which it may attach policies. */
  private resourcesOfModule(block: Block): WrittenResource[] {
    const place = { path: this.path, ...this.placesOf(block) };
    const name = block.labels[0] ?? '';
    const tagged = block.body.attributes.flatMap(({ name: argument, value }): WrittenResource[] => {
      const type = Object.hasOwn(TAGS_OF_MODULES, argument) ? TAGS_OF_MODULES[argument] : undefined;
      const tags = type === undefined ? undefined : this.valueOf(value, this.scope);
      if (type === undefined) return [];
      const at = place.attributes[argument] ?? place;
      const blocks = argument.replace('_subnet_tags', '_subnets');
      const attributes = {
        tags: at,
        tags_all: at,
        cidr_block: place.attributes[blocks] ?? at,
        zones: place.attributes.azs ?? at,
      };
      const own = { path: this.path, line: at.line, column: at.column, attributes };
      const prefixes =
        type === 'aws_subnet'
          ? {
              ...this.prefixesOf(block.body, blocks, this.scope, 1),
              ...isolation(block, argument, (expression) => this.valueOf(expression, this.scope)),
              ...zonesOfModule(block, (expression) => this.valueOf(expression, this.scope)),
            }
          : {};
      return [{ mode: 'managed', type, name: argument, module: name, values: { tags, ...prefixes }, place: own }];
    });
    const text = this.file.text.slice(block.start, block.end);
    const roles = new Set([...text.matchAll(/\baws_iam_role\.([\w-]+)/g)].map(([, role]) => role));
    const attached = [...roles].map(
      (role): WrittenResource => ({
        mode: 'managed',
        type: 'aws_iam_role_policy_attachment',
        name: `${name}-${role}`,
        module: name,
        values: { role: `\${aws_iam_role.${role}.name}`, policy_arn: `\${module.${name}}` },
        place,
      }),
    );
    return [
      ...tagged,
      ...attached,
      ...karpenterModule(block, this.file.text, this.scope, place),
      ...moduleAddons(block, this.file.text, this.scope, place),
      ...clusterModule(block, this.file.text, this.scope, place),
      ...networkOfModule(block, text, place, (expression) => this.valueOf(expression, this.scope)),
    ];
  }

  /** The sizes of subnets: one for each if their number is known, otherwise one. */
  private prefixesOf(body: Body, attribute: string, scope: Scope, instances: number): PlainRecord {
    // Pods of an IPv6 cluster have no IPv4 addresses.
    if (body.attributes.some(({ name }) => /ipv6/.test(name))) return {};
    const expression = bodyAttribute(body, attribute);
    const lengths = expression ? prefixLengths(expression, this.file.text, scope) : [];
    return lengths.length === 0
      ? {}
      : { [PREFIX_LENGTHS]: lengths.length === 1 ? Array(Math.max(1, instances)).fill(lengths[0]) : lengths };
  }

  /** The zone of each subnet that a block makes. */
  private zonesOf(body: Body, scopes: readonly Scope[]): PlainRecord {
    const zone = bodyAttribute(body, 'availability_zone');
    return zone === undefined ? {} : { zones: scopes.map((scope) => this.valueOf(zone, scope)) };
  }

  private valuesOf(body: Body, scope: Scope): PlainRecord {
    const values: Record<string, unknown> = Object.create(null);
    for (const { name, value } of body.attributes) {
      const known = this.valueOf(value, scope);
      if (known !== null && known !== undefined) values[name] = known;
    }
    for (const block of body.blocks) {
      if (SETTINGS.includes(block.type)) continue;
      const [label = ''] = block.labels;
      if (block.type === 'dynamic') values[label] = `\${dynamic.${label}}`;
      else if (typeof values[block.type] !== 'string')
        values[block.type] = [...[values[block.type] ?? []].flat(), this.valuesOf(block.body, scope)];
    }
    return values;
  }

  private valueOf(expression: HclExpression, scope: Scope): unknown {
    return new Evaluator(scope).valueOf({ expression, text: this.file.text });
  }

  private placesOf(block: Block): Omit<WrittenResource['place'], 'path'> {
    const at = (offset: number) => this.source.position(offset);
    const blocks = block.body.blocks.map(({ type, start }) => [type, at(start)] as const);
    const attributes = block.body.attributes.map(({ name, value }) => [name, at(value.start)] as const);
    const zone = attributes.flatMap(([name, place]) =>
      name === 'availability_zone' ? [['zones', place] as const] : [],
    );
    return { ...at(block.start), attributes: Object.fromEntries([...blocks, ...attributes, ...zone]) };
  }
}

/** A reference to a resource in a placeholder, as `${aws_iam_role.node[0].arn}`. Quotes of an index are gone. */
const REFERENCE = /\$\{\s*((?:data\.)?aws_\w+\.[\w-]+)(?:\[([^\]{}]*)\])?\.(\w+)\s*\}/g;

/**
 * The values with the names of other resources, if these are literal. All other references to one attribute of one
 * resource become the same text.
 *
 * @param all the resources of the same folder
 */
export function withNames(values: PlainRecord, index: string | undefined, all: ResourcesByAddress): PlainRecord {
  return asRecord(replaced(values)) ?? {};

  function replaced(value: unknown): unknown {
    if (typeof value === 'string')
      return value.replace(REFERENCE, (_, address: string, written: string | undefined, attribute: string) =>
        all.textOf(address, indexOf(written), attribute),
      );
    if (Array.isArray(value)) return value.map(replaced);
    const record = asRecord(value);
    if (!record) return value;
    const result: Record<string, unknown> = Object.create(null);
    for (const [key, item] of Object.entries(record)) result[valueText(replaced(key))] = replaced(item);
    return result;
  }

  function indexOf(written: string | undefined): string | undefined {
    const own = written?.trim();
    return own === 'each.key' || own === 'each.value' ? (index ?? own) : own;
  }
}

/** Other attributes for the id of a resource. */
const IDS: Readonly<Record<string, string>> = { aws_iam_policy: 'arn', aws_sqs_queue: 'url' };

/** The resources of a folder by their addresses. */
export class ResourcesByAddress {
  private readonly byAddress = new Map<string, WrittenResource[]>();

  public constructor(resources: readonly WrittenResource[]) {
    for (const resource of resources) {
      if (resource.module !== undefined) continue;
      const address = addressOf({ ...resource, index: undefined });
      this.byAddress.set(address, [...(this.byAddress.get(address) ?? []), resource]);
    }
  }

  public textOf(address: string, index: string | undefined, attribute: string): string {
    const [type] = address.replace(/^data\./, '').split('.');
    const all = this.byAddress.get(address) ?? [];
    const one = all.find((resource) => resource.index !== undefined && resource.index === index) ?? onlyOf(all);
    const name = one?.values.name;
    const isName = (NAME_ATTRIBUTES[type] ?? []).includes(attribute);
    if (isName && typeof name === 'string') return name;
    const canonical = attribute === 'id' ? (IDS[type] ?? (isName ? 'name' : 'id')) : attribute;
    const instance = one === undefined && index !== undefined ? `[${index}]` : indexText(one?.index);
    return `\${${address}${instance}.${canonical}}`;
  }
}

function onlyOf(all: readonly WrittenResource[]): WrittenResource | undefined {
  return all.length === 1 && all[0].index === undefined ? all[0] : undefined;
}

function indexText(index: string | undefined): string {
  return index === undefined ? '' : `[${index}]`;
}

/** The address of a resource, as references in placeholders have it. */
export function addressOf({ mode, type, name, index, module }: WrittenResource): string {
  const own = module === undefined ? `${type}.${name}` : `module.${module}.${name}`;
  return `${mode === 'data' ? 'data.' : ''}${own}${indexText(index)}`;
}

/** Whether a value, such as the name of a role, belongs to a module or a data source, and to no resource here. */
export function isOfOthers(value: unknown): boolean {
  return isPlaceholder(value) && /^\$\{\s*(?:module|data)\./.test(value as string);
}
