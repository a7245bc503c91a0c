import { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';

/**
 * One object of Karpenter's API in the manifest.
 */
export abstract class KarpenterObject extends Construct {
  /**
   * The object in the manifest.
   */
  public abstract readonly apiObject: ApiObject;

  /**
   * Name of the object in the cluster.
   */
  public get name(): string {
    return this.apiObject.name;
  }

  /**
   * Changes the finished object, as the last step before it is written: for fields that a newer release of Karpenter
   * brings, and that have no property here. What a patch writes is not checked at construction.
   *
   * @param operations such as `JsonPatch.add('/spec/newField', 'value')`
   */
  public addJsonPatch(...operations: JsonPatch[]): void {
    this.apiObject.addJsonPatch(...operations);
  }
}
