import { resourcesOfType } from './eks';
import { NamesOf } from './iam';
import { physicalName } from './resource-names';
import { networkName } from './routes';
import { plainText } from './token';
import { asRecord } from '../../contract';
import { SecurityGroup, Subnet, Tagged, TemplateResource } from '../manifest/aws-model';

/** The name of a zone, which no placeholder and no zone ID is. */
const ZONE = /^[a-z]{2}(?:-[a-z]+)+-\d[a-z0-9-]*[a-z]$/;

export function readSubnets(resources: readonly TemplateResource[], naming: NamesOf): Subnet[] {
  return resourcesOfType(resources, 'AWS::EC2::Subnet').map((resource) => ({
    ...tagged(resource, naming),
    ...zonesOf(resource.properties),
    ...publicIp(resource.properties.MapPublicIpOnLaunch),
    ...(resource.properties.IsIsolated === true ? { isIsolated: true } : {}),
    ...prefixes(resource.properties),
    vpc: plainText(resource.properties.VpcId),
  }));
}

function zonesOf({ AvailabilityZone, Zones }: TemplateResource['properties']): Pick<Subnet, 'zones'> {
  const zones = Array.isArray(Zones) ? Zones : [AvailabilityZone];
  const isKnown = zones.length > 0 && zones.every((zone) => typeof zone === 'string' && ZONE.test(zone));
  return isKnown ? { zones: [...new Set(zones as string[])] } : {};
}

function prefixes(properties: TemplateResource['properties']): Pick<Subnet, 'prefixLengths'> {
  const { CidrBlock, PrefixLengths, Ipv6CidrBlock, AssignIpv6AddressOnCreation } = properties;
  // Pods of an IPv6 cluster have no IPv4 addresses.
  if (Ipv6CidrBlock !== undefined || AssignIpv6AddressOnCreation !== undefined) return {};
  if (Array.isArray(PrefixLengths)) return { prefixLengths: PrefixLengths.map(Number) };
  const [, length] = /^\d[\d.]*\/(\d{1,2})$/.exec(typeof CidrBlock === 'string' ? CidrBlock : '') ?? [];
  return length === undefined ? {} : { prefixLengths: [Number(length)] };
}

/** Whether instances get a public IP address; CloudFormation's default is false. */
function publicIp(written: unknown): Pick<Subnet, 'mapsPublicIp'> {
  const value = plainText(written ?? false);
  return ['true', 'false'].includes(value) ? { mapsPublicIp: value === 'true' } : {};
}

export function readSecurityGroups(resources: readonly TemplateResource[], naming: NamesOf): SecurityGroup[] {
  const groups = resourcesOfType(resources, 'AWS::EC2::SecurityGroup').map((resource) => ({
    ...tagged(resource, naming),
    ...(typeof resource.properties.GroupName === 'string' ? { groupName: resource.properties.GroupName } : {}),
    vpc: plainText(resource.properties.VpcId),
  }));
  const names = groups.map(({ name }) => networkName(name));
  const opened = openedGroups(resources);
  // A rule for a group that is not known may be for any of them.
  const isComplete = opened.every((name) => names.includes(name) || OTHER_GROUP.test(name));
  return groups.map((group) => {
    const { tool, properties, object } = group.resource;
    const isClosed =
      isComplete &&
      tool === 'Terraform' &&
      !object.name.startsWith('module.') &&
      [properties.Egress ?? []].flat().length === 0 &&
      !opened.includes(networkName(group.name));
    return isClosed ? { ...group, isClosed } : group;
  });
}

/** The security group that EKS makes for a cluster. */
const OTHER_GROUP = /^\$\{aws_eks_cluster\./;

/** The names of groups with rules of their own for outgoing traffic. */
function openedGroups(resources: readonly TemplateResource[]): string[] {
  const rules = [
    ...resourcesOfType(resources, 'AWS::EC2::SecurityGroupEgress'),
    ...resourcesOfType(resources, 'Terraform::SecurityGroupRule').filter(
      ({ properties }) => properties.Type !== 'ingress',
    ),
  ];
  return rules.map(({ properties }) => networkName(plainText(properties.GroupId ?? '')));
}

function tagged(resource: TemplateResource, naming: NamesOf): Tagged {
  return { resource, path: [], name: physicalName(naming(resource)), tags: tagsOf(resource.properties.Tags) };
}

function tagsOf(raw: unknown): Record<string, string> | undefined {
  if (raw === undefined) return {};
  if (!Array.isArray(raw)) return undefined;
  const tags: Record<string, string> = Object.create(null);
  for (const item of raw) {
    const tag = asRecord(item);
    if (!tag) return undefined;
    tags[plainText(tag.Key)] = plainText(tag.Value ?? '');
  }
  return tags;
}
