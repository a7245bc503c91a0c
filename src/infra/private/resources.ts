import { CfnResource, Stack } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';

/** Resources of the app by their type: each library of a service has classes of its own for them. */
export function resourcesOfType(scope: IConstruct, type: string): CfnResource[] {
  return scope.node.root.node.findAll()
    .filter((construct) => CfnResource.isCfnResource(construct))
    .filter(({ cfnResourceType }) => cfnResourceType === type);
}

/** Whether a resource has one of the values in a property: two references to one thing are different texts, and render as one. */
export function hasOneOf(resource: CfnResource, property: string, values: readonly string[]): boolean {
  const stack = Stack.of(resource);
  const rendered = JSON.stringify(stack.resolve(Reflect.get(resource, property)));
  return values.some((value) => JSON.stringify(stack.resolve(value)) === rendered);
}
