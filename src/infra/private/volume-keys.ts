import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { IKey } from 'aws-cdk-lib/aws-kms';
import { PolicySubject, volumeKeyPolicyStatements } from '../../contract';

/** Adds to the key's policy what EBS needs of it, for whoever launches nodes: the controller, and the Spot service in its name. */
export function letVolumesUse(key: IKey, place: Pick<PolicySubject, 'partition' | 'region' | 'account'>): void {
  for (const { Sid, Action, Resource, Condition } of volumeKeyPolicyStatements(place)) {
    key.addToResourcePolicy(new PolicyStatement({
      sid: Sid, principals: [new AnyPrincipal()], actions: [...Action], resources: [...Resource], conditions: Condition,
    }));
  }
}
