import { NetworkLimits } from '../../../../catalog';
import { isOn } from '../../../context/vpc-cni';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { PlainRecord } from '../../../manifest/records';

const ADDRESSES_PER_PREFIX = 16;

/** How many addresses the VPC CNI keeps ready on a node. */
export interface WarmTargets {
  readonly interfaces: number;
  /** Addresses beside those in use, and in all. @default - whole interfaces or prefixes are kept */
  readonly addresses?: { readonly warm: number; readonly minimum: number };
  readonly prefixes: number;
  readonly hasPrefixes: boolean;
}

const MINIMUM = 'MINIMUM_IP_TARGET';
const WARM = 'WARM_IP_TARGET';
const PREFIXES = 'WARM_PREFIX_TARGET';
const INTERFACES = 'WARM_ENI_TARGET';
const DELEGATION = 'ENABLE_PREFIX_DELEGATION';

/**
 * Undefined if a setting is known only at deployment.
 *
 * @see https://github.com/aws/amazon-vpc-cni-k8s/blob/v1.20.0/docs/eni-and-ip-target.md
 */
export function warmTargets(env: PlainRecord): WarmTargets | undefined {
  const written = [MINIMUM, WARM, PREFIXES, INTERFACES, DELEGATION].filter((name) => Object.hasOwn(env, name));
  if (written.some((name) => env[name] === undefined || findUnresolved(env[name]) !== undefined)) return undefined;
  const numberOf = (name: string) => {
    const number = written.includes(name) ? Number(env[name]) : NaN;
    return Number.isInteger(number) && number >= 0 ? number : undefined;
  };
  const [minimum, warm] = [numberOf(MINIMUM), numberOf(WARM)];
  return {
    interfaces: numberOf(INTERFACES) ?? 1,
    prefixes: numberOf(PREFIXES) ?? 1,
    ...(warm === undefined && minimum === undefined ? {} : { addresses: { warm: warm ?? 0, minimum: minimum ?? 0 } }),
    hasPrefixes: isOn(env, DELEGATION),
  };
}

/** The settings with a value of their own that decide how many addresses are taken. Targets of addresses come first. */
export function decidingSettings({ addresses, hasPrefixes, prefixes, interfaces }: WarmTargets): string[] {
  if (addresses !== undefined)
    return [...(addresses.minimum > 0 ? [MINIMUM] : []), ...(addresses.warm > 0 ? [WARM] : [])];
  if (hasPrefixes) return prefixes === 1 ? [] : [PREFIXES];
  return interfaces === 1 ? [] : [INTERFACES];
}

/** The addresses of the subnet that a node with so many pods takes, its own included. */
export function addressesTaken(
  { interfaces: most, ipv4PerInterface, isNitro }: NetworkLimits,
  pods: number,
  { interfaces, addresses, prefixes, hasPrefixes }: WarmTargets,
): number {
  const perInterface = ipv4PerInterface - 1;
  const inUse = addresses === undefined ? pods : Math.max(addresses.minimum, pods + addresses.warm);
  if (hasPrefixes && isNitro) {
    const wanted = Math.ceil(inUse / ADDRESSES_PER_PREFIX) + (addresses === undefined ? prefixes : 0);
    const taken = Math.min(wanted, most * perInterface);
    return taken * ADDRESSES_PER_PREFIX + Math.max(1, Math.ceil(taken / perInterface));
  }
  const wanted = Math.max(1, Math.ceil(inUse / perInterface)) + (addresses === undefined ? interfaces : 0);
  const attached = Math.min(most, wanted);
  return addresses === undefined ? attached * ipv4PerInterface : Math.min(inUse, attached * perInterface) + attached;
}
