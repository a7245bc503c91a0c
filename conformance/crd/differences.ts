import type { KubernetesObject } from './corpus';

/** A kind of object that we judge otherwise than the oracle, and why we do. */
export interface OnPurpose {
  readonly name: string;
  readonly reason: string;
  applies(object: KubernetesObject, release: string): boolean;
}

export const ON_PURPOSE: readonly OnPurpose[] = [];
