import { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';

/**
 * Base class of the constructs that write one Karpenter object into the manifest.
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
   * Patches the object as the last step before it is written. Use it for fields of newer Karpenter releases that have
   * no property here. Patched values are not checked at construction.
   *
   * @param operations such as `JsonPatch.add('/spec/newField', 'value')`
   */
  public addJsonPatch(...operations: JsonPatch[]): void {
    this.apiObject.addJsonPatch(...operations);
  }
}
