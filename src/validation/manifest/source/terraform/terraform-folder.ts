import { clusterNameOfModule } from './cluster-module';
import { Scope, Written } from './hcl/evaluate';
import { parseHcl } from './hcl/parser';
import { bodyAttribute, Body, HclExpression } from './hcl/syntax';
import { asRecord } from '../../../../contract';
import { parseYaml } from '../../../../model';

/** Attributes that have the same text as the argument `name`, by the type of the resource. */
export const NAME_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  aws_iam_role: ['name', 'id'],
  aws_iam_instance_profile: ['name', 'id'],
  aws_cloudwatch_event_rule: ['name', 'id'],
  aws_sqs_queue: ['name'],
  aws_eks_cluster: ['name', 'id'],
};

/** A Terraform file that can be read. */
export interface TerraformText {
  readonly name: string;
  readonly text: string;
  readonly body: Body;
}

/** Larger files are no configuration that people write. */
const LARGEST_CHARACTERS = 1024 * 1024;
/** More is no configuration of releases. */
const LARGEST_DATA = 256 * 1024;
/** How a path of a file of the module begins; the second form is that of paths of charts. */
const MODULE_PATHS = ['${path.module}/', '\0/'];
/** Variable files that Terraform reads without being told. */
const AUTO_VARIABLES = /^(?:terraform\.tfvars|.*\.auto\.tfvars)$/;

/** Undefined for a text that is not HCL, or too large. */
export function parsedTerraform(name: string, text: string): TerraformText | undefined {
  if (text.length > LARGEST_CHARACTERS) return undefined;
  try {
    return { name, text, body: parseHcl(text) };
  } catch {
    // The text comes from anywhere: whatever is wrong with it, it has no values.
    return undefined;
  }
}

/**
 * The names that the files of a folder define: locals, and variables. A variable of a module has the value that all
 * calls of the module agree on. The default of any other variable counts only if nobody sets it: the folder is no
 * module, and no variable file is passed on a command line.
 */
export class TerraformFolder implements Scope {
  private readonly locals = new Map<string, Written>();
  private readonly decoded = new Map<string, unknown>();
  private readonly variables = new Map<string, Written>();

  /**
   * @param files the `.tf` and `.tfvars` files of the folder
   * @param otherVariables the texts of variable files that somebody may pass, in the folder or below
   * @param calls how the folder is called as a module
   * @param readText the text of a file, by its path from the folder
   */
  public constructor(
    private readonly files: readonly TerraformText[],
    otherVariables: readonly string[] = [],
    private readonly calls: readonly ModuleArguments[] = [],
    private readonly readText: (path: string) => string | undefined = () => undefined,
  ) {
    for (const { text, body } of files)
      for (const block of body.blocks) {
        if (block.type !== 'locals') continue;
        for (const { name, value } of block.body.attributes) this.locals.set(name, { expression: value, text });
      }
    if (calls.length > 0) this.readArguments(calls);
    else if (this.isRootModule) this.readVariables(otherVariables);
  }

  public lookUp([kind, name, ...rest]: readonly string[]): Written | undefined {
    if (kind.startsWith('aws_')) return rest.length === 1 ? this.nameOf(kind, name, rest[0]) : undefined;
    if (kind.startsWith('kubernetes_')) return this.metadataOf(kind, name, rest);
    if (kind === 'module') return `${rest}` === 'cluster_name' ? this.clusterNameOf(name) : undefined;
    const found = kind === 'local' ? this.locals.get(name) : kind === 'var' ? this.variables.get(name) : undefined;
    return rest.reduce<Written | undefined>((outer, key) => outer && this.memberOf(outer, key, 0), found);
  }

  /** Paths without `path.module` begin in the folder of the root module. */
  public decodedFile(path: string): unknown {
    const prefix = MODULE_PATHS.find((one) => path.startsWith(one));
    const name = path.slice(prefix?.length ?? 0);
    if (name.includes('${') || name.startsWith('/') || (prefix === undefined && this.calls.length > 0))
      return undefined;
    if (!this.decoded.has(name)) this.decoded.set(name, decodedText(this.readText(name)));
    return this.decoded.get(name);
  }

  /** The name of a single resource, if the attribute has it. */
  private nameOf(type: string, label: string, attribute: string): Written | undefined {
    if (!(NAME_ATTRIBUTES[type] ?? []).includes(attribute)) return undefined;
    for (const { text, body } of this.files)
      for (const block of body.blocks) {
        if (block.type !== 'resource' || block.labels[0] !== type || block.labels[1] !== label) continue;
        const isRepeated = ['count', 'for_each'].some((name) => bodyAttribute(block.body, name));
        const expression = bodyAttribute(block.body, 'name');
        return expression && !isRepeated ? { expression, text } : undefined;
      }
    return undefined;
  }

  private clusterNameOf(label: string): Written | undefined {
    for (const { text, body } of this.files)
      for (const block of body.blocks) {
        const expression =
          block.type === 'module' && block.labels[0] === label ? clusterNameOfModule(block, text) : undefined;
        if (expression) return { expression, text };
      }
    return undefined;
  }

  /** What the metadata of a single resource says, as in `kubernetes_namespace.web.metadata[0].name`. */
  private metadataOf(type: string, label: string, [block, index, attribute, ...rest]: readonly string[]) {
    if (block !== 'metadata' || index !== '0' || attribute === undefined || rest.length > 0) return undefined;
    for (const { text, body } of this.files) {
      const resource = body.blocks.find(
        ({ type: kind, labels }) => kind === 'resource' && `${labels}` === `${type},${label}`,
      );
      const isRepeated = resource && ['count', 'for_each'].some((name) => bodyAttribute(resource.body, name));
      const metadata = isRepeated ? undefined : resource?.body.blocks.find((inner) => inner.type === 'metadata');
      const expression = metadata && bodyAttribute(metadata.body, attribute);
      if (expression) return { expression, text };
    }
    return undefined;
  }

  /** The member of an object, which may be behind a name. */
  private memberOf({ expression, text }: Written, key: string, depth: number): Written | undefined {
    if (depth > 20) return undefined;
    if (expression.kind === 'reference') {
      const target = this.lookUp(expression.steps);
      return target && this.memberOf(target, key, depth + 1);
    }
    if (expression.kind !== 'object') return undefined;
    const item = expression.items.find((one) => one.key.kind === 'literal' && one.key.value === key);
    return item && { expression: item.value, text };
  }

  /** Only a root module configures providers or a backend. */
  private get isRootModule(): boolean {
    return this.files.some(
      ({ name, body }) =>
        AUTO_VARIABLES.test(name) ||
        body.blocks.some(
          ({ type, body: { blocks } }) =>
            type === 'provider' ||
            (type === 'terraform' && blocks.some((inner) => ['backend', 'cloud'].includes(inner.type))),
        ),
    );
  }

  /** A variable has a value if all calls give it the same one, or leave it out. */
  private readArguments(calls: readonly ModuleArguments[]): void {
    for (const { text, body } of this.files)
      for (const { type, labels, body: variable } of body.blocks) {
        if (type !== 'variable' || labels[0] === undefined) continue;
        const fallback = bodyAttribute(variable, 'default');
        const values = calls.map((valueOf) => valueOf(labels[0]));
        const [first] = values;
        if (values.some((value) => JSON.stringify(value) !== JSON.stringify(first))) continue;
        if (first !== undefined) this.variables.set(labels[0], { expression: expressionOf(first), text: '' });
        else if (fallback) this.variables.set(labels[0], { expression: fallback, text });
      }
  }

  private readVariables(otherVariables: readonly string[]): void {
    const isSetElsewhere = (name: string) =>
      otherVariables.some((text) => new RegExp(`^[ \\t]*"?${name}"?[ \\t]*=`, 'm').test(text));
    for (const { text, body } of this.files)
      for (const { type, labels, body: variable } of body.blocks) {
        const value = bodyAttribute(variable, 'default');
        if (type === 'variable' && /^[\w-]+$/.test(labels[0] ?? '') && value && !isSetElsewhere(labels[0]))
          this.variables.set(labels[0], { expression: value, text });
      }
    for (const { name, text, body } of this.files) {
      if (!AUTO_VARIABLES.test(name)) continue;
      for (const attribute of body.attributes)
        if (!isSetElsewhere(attribute.name)) this.variables.set(attribute.name, { expression: attribute.value, text });
    }
  }
}

/** The value that a call of a module gives to a variable; undefined if it leaves the variable out. */
export type ModuleArguments = (variable: string) => unknown;

/** A value as the expression that has it. */
export function expressionOf(value: unknown): HclExpression {
  const place = { start: 0, end: 0 };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(expressionOf), ...place };
  const record = asRecord(value);
  if (!record) return { kind: 'literal', value: value as string | number | boolean | null, ...place };
  const items = Object.entries(record).map(([key, item]) => ({ key: expressionOf(key), value: expressionOf(item) }));
  return { kind: 'object', items, ...place };
}

/** Undefined for a text that is neither YAML nor JSON, or too large. */
function decodedText(text: string | undefined): unknown {
  if (text === undefined || text.length > LARGEST_DATA) return undefined;
  try {
    return parseYaml(text);
  } catch {
    return undefined;
  }
}

/** Whether a variable file is read without being passed. */
export function isAutoVariables(name: string): boolean {
  return AUTO_VARIABLES.test(name);
}
