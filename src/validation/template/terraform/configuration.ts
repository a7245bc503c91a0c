import { TerraformResource } from './terraform-json';
import { asRecord } from '../../../contract';
import { PlainRecord, recordsOf } from '../../manifest/records';

/** A resource that an expression refers to; `index` is absent if the expression computes it. */
export interface Target {
  /** The address of its module. */
  readonly module: string;
  readonly mode: 'managed' | 'data';
  /** Empty for all resources of the module. */
  readonly type: string;
  readonly name: string;
  readonly index?: string | number;
}

/** Where references lead to, and whether all of them could be followed. */
export interface Targets {
  readonly targets: readonly Target[];
  readonly isComplete: boolean;
}

/** A longer chain of variables and outputs is a cycle. */
const MAX_DEPTH = 30;
/** References that are followed in one file. A hostile file could have many chains of many links. */
const MOST_STEPS = 200_000;
/** A longer reference is no real one, and would take long to read. */
const MOST_CHARACTERS = 1000;
const STEP = /\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([\w-]+)/g;
/** References that lead to no resource. */
const NO_RESOURCE = new Set(['each', 'count', 'path', 'terraform', 'self']);
const NONE: Targets = { targets: [], isComplete: true };

/** The configuration in a plan. It has the references of expressions, but not the expressions. */
export class Configuration {
  private readonly root: PlainRecord | undefined;
  private steps = 0;
  private readonly known = new Map<string, Targets>();
  private readonly resources = new Map<PlainRecord, ReadonlyMap<string, PlainRecord>>();

  public constructor(private readonly plan: PlainRecord) {
    this.root = asRecord(asRecord(plan.configuration)?.root_module);
  }

  /** Whether the file is a plan. A state has no configuration. */
  public get isKnown(): boolean {
    return this.root !== undefined;
  }

  /** Whether the configuration sets the attribute or block of the resource. */
  public sets(resource: TerraformResource, attribute: string): boolean {
    return this.expressionOf(resource, attribute) !== undefined;
  }

  /** The resources that an attribute of a resource refers to. */
  public targetsOf(resource: TerraformResource, attribute: string): Targets {
    return this.follow(referencesIn(this.expressionOf(resource, attribute)), resource.module);
  }

  /** The resources that an attribute of a block refers to. A resource with dynamic blocks has more than are listed. */
  public targetsOfBlock(resource: TerraformResource, block: string, index: number, attribute: string): Targets {
    const blocks = this.expressionOf(resource, block);
    const planned = resource.values[block];
    if (!Array.isArray(blocks) || !Array.isArray(planned) || blocks.length !== planned.length) return NONE;
    return this.follow(referencesIn(asRecord(blocks[index])?.[attribute]), resource.module);
  }

  /** The resources that the resource has to wait for: by references, and by `depends_on`. */
  public dependenciesOf(resource: TerraformResource): Targets {
    const raw = this.rawOf(resource);
    const own = [
      ...referencesIn(raw?.expressions),
      ...referencesIn(raw?.for_each_expression),
      ...referencesIn(raw?.count_expression),
    ];
    // Followed apart: `module.a` of depends_on is more than `module.a.output` of an expression.
    const all = [this.follow(own, resource.module), this.follow(textsOf(raw?.depends_on), resource.module)];
    for (let module = resource.module; module !== ''; module = parentOf(module)) {
      const call = this.callOf(module);
      all.push(this.follow(textsOf(call?.depends_on), parentOf(module)));
    }
    return merged(all);
  }

  /** The resources that the expressions of a provider refer to. */
  public targetsOfProvider(resource: TerraformResource, attributes: readonly string[]): Targets {
    const key = this.rawOf(resource)?.provider_config_key;
    const providers = asRecord(asRecord(this.plan.configuration)?.provider_config);
    const provider = typeof key === 'string' ? asRecord(providers?.[key]) : undefined;
    const { module_address: module = '' } = provider ?? {};
    const expressions = asRecord(provider?.expressions);
    const blocks = [expressions, ...[expressions?.kubernetes].flat().map(asRecord)];
    const references = blocks.flatMap((block) => attributes.flatMap((name) => referencesIn(block?.[name])));
    return this.follow(references, typeof module === 'string' ? module : '');
  }

  /** The literal region of the AWS provider of the resource. */
  public regionOf(resource: TerraformResource): string | undefined {
    const key = this.rawOf(resource)?.provider_config_key;
    const providers = asRecord(asRecord(this.plan.configuration)?.provider_config);
    const isOfAws = resource.type.startsWith('aws_') && typeof key === 'string';
    const provider = asRecord(providers?.[isOfAws ? key : 'aws']) ?? asRecord(providers?.aws);
    const region = asRecord(asRecord(provider?.expressions)?.region);
    if (typeof region?.constant_value === 'string') return region.constant_value;
    const [variable, ...others] = textsOf(region?.references);
    const name = others.length === 0 ? /^var\.([\w-]+)$/.exec(variable ?? '')?.[1] : undefined;
    const value = name === undefined ? undefined : asRecord(asRecord(this.plan.variables)?.[name])?.value;
    return typeof value === 'string' ? value : undefined;
  }

  private follow(references: readonly string[], module: string, depth = 0): Targets {
    return merged(longest(references).map((reference) => this.followOne(reference, module, depth)));
  }

  private followOne(reference: string, module: string, depth: number): Targets {
    if (depth > MAX_DEPTH || this.steps++ > MOST_STEPS) return { targets: [], isComplete: false };
    const key = JSON.stringify([module, reference]);
    const known = this.known.get(key);
    if (known) return known;
    const found = this.resolve(reference, module, depth);
    this.known.set(key, found);
    return found;
  }

  private resolve(reference: string, module: string, depth: number): Targets {
    const [first, second, ...rest] = stepsOf(reference);
    if (first?.name === undefined || NO_RESOURCE.has(first.name)) return NONE;
    if (first.name === 'local' || second?.name === undefined) return { targets: [], isComplete: false };
    if (first.name === 'var') return this.followVariable(second.name, module, depth);
    if (first.name === 'module') return this.followOutput(second.name, rest, module, depth);
    if (first.name !== 'data')
      return only({ module, mode: 'managed', type: first.name, name: second.name, ...indexOf(rest[0]) });
    const [name, index] = rest;
    return only({ module, mode: 'data', type: second.name, name: name?.name ?? '', ...indexOf(index) });
  }

  /** A variable of the root module has a value of its own. */
  private followVariable(name: string, module: string, depth: number): Targets {
    if (module === '') return NONE;
    const argument = asRecord(this.callOf(module)?.expressions)?.[name];
    return this.follow(referencesIn(argument), parentOf(module), depth + 1);
  }

  /** A reference to the module as a whole is a target without a type. */
  private followOutput(name: string, rest: readonly Step[], module: string, depth: number): Targets {
    const child = `${module === '' ? '' : `${module}.`}module.${name}`;
    const [index, output] = rest[0]?.name === undefined ? rest : [undefined, rest[0]];
    const outputs = asRecord(asRecord(this.callOf(child)?.module)?.outputs);
    if (output?.name === undefined) return only({ module: child, mode: 'managed', type: '', name: '' });
    const raw = asRecord(outputs?.[output.name]);
    if (!raw) return { targets: [], isComplete: false };
    const address = index?.index === undefined ? child : `${child}[${JSON.stringify(index.index)}]`;
    return this.follow([...referencesIn(raw.expression), ...textsOf(raw.depends_on)], address, depth + 1);
  }

  private expressionOf(resource: TerraformResource, attribute: string): unknown {
    return asRecord(this.rawOf(resource)?.expressions)?.[attribute];
  }

  private rawOf({ module, mode, type, name }: TerraformResource): PlainRecord | undefined {
    const raw = this.moduleAt(module);
    if (!raw) return undefined;
    const resources = this.resources.get(raw) ?? byKey(recordsOf(raw.resources));
    this.resources.set(raw, resources);
    return resources.get(keyOf(mode, type, name));
  }

  private moduleAt(module: string): PlainRecord | undefined {
    return module === '' ? this.root : asRecord(this.callOf(module)?.module);
  }

  private callOf(module: string): PlainRecord | undefined {
    let current = this.root;
    let call: PlainRecord | undefined;
    for (const name of callNames(module)) {
      const calls = asRecord(current?.module_calls);
      call = calls && Object.hasOwn(calls, name) ? asRecord(calls[name]) : undefined;
      current = asRecord(call?.module);
    }
    return call;
  }
}

/** One step of a reference: a name, or an index in brackets. */
interface Step {
  readonly name?: string;
  readonly index?: string | number;
}

function only(target: Target): Targets {
  return { targets: [target], isComplete: true };
}

function indexOf(step: Step | undefined): Pick<Target, 'index'> {
  return step?.index === undefined ? {} : { index: step.index };
}

function byKey(resources: readonly PlainRecord[]): ReadonlyMap<string, PlainRecord> {
  return new Map(resources.map((raw) => [keyOf(raw.mode, raw.type, raw.name), raw]));
}

function keyOf(mode: unknown, type: unknown, name: unknown): string {
  return JSON.stringify([mode === 'data', type, name]);
}

function merged(all: readonly Targets[]): Targets {
  return { targets: all.flatMap(({ targets }) => targets), isComplete: all.every(({ isComplete }) => isComplete) };
}

/** All references of an expression, those of nested blocks included. */
function referencesIn(expression: unknown, depth = 0): string[] {
  if (typeof expression !== 'object' || expression === null || depth > MAX_DEPTH) return [];
  return Object.entries(expression).flatMap(([key, item]) =>
    key === 'references' ? textsOf(item) : referencesIn(item, depth + 1),
  );
}

/** Terraform lists `a.b[0].c`, `a.b[0]` and `a.b` for one reference. */
function longest(references: readonly string[]): string[] {
  const all = new Set(references.filter(({ length }) => length <= MOST_CHARACTERS));
  const shorter = new Set<string>();
  for (const reference of all) {
    for (let end = reference.length - 1; end > 0; end--)
      if ('.['.includes(reference[end]) && all.has(reference.slice(0, end))) shorter.add(reference.slice(0, end));
  }
  return [...all].filter((reference) => !shorter.has(reference));
}

function stepsOf(reference: string): Step[] {
  return [...reference.matchAll(STEP)].map(([, key, index, name]) =>
    name === undefined ? { index: key ?? Number(index) } : { name },
  );
}

/** The names of the calls that lead to a module: `a` and `b` for `module.a["x"].module.b[0]`. */
function callNames(module: string): string[] {
  return [...module.matchAll(/(?:^|\.)module\.([\w-]+)(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?/g)].map(([, name]) => name);
}

function parentOf(module: string): string {
  return module.replace(/(?:^|\.)module\.[\w-]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?$/, '');
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
