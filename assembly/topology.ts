/** Topology spread, pod affinity and anti-affinity: what they leave of a host's requirements for the next pod. */
import { spend } from './bounds';
import * as input from './input';
import { combinePicks, INCOMPATIBLE } from './requirement-combinations';
import { beginPicks, commitPicks, isPicked, rowBytes } from './requirement-rows';
import { AFFINITY, HOST, hostGroups, keyOf, typeOf } from './topology-counts';
import { hostAllows, narrow } from './topology-domains';

/** The group that stood in the way when `constrain` last failed; -1 where the picks of several did not go together. */
export let failedGroup: i32 = -1;
/** Whether it would fail again however many pods are placed: the count on a host only grows. */
export let failedForGood: bool = false;

/**
 * The requirement set of a host (-1: a claim that is not there yet) with the domains that a pod of the variant may go to, or
 * INCOMPATIBLE. The groups of the variant count, and those of other pods that keep this one away.
 */
export function constrain(podClass: i32, variant: i32, host: i32, set: i32): i32 {
  return constrainWith(podClass, variant, host, set, true, host >= 0 && host < input.nodeCount);
}

/** The same of a claim, or of a node that is there, whose host allows the pod. */
export function constrainByLabels(podClass: i32, variant: i32, set: i32, isNode: bool): i32 {
  return constrainWith(podClass, variant, -1, set, false, isNode);
}

function constrainWith(podClass: i32, variant: i32, host: i32, set: i32, hosts: bool, isNode: bool): i32 {
  failedGroup = -1;
  failedForGood = false;
  const ownEnd = load<i32>(input.variantGroupStart + (<usize>variant << 2), 4);
  const ownStart = load<i32>(input.variantGroupStart + (<usize>variant << 2));
  const guardEnd = load<i32>(input.classGuardStart + (<usize>podClass << 2), 4);
  const guardStart = load<i32>(input.classGuardStart + (<usize>podClass << 2));
  if (ownStart == ownEnd && guardStart == guardEnd) return set;
  spend(ownEnd - ownStart + guardEnd - guardStart + <i32>(rowBytes >> 3));
  const strict = load<i32>(input.variantStrictSet + (<usize>variant << 2));
  beginPicks();
  for (let i = ownStart; i < ownEnd; i++) {
    const group = load<i32>(input.variantGroups + (<usize>i << 2));
    if (!hosts && keyOf(group) == HOST) continue;
    if (!narrow(group, load<u8>(input.variantGroupSelf + <usize>i) != 0, host, strict, set)) return fail(group);
  }
  for (let i = guardStart; i < guardEnd; i++) {
    const group = load<i32>(input.classGuards + (<usize>i << 2));
    if (!hosts && keyOf(group) == HOST) continue;
    if (!narrow(group, false, host, strict, set)) return fail(group);
  }
  if (!isPicked()) return set;
  return combinePicks(set, commitPicks(), isNode);
}

/** Whether what runs on the host keeps the pod away, whatever labels the host has. */
export function refusesHost(podClass: i32, variant: i32, host: i32): bool {
  if (hostGroups == 0) return false;
  const ownEnd = load<i32>(input.variantGroupStart + (<usize>variant << 2), 4);
  for (let i = load<i32>(input.variantGroupStart + (<usize>variant << 2)); i < ownEnd; i++) {
    spend(1);
    const group = load<i32>(input.variantGroups + (<usize>i << 2));
    if (keyOf(group) != HOST || hostAllows(group, load<u8>(input.variantGroupSelf + <usize>i) != 0, host)) continue;
    fail(group);
    return true;
  }
  const guardEnd = load<i32>(input.classGuardStart + (<usize>podClass << 2), 4);
  for (let i = load<i32>(input.classGuardStart + (<usize>podClass << 2)); i < guardEnd; i++) {
    spend(1);
    const group = load<i32>(input.classGuards + (<usize>i << 2));
    if (keyOf(group) != HOST || hostAllows(group, false, host)) continue;
    fail(group);
    return true;
  }
  return false;
}

function fail(group: i32): i32 {
  failedGroup = group;
  failedForGood = keyOf(group) == HOST && typeOf(group) != AFFINITY;
  return INCOMPATIBLE;
}
