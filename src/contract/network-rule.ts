/**
 * Rules for the network of an EC2NodeClass: interfaces, prefixes, connection tracking.
 *
 * Source: karpenter.k8s.aws_ec2nodeclasses.yaml of 1.15.1.
 */
import { FieldPath, FieldProblem } from './field-problem';
import { asRecord, checkEnum, checkInteger, checkSize, ifPresent, IntegerRule, rejected } from './value-rule';

export const INTERFACE_TYPES: readonly string[] = ['interface', 'efa-only'];
export const NETWORK_INTERFACES_COUNT: IntegerRule = { min: 0, max: 150 };
export const IP_PREFIX_COUNT: IntegerRule = { min: 0 };
/** In seconds. */
export const CONNECTION_TIMEOUTS: Readonly<Record<string, IntegerRule>> = {
  tcpEstablishedTimeout: { min: 60, max: 432_000 },
  udpStreamTimeout: { min: 60, max: 180 },
  udpTimeout: { min: 30, max: 60 },
};

const INDEX: IntegerRule = { min: 0 };

interface Interface {
  readonly networkCardIndex?: unknown;
  readonly deviceIndex?: unknown;
  readonly interfaceType?: unknown;
}

export function checkNetwork(path: FieldPath, spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { networkInterfaces, ipPrefixCount, connectionTracking } = spec;
  return [
    ...ifPresent(networkInterfaces, () => checkInterfaces([...path, 'networkInterfaces'], networkInterfaces)),
    ...ifPresent(ipPrefixCount, () => checkInteger([...path, 'ipPrefixCount'], ipPrefixCount, IP_PREFIX_COUNT)),
    ...ifPresent(connectionTracking, () => checkConnectionTracking([...path, 'connectionTracking'], connectionTracking)),
  ];
}

function checkInterfaces(path: FieldPath, raw: unknown): FieldProblem[] {
  if (!Array.isArray(raw)) return [rejected(path, 'must be a list of network interfaces', raw, 'write a list of { networkCardIndex, deviceIndex, interfaceType }')];
  const interfaces: Interface[] = raw.map((each) => asRecord(each) ?? {});
  return [
    ...checkSize(path, raw.length, NETWORK_INTERFACES_COUNT, 'network interfaces'),
    ...interfaces.flatMap((each, i) => checkInterface([...path, i], each)),
    ...(raw.length === 0 || interfaces.some(isPrimary) ? [] :
      [rejected(path, 'must have the primary interface', raw, 'add { networkCardIndex: 0, deviceIndex: 0, interfaceType: interface }')]),
    ...interfaces.flatMap((each, i) => checkUnique([...path, i], each, interfaces.slice(0, i))),
  ];
}

function checkInterface(path: FieldPath, { networkCardIndex, deviceIndex, interfaceType }: Interface): FieldProblem[] {
  return [
    ...checkInteger([...path, 'networkCardIndex'], networkCardIndex, INDEX),
    ...checkInteger([...path, 'deviceIndex'], deviceIndex, INDEX),
    ...checkEnum([...path, 'interfaceType'], interfaceType, INTERFACE_TYPES),
  ];
}

function isPrimary({ networkCardIndex, deviceIndex, interfaceType }: Interface): boolean {
  return networkCardIndex === 0 && deviceIndex === 0 && interfaceType === 'interface';
}

function checkUnique(path: FieldPath, each: Interface, earlier: readonly Interface[]): FieldProblem[] {
  const { networkCardIndex: card, deviceIndex: device, interfaceType: type } = each;
  const sameCard = earlier.filter(({ networkCardIndex }) => networkCardIndex === card);
  if (sameCard.some(({ deviceIndex }) => deviceIndex === device)) {
    return [rejected(path, 'must not repeat the card and device of another interface', { networkCardIndex: card, deviceIndex: device }, 'use another deviceIndex')];
  }
  if (type === 'efa-only' && sameCard.some((other) => other.interfaceType === 'efa-only')) {
    return [rejected(path, 'must not be a second efa-only interface of its card', card, 'use another networkCardIndex')];
  }
  return [];
}

function checkConnectionTracking(path: FieldPath, raw: unknown): FieldProblem[] {
  const tracking = asRecord(raw);
  const fields = Object.keys(CONNECTION_TIMEOUTS);
  const given = fields.filter((field) => (tracking?.[field] ?? undefined) !== undefined);
  if (!tracking || given.length === 0) return [rejected(path, `must have at least one of ${fields.join(', ')}`, raw, 'add one, or remove connectionTracking')];
  return given.flatMap((field) => checkInteger([...path, field], tracking[field], CONNECTION_TIMEOUTS[field]));
}
