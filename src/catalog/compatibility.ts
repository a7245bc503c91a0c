import { CatalogFile } from './catalog-file';
import { NetworkInterfaceFacts, NodeClassFacts } from './node-class-facts';
import { supportsClusterPlacementGroups } from './placement-group';

type Check = (type: number) => boolean;

function networkInterfacesFit({ facts }: CatalogFile, interfaces: readonly NetworkInterfaceFacts[]): Check {
  const efaOnly = interfaces.filter((i) => i.interfaceType === 'efa-only').length;
  const cards = Math.max(-1, ...interfaces.map((i) => i.networkCardIndex)) + 1;
  // In every published table all cards of a type have the same number of interfaces.
  const devices = Math.max(-1, ...interfaces.map((i) => i.deviceIndex)) + 1;
  return (type) =>
    facts.ena[type] === 1 &&
    cards <= facts.networkCards[type] &&
    devices <= facts.networkInterfaces[type] &&
    efaOnly <= facts.efaInterfaces[type];
}

/**
 * Whether the node class can run on a type at all. If not, Karpenter keeps the type and marks its offerings as
 * unavailable.
 */
export function compatibility(file: CatalogFile, nodeClass: NodeClassFacts): Check {
  const checks: Check[] = [];
  if (nodeClass.amiFamily === 'AL2023') {
    checks.push((type) => !file.names[type].startsWith('a1.'));
  }
  if (nodeClass.networkInterfaces !== undefined) {
    checks.push(networkInterfacesFit(file, nodeClass.networkInterfaces));
  }
  if (nodeClass.nestedVirtualization) {
    checks.push((type) => file.facts.nestedVirtualization[type] === 1);
  }
  if (nodeClass.nitroEnclaves) {
    checks.push((type) => file.facts.nitroEnclaves[type] === 1);
  }
  if (nodeClass.connectionTracking) {
    checks.push((type) => file.facts.nitro[type] === 1);
  }
  if (nodeClass.placementGroup?.strategy === 'cluster') {
    checks.push((type) => supportsClusterPlacementGroups(file.names[type]));
  }
  return (type) => checks.every((check) => check(type));
}
