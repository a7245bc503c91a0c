import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { IKey } from 'aws-cdk-lib/aws-kms';
import { PolicySubject, volumeKeyPolicyStatements } from '../../contract';

/**
 * Adds the statements that EBS needs to the key's policy, for the controller and for the Spot service, which launch
 * nodes.
 */
export function letVolumesUse(key: IKey, place: Pick<PolicySubject, 'partition' | 'region' | 'account'>): void {
  for (const { Sid, Action, Resource, Condition } of volumeKeyPolicyStatements(place)) {
    key.addToResourcePolicy(new PolicyStatement({
      sid: Sid, principals: [new AnyPrincipal()], actions: [...Action], resources: [...Resource], conditions: Condition,
    }));
  }
}
