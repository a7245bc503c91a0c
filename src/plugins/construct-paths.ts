import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { isClusterScoped } from '../contract';
import { Finding } from '../validation';

type Subject = Finding['subject'];

/** Finds the constructs of a finding by the identity of their object: API group, kind, namespace and name. */
export class ConstructPaths {
  private paths?: ReadonlyMap<string, readonly string[]>;

  constructor(private readonly root: IConstruct) {}

  /** Paths of the constructs that render the object: more than one if several do, none if the finding has no object. */
  of(subject: Subject): readonly string[] {
    // Computed only if there are findings, because it renders every object again.
    this.paths ??= pathsByIdentity(this.root);
    return this.paths.get(identity(subject)) ?? [];
  }
}

function pathsByIdentity(root: IConstruct): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>();
  for (const construct of root.node.findAll()) {
    if (ApiObject.isApiObject(construct)) {
      // Only the rendered object has the chart's namespace and the changes of JSON patches.
      const json = construct.toJson();
      const key = identity({ ...json.metadata, apiVersion: json.apiVersion, kind: json.kind });
      paths.set(key, [...(paths.get(key) ?? []), construct.node.path]);
    }
  }
  return paths;
}

/**
 * Lookup key of an object. An object without a namespace is applied to `default` or is cluster-scoped; both have the
 * same key. The namespace of a cluster-scoped object is ignored, because a chart writes its namespace to these objects
 * too.
 */
function identity({ apiVersion = '', kind, namespace = '', name }: Partial<Subject>): string {
  return JSON.stringify([
    apiVersion,
    kind,
    namespace === 'default' || isClusterScoped(apiVersion) ? '' : namespace,
    name,
  ]);
}
