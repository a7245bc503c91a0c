import { resourcesOfType } from './eks';
import { NamesOf } from './iam';
import { physicalName } from './resource-names';
import { hasUnknown, plainText } from './token';
import { Network, RouteTable, TemplateResource } from '../manifest/aws-model';
import { PlainRecord, recordsOf } from '../manifest/records';

const ALL_ADDRESSES = '0.0.0.0/0';
/** A reference of a `.tf` file to a part of a network, or to one of several. */
const REFERENCE = /aws_(?:subnet|route_table|nat_gateway|security_group)\.[\w-]+/;

/** Where the subnets of a VPC lead to. */
export function readNetwork(resources: readonly TemplateResource[], naming: NamesOf): Network {
  const routes = resourcesOfType(resources, 'AWS::EC2::Route');
  const endpoints = resourcesOfType(resources, 'AWS::EC2::VPCEndpoint');
  const tables = resourcesOfType(resources, 'AWS::EC2::RouteTable');
  const gateways = resourcesOfType(resources, 'AWS::EC2::InternetGateway').map(({ id }) => id);
  const isToInternet = ({ GatewayId: gateway }: PlainRecord) =>
    typeof gateway === 'string' &&
    (/internet_gateway|^igw-/.test(gateway) || gateways.some((id) => gateway.includes(`[${id}]`)));
  const names = new Set(tables.map((resource) => networkName(physicalName(naming(resource)))));
  return {
    routeTables: tables.map((resource) =>
      readTable(resource, networkName(physicalName(naming(resource))), routes, isToInternet),
    ),
    associations: resourcesOfType(resources, 'AWS::EC2::SubnetRouteTableAssociation').map(({ properties }) => ({
      subnet: networkName(plainText(properties.SubnetId ?? '')),
      table: networkName(plainText(properties.RouteTableId ?? '')),
    })),
    natGateways: resourcesOfType(resources, 'AWS::EC2::NatGateway').map((resource) => ({
      resource,
      path: [],
      name: networkName(physicalName(naming(resource))),
      subnet: networkName(plainText(resource.properties.SubnetId ?? '')),
      isPrivate: plainText(resource.properties.ConnectivityType ?? 'public') !== 'public',
    })),
    hasEndpoints:
      endpoints.length > 0 ||
      routes.some(({ properties }) => !names.has(networkName(plainText(properties.RouteTableId ?? '')))),
  };
}

/** All instances of a resource of a `.tf` file have one name, because their indexes are computed. */
export function networkName(text: string): string {
  return text.startsWith('${') ? (REFERENCE.exec(text)?.[0] ?? text) : text;
}

function readTable(
  resource: TemplateResource,
  name: string,
  all: readonly TemplateResource[],
  leadsToInternetGateway: (route: PlainRecord) => boolean,
): RouteTable {
  const { Routes, PropagatingGateways } = resource.properties;
  const others = all.filter(({ properties }) => networkName(plainText(properties.RouteTableId ?? '')) === name);
  const routes = [...recordsOf(Routes).map(routeOf), ...others.map(({ properties }) => properties)];
  const toAll = routes.filter(
    ({ DestinationCidrBlock: v4, DestinationIpv6CidrBlock: v6 }) =>
      v4 === ALL_ADDRESSES || v6 === '::/0' || hasUnknown(plainText(v4 ?? '')) || hasUnknown(plainText(v6 ?? '')),
  );
  const way = toAll.length === 0 ? undefined : toAll.every(leadsToInternetGateway) ? 'internet gateway' : 'other';
  return {
    resource,
    path: [],
    name,
    hasUnknownRoutes:
      [Routes, PropagatingGateways].some((value) => value !== undefined && !Array.isArray(value)) ||
      [PropagatingGateways ?? []].flat().length > 0,
    ...(way === undefined ? {} : { way }),
    natGateways: toAll.flatMap(({ NatGatewayId: id }) => (id === undefined ? [] : [networkName(plainText(id))])),
  };
}

/** A route that is a block of the route table of Terraform. */
function routeOf({ cidr_block: v4, ipv6_cidr_block: v6, gateway_id: gateway, ...others }: PlainRecord): PlainRecord {
  return {
    DestinationCidrBlock: v4,
    DestinationIpv6CidrBlock: v6,
    GatewayId: gateway,
    NatGatewayId: others.nat_gateway_id,
  };
}
