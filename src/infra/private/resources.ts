import { CfnResource } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';
import { isSame } from './same-value';

/** Resources of the app by their type: each library of a service has classes of its own for them. */
export function resourcesOfType(scope: IConstruct, type: string): CfnResource[] {
  return scope.node.root.node.findAll()
    .filter((construct) => CfnResource.isCfnResource(construct))
    .filter(({ cfnResourceType }) => cfnResourceType === type);
}

/** Whether a resource has one of the values of a construct in a property. */
export function hasOneOf(resource: CfnResource, property: string, scope: IConstruct, values: readonly string[]): boolean {
  const own = { scope: resource, value: Reflect.get(resource, property) };
  return values.some((value) => isSame(own, { scope, value }));
}
