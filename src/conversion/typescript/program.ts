import type { Chart } from 'cdk8s';
import { capacityBufferProps, WorkloadReferences } from './capacity-buffer';
import { Construct, ConstructKind, Manifest, PATCHED_OBJECT, PLAIN_OBJECT, writeConstruct } from './construct';
import { isObject } from './equality';
import { CDK8S_NAMES, evaluateExpression, libraries } from './evaluate';
import { call, Expression, literal, name } from './expression';
import { nodeClassProps } from './node-class';
import { nodeOverlayProps } from './node-overlay';
import { nodePoolProps, NodePoolReferences } from './node-pool';
import { CAPACITY_BUFFER_API, EC2_NODE_CLASS_API, NODE_OVERLAY_API, NODE_POOL_API } from '../../contract';
import { valueText } from '../../model';

/** One statement of the program, which creates or imports one construct. */
export interface ProgramStatement {
  readonly comments: readonly string[];
  /** Absent if the statement has only comments. */
  readonly expression?: Expression;
  /** JSON patch operations for the construct. */
  readonly patches: readonly Expression[];
  readonly variable: string;
  /** Whether the statement only refers to an object that is defined elsewhere. */
  readonly isImport: boolean;
}

interface WrittenManifest extends ProgramStatement {
  /** Why this is a plain `ApiObject` although its kind has a construct. */
  readonly rejection?: string;
  readonly instance: unknown;
}

/**
 * The statements that create the objects of manifests, in the order of the manifests, except that an object comes
 * before those that refer to it.
 */
export class Program implements NodePoolReferences, WorkloadReferences {
  public readonly statements: ProgramStatement[] = [];
  /** Manifests that no program can reproduce. */
  public readonly unwritable: Manifest[] = [];
  public readonly variables = new Map<string, unknown>();
  private readonly chart: Chart;
  private readonly ids = new UniqueNames();
  private readonly variableNames = new UniqueNames(['app', 'id', 'nodes', 'scope', ...CDK8S_NAMES]);
  private readonly started = new Set<Manifest>();
  private readonly written = new Map<Manifest, WrittenManifest>();
  private readonly imported = new Map<string, ProgramStatement>();
  private readonly kinds: ReadonlyMap<string, ConstructKind> = new Map([
    [
      typeOf(NODE_POOL_API),
      { className: 'nodes.NodePool', props: nodePoolProps(this), quantities: ['spec', 'limits'] },
    ],
    [typeOf(EC2_NODE_CLASS_API), { className: 'nodes.EC2NodeClass', props: nodeClassProps }],
    [
      typeOf(NODE_OVERLAY_API),
      { className: 'nodes.NodeOverlay', props: nodeOverlayProps(this), quantities: ['spec', 'capacity'] },
    ],
    [
      typeOf(CAPACITY_BUFFER_API),
      { className: 'nodes.CapacityBuffer', props: capacityBufferProps(this), quantities: ['spec', 'limits'] },
    ],
  ]);

  public constructor(private readonly manifests: readonly Manifest[]) {
    this.chart = new libraries.cdk8s.Chart(new libraries.cdk8s.App(), 'karpenter');
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
    const manifest = this.manifests.find(
      ({ object }) =>
        object.kind === kind &&
        valueText(object.apiVersion).startsWith(`${apiGroup}/`) &&
        nameOf(object) === workloadName,
    );
    const written = manifest && this.write(manifest);
    return written?.instance === undefined ? undefined : name(written.variable);
  }

  private refer(
    api: { readonly apiVersion: string; readonly kind: string },
    objectName: string,
    className: string,
    importer: string,
  ): Expression {
    const manifest = this.manifests.find(
      ({ object }) => typeOf(object) === typeOf(api) && nameOf(object) === objectName,
    );
    // A NodePool that refers to itself has no variable yet.
    const written =
      manifest && !this.started.has(manifest) ? this.write(manifest) : manifest && this.written.get(manifest);
    const statement = written && !written.rejection ? written : this.import(api.kind, objectName, className, importer);
    return name(statement.variable);
  }

  /** Imports an object that is not in the manifests, or that its construct rejects. */
  private import(kind: string, objectName: string, className: string, importer: string): ProgramStatement {
    const key = `${kind} ${objectName}`;
    const existing = this.imported.get(key);
    if (existing) return existing;
    const id = this.ids.unique(pascalCase('Imported', objectName, kind));
    const expression = call(className, importer, name('this'), literal(id), literal(objectName));
    const statement = {
      comments: [],
      expression,
      patches: [],
      variable: this.variableNames.unique(camelCase(id)),
      isImport: true,
    };
    this.imported.set(key, statement);
    this.variables.set(statement.variable, evaluateExpression(expression, this.variables));
    this.statements.push(statement);
    return statement;
  }

  private write(manifest: Manifest): WrittenManifest {
    const existing = this.written.get(manifest);
    if (existing) return existing;
    this.started.add(manifest);
    const { object } = manifest;
    const id = this.ids.unique(pascalCase(nameOf(object), valueText(object.kind)));
    const { construct, rejection } = this.construct(manifest, id);
    const variable = this.variableNames.unique(camelCase(id));
    const comments = construct
      ? construct.comments
      : [...manifest.comments.flatMap(({ lines }) => lines), `This program cannot create: ${JSON.stringify(object)}`];
    const why = rejection === undefined ? [] : [`ApiObject because the construct rejects the manifest: ${rejection}`];
    const written = {
      expression: construct?.expression,
      patches: construct?.patches ?? [],
      comments: [...comments, ...why],
      variable,
      isImport: false,
      rejection,
      instance: construct?.instance,
    };
    this.variables.set(variable, written.instance);
    this.written.set(manifest, written);
    this.statements.push(written);
    if (!construct) this.unwritable.push(manifest);
    return written;
  }

  /** Writes the construct of the kind; if it rejects the manifest, an `ApiObject` and the reason. */
  private construct(manifest: Manifest, id: string): { construct?: Construct; rejection?: string } {
    const kind = this.kinds.get(typeOf(manifest.object));
    let rejection: string | undefined;
    for (const candidate of [...(kind ? [kind] : []), PLAIN_OBJECT, PATCHED_OBJECT]) {
      try {
        return { construct: writeConstruct(manifest, candidate, id, this.variables), rejection };
      } catch (error) {
        this.chart.node.tryRemoveChild(id);
        if (candidate === kind)
          rejection = (error as Error).message
            .split('\n')
            .map((line) => line.replace(`karpenter/${id}/`, ''))
            .join('; ');
      }
    }
    return { rejection };
  }
}

function typeOf({ apiVersion, kind }: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  return `${valueText(apiVersion)} ${valueText(kind)}`;
}

function nameOf({ metadata }: Manifest['object']): string {
  return isObject(metadata) && typeof metadata.name === 'string' ? metadata.name : '';
}

/** Makes names of constructs and variables unique. */
class UniqueNames {
  private readonly taken: Set<string>;

  public constructor(reserved: readonly string[] = []) {
    this.taken = new Set(reserved);
  }

  public unique(base: string): string {
    let free = base;
    for (let i = 2; this.taken.has(free); i += 1) free = `${base}${i}`;
    this.taken.add(free);
    return free;
  }
}

/** Joins parts in PascalCase: `web-1.blue` and `NodePool` become `Web1BlueNodePool`. */
function pascalCase(...parts: readonly string[]): string {
  const words = parts.flatMap((part) => part.split(/[^A-Za-z0-9]+/)).filter((word) => word !== '');
  const text = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(text) ? text : `The${text}`;
}

function camelCase(pascal: string): string {
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}
