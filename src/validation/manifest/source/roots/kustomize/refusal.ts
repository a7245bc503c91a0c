import { FieldPath } from '../../../model';

/** Where in a kustomization the reason is. */
export interface RefusalPlace {
  /** The path of the kustomization's file. */
  readonly file: string;
  readonly field: FieldPath;
}

/** What would be right instead of what kustomize refuses. */
export interface RefusalAdvice {
  /** What to write instead, such as `write name: web`. */
  readonly remedy: string;
  /** The wrong field, from the entry of the kustomization that is refused. @default - the entry itself */
  readonly field?: FieldPath;
}

/** kustomize refuses to build. The message is its reason. */
export class KustomizeRefusal extends Error {
  public place?: RefusalPlace;

  /** @param advice undefined if nothing is known to be meant */
  public constructor(
    message: string,
    public readonly advice?: RefusalAdvice,
  ) {
    super(message);
  }

  /** Adds the place, unless an inner kustomization has added it. */
  public in({ file, field }: RefusalPlace): this {
    this.place ??= { file, field: [...field, ...(this.advice?.field ?? [])] };
    return this;
  }
}

/** Something is not followed here, so the objects are unknown. The message names it. */
export class NotFollowed extends Error {}
