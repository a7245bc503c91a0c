import { Token } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';
import { AWS_LIMITS, boundedName } from '../../contract';

/** @throws Error if IAM would refuse the name for its length */
export function assertRoleName(scope: IConstruct, roleName: string | undefined): void {
  assertLength(scope, 'roleName', roleName, AWS_LIMITS.roleNameCharacters);
}

/** @throws Error if IAM would refuse the name for its length */
export function assertInstanceProfileName(scope: IConstruct, name: string | undefined): void {
  assertLength(scope, 'instanceProfileName', name, AWS_LIMITS.instanceProfileNameCharacters);
}

function assertLength(scope: IConstruct, property: string, name: string | undefined, characters: number): void {
  if (name === undefined || Token.isUnresolved(name) || name.length <= characters) return;
  throw new Error(`${scope.node.path}/${property}: must have at most ${characters} characters, got ${name.length} (${name}); `
    + `write for example ${boundedName(name, characters)}, or leave it out`);
}
