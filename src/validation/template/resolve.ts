import { NestedStacks } from './nested';
import { attributeOf, Environment, NamedResource, partitionOf, refOf } from './resource-names';
import { mayBeSamePlace, Template } from './template';
import { hasUnknown, plainText, unknownToken } from './token';
import { asRecord, replaceDummyValues } from '../../contract';
import { valueText } from '../../model';
import { PlainRecord } from '../manifest/records';

/** Parameters for the name of the cluster, as in the template of Karpenter's guides. */
const CLUSTER_PARAMETER = /^(?:eks|k8s|karpenter)?cluster(?:name)?$/i;

function clusterParameter({ raw, clusterName }: Template, name: string): string | undefined {
  const { Type } = asRecord(asRecord(raw.Parameters)?.[name]) ?? {};
  return Type === 'String' && CLUSTER_PARAMETER.test(name) ? clusterName : undefined;
}

/** No real template nests references this deep: beyond it the references form a cycle. */
const MAX_DEPTH = 60;

type Function = (argument: unknown, scope: Scope) => unknown;

interface Export {
  readonly name: string;
  readonly template: Template;
  readonly value: unknown;
}

/** The template of a value, and how many references led to it. */
interface Scope {
  readonly template: Template;
  readonly depth: number;
  /** The variable map of an enclosing Fn::Sub. */
  readonly variables?: PlainRecord;
}

/**
 * Evaluates CloudFormation's intrinsic functions as far as the templates determine them; other values become tokens.
 */
export class Resolver {
  public readonly nested: NestedStacks;
  private readonly exports: readonly Export[];

  private readonly functions: Readonly<Record<string, Function>> = {
    Ref: (name, scope) => this.reference(plainText(name), scope),
    'Fn::GetAtt': (argument, scope) => this.attribute(argument, scope),
    'Fn::Join': (argument, scope) => this.join(argument, scope),
    'Fn::Sub': (argument, scope) => this.substitute(argument, scope),
    'Fn::Select': (argument, scope) => this.select(argument, scope),
    'Fn::Split': (argument, scope) => this.split(argument, scope),
    'Fn::If': (argument, scope) => this.choose(argument, scope),
    'Fn::FindInMap': (argument, scope) => this.find(argument, scope),
    'Fn::ImportValue': (argument, scope) => this.imported(this.value(argument, scope), scope),
    'Fn::ToJsonString': (argument, scope) => JSON.stringify(this.value(argument, scope)),
  };

  public constructor(templates: readonly Template[]) {
    this.nested = new NestedStacks(templates);
    this.exports = templates.flatMap((template) =>
      Object.values(asRecord(template.raw.Outputs) ?? {}).flatMap((raw) => {
        const output = asRecord(raw);
        const name = this.resolve(template, asRecord(output?.Export)?.Name);
        return typeof name === 'string' ? [{ name, template, value: output!.Value }] : [];
      }),
    );
  }

  public resolve(template: Template, value: unknown): unknown {
    return this.value(value, { template, depth: 0 });
  }

  /** False if the named condition is known to be false. */
  public mayHold(template: Template, condition: string): boolean {
    return this.condition(asRecord(template.raw.Conditions)?.[condition], { template, depth: 0 }) !== false;
  }

  private value(value: unknown, scope: Scope): unknown {
    if (scope.depth > MAX_DEPTH) return unknownToken('a circle of references');
    if (Array.isArray(value)) return value.map((item) => this.value(item, scope)).filter((item) => item !== undefined);
    const record = asRecord(value);
    if (!record) return typeof value === 'string' ? replaceDummyValues(value, unknownToken) : value;
    const [name, ...others] = Object.keys(record);
    if (name !== undefined && others.length === 0 && (name === 'Ref' || name.startsWith('Fn::')))
      return this.call(name, record[name], scope);
    const result: Record<string, unknown> = Object.create(null);
    for (const [key, item] of Object.entries(record)) {
      const resolved = this.value(item, scope);
      if (resolved !== undefined) result[key] = resolved;
    }
    return result;
  }

  private call(name: string, argument: unknown, scope: Scope): unknown {
    const deeper = { ...scope, depth: scope.depth + 1 };
    const result = Object.hasOwn(this.functions, name) ? this.functions[name](argument, deeper) : UNRESOLVED;
    return result === UNRESOLVED ? unknownToken(`${scope.template.name}/${name}:${JSON.stringify(argument)}`) : result;
  }

  private reference(name: string, { template, depth, variables }: Scope): unknown {
    if (variables && Object.hasOwn(variables, name)) return variables[name];
    if (name === 'AWS::NoValue') return undefined;
    if (name.startsWith('AWS::')) return pseudoParameter(name, template);
    const resource = this.named(template, name, depth);
    return resource ? refOf(resource) : this.parameter(name, { template, depth });
  }

  private parameter(name: string, { template, depth }: Scope): unknown {
    const nesting = this.nested.nestingOf(template);
    const value = asRecord(nesting?.properties.Parameters)?.[name];
    return value === undefined
      ? (clusterParameter(template, name) ?? unknownToken(`${template.name}/${name}`))
      : this.value(value, { template: nesting!.parent, depth });
  }

  /** Evaluates Fn::GetAtt, whose attribute name may itself be a reference. */
  private attribute(argument: unknown, scope: Scope): unknown {
    const { template, depth } = scope;
    const [id, ...path] = Array.isArray(argument)
      ? argument.map((item) => plainText(this.value(item, scope)))
      : plainText(argument).split('.');
    const attribute = path.join('.');
    const child = this.nested.childOf(template, id);
    const output = child && asRecord(asRecord(child.raw.Outputs)?.[attribute.replace(/^Outputs\./, '')]);
    if (output) return this.value(output.Value, { template: child, depth });
    const resource = this.named(template, id, depth);
    return resource ? attributeOf(resource, attribute) : unknownToken(`${template.name}/${id}.${attribute}`);
  }

  private named(template: Template, id: string, depth: number): NamedResource | undefined {
    const resources = asRecord(template.raw.Resources) ?? {};
    const resource = Object.hasOwn(resources, id) ? asRecord(resources[id]) : undefined;
    if (!resource) return undefined;
    const properties = asRecord(resource.Properties) ?? {};
    return {
      id: `${template.name}/${id}`,
      type: plainText(resource.Type),
      environment: stackEnvironment(template),
      property: (name) => this.value(properties[name], { template, depth: depth + 1 }),
    };
  }

  private join(argument: unknown, scope: Scope): unknown {
    const [separator, rawItems] = Array.isArray(argument) ? argument : [];
    const items = this.value(rawItems, scope);
    if (typeof separator !== 'string' || !Array.isArray(items) || items.some((item) => typeof item === 'object'))
      return UNRESOLVED;
    return items.map(valueText).join(separator);
  }

  private substitute(argument: unknown, scope: Scope): unknown {
    const [text, map] = Array.isArray(argument) ? argument : [argument, {}];
    if (typeof text !== 'string') return UNRESOLVED;
    const variables = asRecord(this.value(map, scope)) ?? {};
    // Without the rest of the text, each `${` has its `}`: the search takes linear time.
    const end = text.lastIndexOf('}') + 1;
    return (
      text.slice(0, end).replace(/\$\{(!?)([^}]*)\}/g, (whole, literal: string, name: string) => {
        if (literal) return `\${${name}}`;
        const key = name.trim();
        const value =
          key.includes('.') && !Object.hasOwn(variables, key)
            ? this.attribute(key, scope)
            : this.reference(key, { ...scope, variables });
        return typeof value === 'object' ? whole : valueText(value ?? '');
      }) + text.slice(end)
    );
  }

  private select(argument: unknown, scope: Scope): unknown {
    const [index, rawItems] = Array.isArray(argument) ? argument : [];
    const items = this.value(rawItems, scope);
    const position = Number(plainText(this.value(index, scope)));
    return Array.isArray(items) && position in items ? items[position] : UNRESOLVED;
  }

  private split(argument: unknown, scope: Scope): unknown {
    const [separator, rawText] = Array.isArray(argument) ? argument : [];
    const text = this.value(rawText, scope);
    // The value of a token may contain the separator.
    return typeof separator === 'string' && typeof text === 'string' && !hasUnknown(text)
      ? text.split(separator)
      : UNRESOLVED;
  }

  private choose(argument: unknown, scope: Scope): unknown {
    const [name, whenTrue, whenFalse] = Array.isArray(argument) ? argument : [];
    const holds = this.condition(asRecord(scope.template.raw.Conditions)?.[plainText(name)], scope);
    return holds === undefined ? UNRESOLVED : this.value(holds ? whenTrue : whenFalse, scope);
  }

  private find(argument: unknown, scope: Scope): unknown {
    const keys = this.value(argument, scope);
    if (!Array.isArray(keys) || keys.length !== 3) return UNRESOLVED;
    const mapped = keys.reduce<unknown>((map, key) => asRecord(map)?.[plainText(key)], scope.template.raw.Mappings);
    return mapped === undefined ? UNRESOLVED : this.value(mapped, scope);
  }

  /** Export names are unique in a region of an account. */
  private imported(name: unknown, { template, depth }: Scope): unknown {
    const match = this.exports?.find(
      (candidate) => candidate.name === name && mayBeSamePlace(candidate.template, template),
    );
    return match
      ? this.value(match.value, { template: match.template, depth })
      : unknownToken(`import ${plainText(name)}`);
  }

  private condition(raw: unknown, scope: Scope): boolean | undefined {
    if (scope.depth > MAX_DEPTH) return undefined;
    const deeper = { ...scope, depth: scope.depth + 1 };
    const [[name, argument] = []] = Object.entries(asRecord(raw) ?? {});
    const operands = () => (Array.isArray(argument) ? argument : []).map((item) => this.condition(item, deeper));
    switch (name) {
      case 'Condition':
        return this.condition(asRecord(scope.template.raw.Conditions)?.[plainText(argument)], deeper);
      case 'Fn::Equals':
        return this.equals(argument, deeper);
      case 'Fn::Not':
        return negated(operands()[0]);
      case 'Fn::And':
        return every(operands());
      case 'Fn::Or':
        return negated(every(operands().map(negated)));
      default:
        return undefined;
    }
  }

  private equals(argument: unknown, scope: Scope): boolean | undefined {
    const sides = this.value(argument, scope);
    if (!Array.isArray(sides) || sides.length !== 2) return undefined;
    const [left, right] = sides.map(plainText);
    if (left === right) return true;
    return hasUnknown(left) || hasUnknown(right) ? undefined : false;
  }
}

/** The result of a function whose value is known only at deployment. */
const UNRESOLVED = Symbol('unresolved');

export function stackEnvironment({ region, account }: Template): Environment {
  return {
    partition: partitionOf(region),
    region: region ?? unknownToken('AWS::Region'),
    account: account ?? unknownToken('AWS::AccountId'),
  };
}

function pseudoParameter(name: string, template: Template): string {
  const { partition, region, account } = stackEnvironment(template);
  const parameters: Readonly<Record<string, string>> = {
    'AWS::Partition': partition,
    'AWS::Region': region,
    'AWS::AccountId': account,
  };
  if (Object.hasOwn(parameters, name)) return parameters[name];
  if (name === 'AWS::URLSuffix' && template.region !== undefined)
    return partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  return unknownToken(name === 'AWS::URLSuffix' ? name : `${template.name}/${name}`);
}

function negated(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

function every(values: ReadonlyArray<boolean | undefined>): boolean | undefined {
  if (values.includes(false)) return false;
  return values.includes(undefined) ? undefined : true;
}
