/** Node claims in flight: the instance types that each may still become, and the requests of its pods. */
import { copyBits } from './bitset';
import { takePorts } from './host-ports';
import * as input from './input';
import { allocateItems } from './memory';
import { relaxMinima } from './min-values';
import { recordAt } from './records';
import * as reservations from './reservations';
import { addRequests, minimaCountOf, minimaOf, viewOf } from './templates';
import { record as countPod } from './topology-counts';
import { filteredSet, filteredTypes, vectorBytes } from './type-filter';
import { typeBytes } from './type-masks';

export let claimCount: i32 = 0;
/** A claim: its template, requirement set, and how many pods it has. */
@unmanaged
export class Claim {
  template: i32;
  set: i32;
  pods: i32;
}

export let claims: usize = 0;
/** Type bitset per claim; i64[resourceCount] requests of its pods per claim; u64[portWords] host ports of its pods. */
export let claimTypes: usize = 0;
export let claimRequests: usize = 0;
let claimPorts: usize = 0;
/** Per claim the set of reservations that it holds. */
let claimReservations: usize = 0;

/** Per claim its minValues: BestEffort lowers them when the claim is opened. */
let claimMinima: usize = 0;
let minimaBytes: usize = 0;
let capacity: i32 = 0;

export function initialise(): void {
  for (let t = 0; t < input.templateCount; t++) minimaBytes = max(minimaBytes, <usize>minimaCountOf(t) << 3);
  claimCount = 0;
  capacity = 0;
  grow(64);
}

function grow(newCapacity: i32): void {
  const records = allocateItems(newCapacity, offsetof<Claim>());
  const types = allocateItems(newCapacity, typeBytes);
  const requests = allocateItems(newCapacity, vectorBytes);
  const minima = allocateItems(newCapacity, minimaBytes);
  const ports = allocateItems(newCapacity, <i64>input.portWords << 3);
  const reserved = allocateItems(newCapacity, reservations.setBytes);
  memory.copy(reserved, claimReservations, <usize>claimCount * reservations.setBytes);
  memory.copy(ports, claimPorts, <usize>(claimCount * input.portWords) << 3);
  memory.copy(records, claims, <usize>claimCount * offsetof<Claim>());
  memory.copy(types, claimTypes, <usize>claimCount * typeBytes);
  memory.copy(requests, claimRequests, <usize>claimCount * vectorBytes);
  memory.copy(minima, claimMinima, <usize>claimCount * minimaBytes);
  claims = records;
  claimTypes = types;
  claimRequests = requests;
  claimMinima = minima;
  claimPorts = ports;
  claimReservations = reserved;
  capacity = newCapacity;
}

let savedCount: i32 = 0;
let savedClaims: usize = 0;
let savedTypes: usize = 0;
let savedRequests: usize = 0;
let savedPorts: usize = 0;
let savedReservations: usize = 0;
let savedMinima: usize = 0;
let savedCapacity: i32 = 0;

/** Saves the variables that are not in query memory, for `restoreState`. */
export function saveState(): void {
  savedCount = claimCount;
  savedClaims = claims;
  savedTypes = claimTypes;
  savedRequests = claimRequests;
  savedPorts = claimPorts;
  savedReservations = claimReservations;
  savedMinima = claimMinima;
  savedCapacity = capacity;
}

export function restoreState(): void {
  claimCount = savedCount;
  claims = savedClaims;
  claimTypes = savedTypes;
  claimRequests = savedRequests;
  claimPorts = savedPorts;
  claimReservations = savedReservations;
  claimMinima = savedMinima;
  capacity = savedCapacity;
}

@inline
export function reservationsOf(claim: i32): usize {
  return claimReservations + <usize>claim * reservations.setBytes;
}

@inline
export function portsOfClaim(claim: i32): usize {
  return claimPorts + (<usize>(claim * input.portWords) << 3);
}

@inline
export function minimaOfClaim(claim: i32): usize {
  return claimMinima + <usize>claim * minimaBytes;
}

/** Adds a pod to the claim, with the result of the last successful try. Returns whether its requirements change. */
export function accept(claim: i32, podClass: i32, requests: usize): bool {
  const record = recordAt<Claim>(claims, claim);
  const before = record.set;
  record.set = filteredSet;
  record.pods++;
  copyBits(claimTypes + <usize>claim * typeBytes, filteredTypes, typeBytes);
  addRequests(claimRequests + <usize>claim * vectorBytes, requests);
  takePorts(podClass, portsOfClaim(claim));
  reservations.hold(reservationsOf(claim));
  countPod(podClass, record.template, input.nodeCount + claim, filteredSet);
  return filteredSet != before;
}

/** A new claim from the last successful `tryTemplate`. */
export function open(template: i32, podClass: i32, requests: usize): i32 {
  if (claimCount == capacity) grow(capacity * 2);
  const claim = claimCount++;
  recordAt<Claim>(claims, claim).template = template;
  const minima = minimaOfClaim(claim);
  memory.copy(minima, minimaOf(template), <usize>minimaCountOf(template) << 3);
  if (input.minValuesBestEffort != 0) relaxMinima(filteredTypes, viewOf(template), filteredSet, minima, minimaCountOf(template));
  accept(claim, podClass, requests);
  return claim;
}
