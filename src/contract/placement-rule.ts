/**
 * Rules for where instances of an EC2NodeClass run, and what can run on them: capacity reservations, placement group, CPU options, enclaves.
 *
 * Source: karpenter.k8s.aws_ec2nodeclasses.yaml of 1.15.1.
 */
import { FieldPath, FieldProblem } from './field-problem';
import { asRecord, checkBoolean, checkEnum, checkPattern, checkText, ifPresent, PatternRule, rejected } from './value-rule';

export const CAPACITY_RESERVATION_ID: PatternRule = { pattern: /^cr-[0-9a-z]+$/, meaning: 'a capacity reservation id', remedy: 'write for example cr-0123456789abcdef0' };
export const ACCOUNT_ID: PatternRule = { pattern: /^[0-9]{12}$/, meaning: 'an AWS account id', remedy: 'write its 12 digits in quotes' };
export const PLACEMENT_GROUP_ID: PatternRule = { pattern: /^pg-[0-9a-z]+$/, meaning: 'a placement group id', remedy: 'write for example pg-0123456789abcdef0' };
export const INSTANCE_MATCH_CRITERIA: readonly string[] = ['open', 'targeted'];

type Spec = Readonly<Record<string, unknown>>;

/** What a capacity reservation term has beside `id` and `tags`. */
export function checkReservationTerm(path: FieldPath, { ownerID, instanceMatchCriteria }: Spec): FieldProblem[] {
  return [
    ...ifPresent(ownerID, () => checkPattern([...path, 'ownerID'], ownerID, ACCOUNT_ID)),
    ...ifPresent(instanceMatchCriteria, () => checkEnum([...path, 'instanceMatchCriteria'], instanceMatchCriteria, INSTANCE_MATCH_CRITERIA)),
  ];
}

export function checkPlacement(path: FieldPath, { placementGroupSelector, cpuOptions, enclaveOptions }: Spec): FieldProblem[] {
  return [
    ...ifPresent(placementGroupSelector, () => checkPlacementGroup([...path, 'placementGroupSelector'], placementGroupSelector)),
    ...ifPresent(cpuOptions, () => checkCpuOptions([...path, 'cpuOptions'], cpuOptions)),
    ...ifPresent(enclaveOptions, () => checkBoolean([...path, 'enclaveOptions', 'enabled'], asRecord(enclaveOptions)?.enabled)),
  ];
}

function checkPlacementGroup(path: FieldPath, raw: unknown): FieldProblem[] {
  const { id, name } = asRecord(raw) ?? {};
  const given = Object.entries({ id, name }).filter(([, value]) => value !== undefined && value !== null);
  if (given.length !== 1) return [rejected(path, 'must have one of id and name', raw, 'write { name } or { id }')];
  return [
    ...ifPresent(id, () => checkPattern([...path, 'id'], id, PLACEMENT_GROUP_ID)),
    ...ifPresent(name, () => checkText([...path, 'name'], name)),
  ];
}

function checkCpuOptions(path: FieldPath, raw: unknown): FieldProblem[] {
  const options = asRecord(raw);
  if (!options) return [rejected(path, 'must be an object', raw, 'write { nestedVirtualization: enabled }')];
  const { nestedVirtualization: nested } = options;
  return ifPresent(nested, () => checkEnum([...path, 'nestedVirtualization'], nested, ['enabled', 'disabled']));
}
