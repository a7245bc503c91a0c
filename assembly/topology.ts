/** Narrows the requirements of a node or claim by topology spread, pod affinity and anti-affinity of the next pod. */
import { spend } from './bounds';
import * as input from './input';
import { endOf, startOf } from './records';
import { combinePicks, INCOMPATIBLE } from './requirement-combinations';
import { beginPicks, commitPicks, isPicked, rowBytes } from './requirement-rows';
import { AFFINITY, HOST, hostGroups, keyOf, typeOf } from './topology-counts';
import { hostAllows, narrow } from './topology-domains';

/** The group that made `constrain` fail last; -1 if the picks of several groups contradict each other. */
export let failedGroup: i32 = -1;
/** Whether it fails again after more pods are placed: counts on a host only grow. */
export let failedForGood: bool = false;

/**
 * The requirement set of a host (-1: a claim that is not open yet), narrowed to the domains that a pod of the variant
 * may go to, or INCOMPATIBLE. It is constrained by the groups of the variant, and by the anti-affinity of other pods.
 */
export function constrain(podClass: i32, variant: i32, host: i32, set: i32): i32 {
  return constrainWith(podClass, variant, host, set, true, host >= 0 && host < input.nodeCount);
}

/** The same for a claim or an existing node whose host has been checked with `refusesHost`. */
export function constrainByLabels(podClass: i32, variant: i32, set: i32, isNode: bool): i32 {
  return constrainWith(podClass, variant, -1, set, false, isNode);
}

function constrainWith(podClass: i32, variant: i32, host: i32, set: i32, hosts: bool, isNode: bool): i32 {
  failedGroup = -1;
  failedForGood = false;
  const ownEnd = endOf(input.variantGroupStart, variant);
  const ownStart = startOf(input.variantGroupStart, variant);
  const guardEnd = endOf(input.classInverseAntiAffinityStart, podClass);
  const guardStart = startOf(input.classInverseAntiAffinityStart, podClass);
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
    const group = load<i32>(input.classInverseAntiAffinity + (<usize>i << 2));
    if (!hosts && keyOf(group) == HOST) continue;
    if (!narrow(group, false, host, strict, set)) return fail(group);
  }
  if (!isPicked()) return set;
  return combinePicks(set, commitPicks(), isNode);
}

/** Whether the pods on the host refuse the pod, regardless of the labels of the host. */
export function refusesHost(podClass: i32, variant: i32, host: i32): bool {
  if (hostGroups == 0) return false;
  const ownEnd = endOf(input.variantGroupStart, variant);
  for (let i = startOf(input.variantGroupStart, variant); i < ownEnd; i++) {
    spend(1);
    const group = load<i32>(input.variantGroups + (<usize>i << 2));
    if (keyOf(group) != HOST || hostAllows(group, load<u8>(input.variantGroupSelf + <usize>i) != 0, host)) continue;
    fail(group);
    return true;
  }
  const guardEnd = endOf(input.classInverseAntiAffinityStart, podClass);
  for (let i = startOf(input.classInverseAntiAffinityStart, podClass); i < guardEnd; i++) {
    spend(1);
    const group = load<i32>(input.classInverseAntiAffinity + (<usize>i << 2));
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
