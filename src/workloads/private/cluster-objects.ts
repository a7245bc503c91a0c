import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { inOneNamespace } from './subject';

/**
 * Returns the objects of these kinds that belong to the same cluster as a workload. An app may have charts for several
 * clusters: an object that shares more scopes with another workload of the same kind, namespace and name belongs to
 * that workload's cluster.
 */
export function objectsBeside(workload: ApiObject, ...kinds: readonly string[]): ApiObject[] {
  const objects = workload.node.root.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
  const twins = objects.filter((object) => object !== workload && isTwin(object, workload));
  return objects.filter((object) => kinds.includes(object.kind)
    && !twins.some((twin) => sharedScopes(object, twin) > sharedScopes(object, workload)));
}

function isTwin(one: ApiObject, other: ApiObject): boolean {
  return one.kind === other.kind && one.apiGroup === other.apiGroup && one.name === other.name && inOneNamespace(one.metadata, other.metadata);
}

function sharedScopes(one: IConstruct, other: IConstruct): number {
  const scopes = new Set(other.node.scopes);
  return one.node.scopes.filter((scope) => scopes.has(scope)).length;
}
