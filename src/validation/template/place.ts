/** Where a stack is deployed to; what is known only then is absent. */
export interface Place {
  readonly account?: string;
  readonly region?: string;
}

/** Whether they may be in one region of one account. */
export function isNear(one: Place, other: Place): boolean {
  return mayBeSame(one.account, other.account) && mayBeSame(one.region, other.region);
}

export function mayBeSame(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

/** How much is known of it. */
export function knownParts({ account, region }: Place): number {
  return [account, region].filter((part) => part !== undefined).length;
}
