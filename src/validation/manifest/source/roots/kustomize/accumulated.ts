import { PatchPlace } from './changes/replaced-lists';
import { defaultConfig, mergedConfig, TransformerConfig } from './changes/transformer-config';
import { UnmatchedTarget } from './changes/unmatched-target';
import { Variable } from './changes/variables';
import { KustomizeRefusal } from './refusal';
import { Resource } from './resources/resource';
import { ResourceMap } from './resources/resource-list';

/** A patch that changes nothing. */
export type UnmatchedEntry = UnmatchedTarget & { readonly place?: PatchPlace };

/** What a kustomization has collected. */
export class Accumulated {
  /** A copy with copies of the objects. */
  public static copyOf(accumulated: Accumulated, resources: readonly Resource[]): Accumulated {
    const copy = new Accumulated();
    copy.list.appendCopies(resources);
    copy.mergeFacts(accumulated);
    return copy;
  }

  public readonly list = new ResourceMap();
  public readonly variables = new Map<string, Variable>();
  public config: TransformerConfig = defaultConfig();
  /** Parts that are not in the build, such as remote bases. */
  public readonly missing = new Set<string>();
  public readonly remote = new Set<string>();
  /** Patches whose targets select nothing. Those of inline fields have no file. */
  public readonly unmatched: UnmatchedEntry[] = [];
  /** How many targets that select nothing have been compared with all objects. */
  public compared = 0;
  /** Whether the objects are changed together with others that are built elsewhere. */
  public isPart = false;

  /** Whether objects may be missing. Then a patch without a target is no reason to refuse. */
  public get isIncomplete(): boolean {
    return this.isPart || this.missing.size > 0 || this.remote.size > 0;
  }

  public addRemote(url: string): void {
    this.remote.add(url);
  }

  /** @throws Refusal if a variable is declared twice */
  public addVariables(variables: Iterable<Variable>): void {
    for (const variable of variables) {
      const { name = '' } = variable;
      if (this.variables.has(name)) throw new KustomizeRefusal(`var '${name}' already encountered`);
      this.variables.set(name, variable);
    }
  }

  /**
   * Adds what an inner kustomization has collected.
   *
   * @throws Refusal if an id is there already
   */
  public merge(inner: Accumulated): void {
    this.list.append(inner.list.all);
    this.mergeFacts(inner);
  }

  private mergeFacts(inner: Accumulated): void {
    this.config = mergedConfig(this.config, inner.config);
    this.addVariables(inner.variables.values());
    for (const part of inner.missing) this.missing.add(part);
    for (const url of inner.remote) this.remote.add(url);
    this.unmatched.push(...inner.unmatched);
  }
}
