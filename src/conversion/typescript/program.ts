import type { Chart } from 'cdk8s';
import { capacityBufferProps, Workloads } from './capacity-buffer';
import { Construct, ConstructKind, Manifest, PATCHED_OBJECT, PLAIN_OBJECT, writeConstruct } from './construct';
import { isObject } from './equality';
import { call, Expression, literal, name } from './expression';
import { camelCase, Names, pascalCase } from './names';
import { nodeClassProps } from './node-class';
import { nodeOverlayProps } from './node-overlay';
import { nodePoolProps, References } from './node-pool';
import { CDK8S_NAMES, run } from './run';
import { runtime } from './runtime';
import { CAPACITY_BUFFER_API, EC2_NODE_CLASS_API, NODE_OVERLAY_API, NODE_POOL_API } from '../../contract';

/** One statement of the program, which makes one construct. */
export interface Statement {
  readonly comments: readonly string[];
  /** Absent where there are only comments. */
  readonly expression?: Expression;
  /** Operations of a JSON patch on what the expression makes. */
  readonly patches: readonly Expression[];
  readonly variable: string;
  /** Whether it makes no object of its own, and is there to be referred to. */
  readonly isImport: boolean;
}

interface Written extends Statement {
  /** Why this is a plain object, although there are constructs of its kind. */
  readonly refusal?: string;
  readonly made: unknown;
}

/**
 * The constructs that make the objects of manifests. What is referred to comes before what refers to it; otherwise the
 * order is that of the manifests.
 */
export class Program implements References, Workloads {
  public readonly statements: Statement[] = [];
  /** What no program can make. */
  public readonly lost: Manifest[] = [];
  public readonly variables = new Map<string, unknown>();
  private readonly chart: Chart;
  private readonly ids = new Names();
  private readonly variableNames = new Names(['app', 'id', 'nodes', 'scope', ...CDK8S_NAMES]);
  private readonly begun = new Set<Manifest>();
  private readonly written = new Map<Manifest, Written>();
  private readonly imported = new Map<string, Statement>();
  private readonly kinds: ReadonlyMap<string, ConstructKind> = new Map([
    [typeOf(NODE_POOL_API), { className: 'nodes.NodePool', props: nodePoolProps(this) }],
    [typeOf(EC2_NODE_CLASS_API), { className: 'nodes.EC2NodeClass', props: nodeClassProps }],
    [typeOf(NODE_OVERLAY_API), { className: 'nodes.NodeOverlay', props: nodeOverlayProps(this) }],
    [typeOf(CAPACITY_BUFFER_API), { className: 'nodes.CapacityBuffer', props: capacityBufferProps(this) }],
  ]);

  public constructor(private readonly manifests: readonly Manifest[]) {
    this.chart = new runtime.cdk8s.Chart(new runtime.cdk8s.App(), 'karpenter');
    this.variables.set('this', this.chart);
    for (const manifest of manifests) this.write(manifest);
  }

  public nodeClass(className: string): Expression {
    return this.refer(EC2_NODE_CLASS_API, className, 'nodes.EC2NodeClass', 'fromEC2NodeClassName');
  }

  public nodePool(poolName: string): Expression {
    return this.refer(NODE_POOL_API, poolName, 'nodes.NodePool', 'fromNodePoolName');
  }

  public workload(apiGroup: string, kind: string, workloadName: string): Expression | undefined {
    const manifest = this.manifests.find(({ plain }) => plain.kind === kind && String(plain.apiVersion).startsWith(`${apiGroup}/`) && nameOf(plain) === workloadName);
    const written = manifest && this.write(manifest);
    return written?.made === undefined ? undefined : name(written.variable);
  }

  private refer(api: { readonly apiVersion: string; readonly kind: string }, objectName: string, className: string, importer: string): Expression {
    const manifest = this.manifests.find(({ plain }) => typeOf(plain) === typeOf(api) && nameOf(plain) === objectName);
    // A pool that asks for itself is not there yet.
    const written = manifest && !this.begun.has(manifest) ? this.write(manifest) : manifest && this.written.get(manifest);
    const statement = written && !written.refusal ? written : this.import(api.kind, objectName, className, importer);
    return name(statement.variable);
  }

  /** An object that is not among the manifests, or that no construct takes. */
  private import(kind: string, objectName: string, className: string, importer: string): Statement {
    const key = `${kind} ${objectName}`;
    const known = this.imported.get(key);
    if (known) return known;
    const id = this.ids.unique(pascalCase('Imported', objectName, kind));
    const expression = call(className, importer, name('this'), literal(id), literal(objectName));
    const statement = { comments: [], expression, patches: [], variable: this.variableNames.unique(camelCase(id)), isImport: true };
    this.imported.set(key, statement);
    this.variables.set(statement.variable, run(expression, this.variables));
    this.statements.push(statement);
    return statement;
  }

  private write(manifest: Manifest): Written {
    const known = this.written.get(manifest);
    if (known) return known;
    this.begun.add(manifest);
    const { plain } = manifest;
    const id = this.ids.unique(pascalCase(nameOf(plain), String(plain.kind)));
    const { construct, refusal } = this.construct(manifest, id);
    const variable = this.variableNames.unique(camelCase(id));
    const comments = construct ? construct.comments : [...manifest.comments.flatMap(({ lines }) => lines), `Not in this program, which cannot make it: ${JSON.stringify(plain)}`];
    const why = refusal === undefined ? [] : [`Not by its construct: ${refusal}`];
    const written = {
      expression: construct?.expression,
      patches: construct?.patches ?? [],
      comments: [...comments, ...why],
      variable,
      isImport: false,
      refusal,
      made: construct?.made,
    };
    this.variables.set(variable, written.made);
    this.written.set(manifest, written);
    this.statements.push(written);
    if (!construct) this.lost.push(manifest);
    return written;
  }

  /** By the construct of its kind, or else in a plainer way, and then why. */
  private construct(manifest: Manifest, id: string): { construct?: Construct; refusal?: string } {
    const kind = this.kinds.get(typeOf(manifest.plain));
    let refusal: string | undefined;
    for (const candidate of [...kind ? [kind] : [], PLAIN_OBJECT, PATCHED_OBJECT]) {
      try {
        return { construct: writeConstruct(manifest, candidate, id, this.variables), refusal };
      } catch (error) {
        this.chart.node.tryRemoveChild(id);
        if (candidate === kind) refusal = (error as Error).message.split('\n').map((line) => line.replace(`karpenter/${id}/`, '')).join('; ');
      }
    }
    return { refusal };
  }
}

function typeOf({ apiVersion, kind }: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  return `${String(apiVersion)} ${String(kind)}`;
}

function nameOf({ metadata }: Manifest['plain']): string {
  return isObject(metadata) && typeof metadata.name === 'string' ? metadata.name : '';
}
