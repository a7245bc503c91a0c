/** Node claims in flight: what each may still become, and what its pods have taken. */
import { copyBits } from './bitset';
import { takePorts } from './host-ports';
import * as input from './input';
import { allocateItems } from './memory';
import { relaxMinima } from './min-values';
import * as reservations from './reservations';
import { addRequests, minimaCountOf, minimaOf, viewOf } from './templates';
import { record as countPod } from './topology-counts';
import { foundSet, foundTypes, vectorBytes } from './type-filter';
import { typeBytes } from './type-masks';

export let claimCount: i32 = 0;
/** Per claim, i32: template, requirement set, pods. */
export let claims: usize = 0;
/** Type bitset per claim; i64[resourceCount] requests of its pods per claim; u64[portWords] host ports of its pods. */
export let claimTypes: usize = 0;
export let claimRequests: usize = 0;
let claimPorts: usize = 0;
/** Per claim the set of reservations that it keeps. */
let claimReservations: usize = 0;

/** Per claim its minValues, (key, minimum) pairs: BestEffort lowers them when the claim is opened. */
let claimMinima: usize = 0;
let minimaBytes: usize = 0;
let capacity: i32 = 0;

export function initialise(): void {
  for (let t = 0; t < input.templateCount; t++) minimaBytes = max(minimaBytes, <usize>minimaCountOf(t) << 3);
  claimCount = 0;
  capacity = 0;
  grow(64);
}

function grow(wanted: i32): void {
  const records = allocateItems(wanted, 12);
  const types = allocateItems(wanted, typeBytes);
  const requests = allocateItems(wanted, vectorBytes);
  const minima = allocateItems(wanted, minimaBytes);
  const ports = allocateItems(wanted, <i64>input.portWords << 3);
  const reserved = allocateItems(wanted, reservations.setBytes);
  memory.copy(reserved, claimReservations, <usize>claimCount * reservations.setBytes);
  memory.copy(ports, claimPorts, <usize>(claimCount * input.portWords) << 3);
  memory.copy(records, claims, <usize>claimCount * 12);
  memory.copy(types, claimTypes, <usize>claimCount * typeBytes);
  memory.copy(requests, claimRequests, <usize>claimCount * vectorBytes);
  memory.copy(minima, claimMinima, <usize>claimCount * minimaBytes);
  claims = records;
  claimTypes = types;
  claimRequests = requests;
  claimMinima = minima;
  claimPorts = ports;
  claimReservations = reserved;
  capacity = wanted;
}

let keptCount: i32 = 0;
let keptClaims: usize = 0;
let keptTypes: usize = 0;
let keptRequests: usize = 0;
let keptPorts: usize = 0;
let keptReservations: usize = 0;
let keptMinima: usize = 0;
let keptCapacity: i32 = 0;

/** To go back to with `restore`, as far as it is not in the memory of the question. */
export function keep(): void {
  keptCount = claimCount;
  keptClaims = claims;
  keptTypes = claimTypes;
  keptRequests = claimRequests;
  keptPorts = claimPorts;
  keptReservations = claimReservations;
  keptMinima = claimMinima;
  keptCapacity = capacity;
}

export function restore(): void {
  claimCount = keptCount;
  claims = keptClaims;
  claimTypes = keptTypes;
  claimRequests = keptRequests;
  claimPorts = keptPorts;
  claimReservations = keptReservations;
  claimMinima = keptMinima;
  capacity = keptCapacity;
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

/** Puts a pod on the claim: takes over what the last successful try found. Returns whether that changes its requirements. */
export function accept(claim: i32, podClass: i32, requests: usize): bool {
  const record = claims + <usize>claim * 12;
  const before = load<i32>(record, 4);
  store<i32>(record, foundSet, 4);
  store<i32>(record, load<i32>(record, 8) + 1, 8);
  copyBits(claimTypes + <usize>claim * typeBytes, foundTypes, typeBytes);
  addRequests(claimRequests + <usize>claim * vectorBytes, requests);
  takePorts(podClass, portsOfClaim(claim));
  reservations.keep(reservationsOf(claim));
  countPod(podClass, load<i32>(record), input.nodeCount + claim, foundSet);
  return foundSet != before;
}

/** A new claim from the last successful `tryTemplate`. */
export function open(template: i32, podClass: i32, requests: usize): i32 {
  if (claimCount == capacity) grow(capacity * 2);
  const claim = claimCount++;
  store<i32>(claims + <usize>claim * 12, template);
  const minima = minimaOfClaim(claim);
  memory.copy(minima, minimaOf(template), <usize>minimaCountOf(template) << 3);
  if (input.minValuesBestEffort != 0) relaxMinima(foundTypes, viewOf(template), foundSet, minima, minimaCountOf(template));
  accept(claim, podClass, requests);
  return claim;
}
