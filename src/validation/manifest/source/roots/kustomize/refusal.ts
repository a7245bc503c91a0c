import { FieldPath } from '../../../model';

/** Where in a kustomization the reason is. */
export interface RefusalPlace {
  /** The path of the kustomization's file. */
  readonly file: string;
  readonly field: FieldPath;
}

/** kustomize refuses to build. The message is its reason. */
export class KustomizeRefusal extends Error {
  public place?: RefusalPlace;

  /** Adds the place, unless an inner kustomization has added it. */
  public in(place: RefusalPlace): this {
    this.place ??= place;
    return this;
  }
}

/** Something is not followed here, so the objects are unknown. The message names it. */
export class NotFollowed extends Error {}
