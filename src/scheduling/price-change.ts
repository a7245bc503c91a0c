/**
 * A price as a NodeOverlay changes it.
 *
 * @param change a price, an amount with its sign, or a percentage with its sign: `0.25`, `-0.01`, `+10%`
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/cloudprovider/types.go
 */
export function changedPrice(price: number, change: string): number {
  if (!/^[+-]/.test(change)) return Number(change);
  const changed = change.endsWith('%') ? price * (1 + Number(change.slice(0, -1)) / 100) : price + Number(change);
  return changed >= 0 ? changed : 0;
}
