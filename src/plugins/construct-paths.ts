import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { isClusterWide } from '../contract';
import { Finding } from '../validation';

type Subject = Finding['subject'];

/** Finds the constructs that a finding is about, by what identifies an object in a cluster. */
export class ConstructPaths {
  private paths?: ReadonlyMap<string, readonly string[]>;

  constructor(private readonly root: IConstruct) {}

  /** More than one where constructs render the same object, none where the finding is about no object. */
  of(subject: Subject): readonly string[] {
    // Computed only if there are findings, because it renders every object once more.
    this.paths ??= pathsByIdentity(this.root);
    return this.paths.get(identity(subject)) ?? [];
  }
}

function pathsByIdentity(root: IConstruct): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>();
  for (const construct of root.node.findAll()) {
    if (ApiObject.isApiObject(construct)) {
      // Rendered, since patches and the chart's namespace have a say in it.
      const json = construct.toJson();
      const key = identity({ ...json.metadata, apiVersion: json.apiVersion, kind: json.kind });
      paths.set(key, [...paths.get(key) ?? [], construct.node.path]);
    }
  }
  return paths;
}

/**
 * An object without a namespace is applied to `default` or is cluster-scoped. Both are looked up alike. A chart
 * writes its namespace to objects as well that have none.
 */
function identity({ apiVersion = '', kind, namespace = '', name }: Partial<Subject>): string {
  return JSON.stringify([apiVersion, kind, namespace === 'default' || isClusterWide(apiVersion) ? '' : namespace, name]);
}
