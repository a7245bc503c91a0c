import { asRecord } from '../../../../contract';
import { listText, shortListText } from '../../../../model';
import { eksctlClusters } from '../../../cluster/node-groups';
import { chartValue } from '../../../controller';
import { ManifestObject, NodeClassManifest } from '../../../manifest/model';
import { recordsOf, stringMapOf } from '../../../manifest/records';
import { AwsModel, networkName, RouteTable, Subnet, selectsResource } from '../../../template';
import { classesInUse } from '../../common/class-use';
import { defineRule, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsFrom } from '../../subjects';

/** @see https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html */
export const subnetWithoutWayOut = defineRule({
  id: 'KARP-270',
  name: 'subnet-without-way-out',
  readsTerraform: true,
  severity: 'error',
  summary: 'Subnets of nodes have no route to the internet and no VPC endpoints: nodes start but do not join.',
  subjects: subjectsFrom<DeadEnd>(deadEnds),
  judge: ({ finding }) => finding,
});

/** What keeps nodes from AWS, with its finding. */
interface DeadEnd {
  readonly object: ManifestObject;
  readonly finding: SubjectFinding;
}

function deadEnds(context: RuleContext): DeadEnd[] {
  const { model, controllers } = context;
  const { aws, writtenAws } = model;
  const isIsolated = controllers.some(({ values }) => `${chartValue(values, 'settings', 'isolatedVPC')}` === 'true');
  const isComplete = aws === writtenAws || aws.opaque.length === 0;
  if (isIsolated || !isComplete || aws.network.hasEndpoints) return [];
  const classes = classesInUse(model);
  return [
    ...tablesWithoutWay(context, classes),
    ...gatewaysWithoutWay(context, classes),
    ...subnetsOfModules(context, classes),
    ...subnetsOfEksctl(context, classes),
  ];
}

/** Subnets that a node class certainly selects. */
function selectedBy(classes: readonly NodeClassManifest[], subnet: Subnet): NodeClassManifest | undefined {
  return classes.find(({ object }) =>
    recordsOf(asRecord(object.raw.spec)?.subnetSelectorTerms).some((term) => selectsResource(term, subnet) === 'yes'),
  );
}

function tablesWithoutWay({ model: { aws } }: RuleContext, classes: readonly NodeClassManifest[]): DeadEnd[] {
  const { network, subnets } = aws;
  return network.routeTables.flatMap((table): DeadEnd[] => {
    if (table.hasUnknownRoutes || table.way === 'other') return [];
    const own = subnets.filter(
      (subnet) =>
        isOnly(table, subnet, network.associations) && (table.way === undefined || subnet.mapsPublicIp === false),
    );
    const nodeClass = own.map((subnet) => selectedBy(classes, subnet)).find((one) => one !== undefined);
    const asksPublic = asRecord(nodeClass?.object.raw.spec)?.associatePublicIPAddress !== undefined;
    if (nodeClass === undefined || (table.way !== undefined && asksPublic)) return [];
    return [{ object: table.resource.object, finding: findingOf(table, own, nodeClass, aws) }];
  });
}

/** NAT gateways whose own packets take a route back to them, or none. */
function gatewaysWithoutWay({ model: { aws } }: RuleContext, classes: readonly NodeClassManifest[]): DeadEnd[] {
  const { natGateways, routeTables, associations } = aws.network;
  const tableOf = (subnet: Subnet) => routeTables.find((table) => isOnly(table, subnet, associations));
  const isPublic = (subnet: Subnet) => tableOf(subnet)?.way === 'internet gateway';
  return natGateways.flatMap(({ name, subnet: own, isPrivate, resource }): DeadEnd[] => {
    const around = aws.subnets.filter((subnet) => networkName(subnet.name) === own);
    const [table, ...others] = new Set(around.map(tableOf));
    // One resource may make public and private subnets, with a main route table for some of them.
    if (isPrivate || table === undefined || others.length > 0 || around.some((one) => one.mapsPublicIp !== false))
      return [];
    const isLoop = table.natGateways.includes(name);
    if (table.hasUnknownRoutes || !(isLoop || table.way === undefined)) return [];
    const served = aws.subnets.filter((subnet) => tableOf(subnet)?.natGateways.includes(name));
    const nodeClass = served.map((subnet) => selectedBy(classes, subnet)).find((one) => one !== undefined);
    if (nodeClass === undefined) return [];
    const better = aws.subnets.find(isPublic)?.resource.object.name;
    const lacks = isLoop ? 'sends 0.0.0.0/0 to this NAT gateway itself' : 'has no route to an internet gateway';
    return [
      {
        object: resource.object,
        finding: {
          path: ['Properties', 'SubnetId'],
          message: `is in subnet ${around[0].resource.object.name}, whose route table ${lacks}: it reaches no other network, so nodes of EC2NodeClass ${nodeClass.object.name} reach neither EKS nor ECR, and do not join`,
          remedy: `put it into a subnet whose route table leads to an internet gateway${better === undefined ? '' : `, such as ${better}`}`,
          evidence: { subnet: own, table: table.name, ...neverJoins(aws, served, nodeClass) },
          related: related(nodeClass),
        },
      },
    ];
  });
}

/** Names the class only if it selects no other subnet. */
function neverJoins({ subnets }: AwsModel, deadEnd: readonly Subnet[], { object }: NodeClassManifest) {
  const terms = recordsOf(asRecord(object.raw.spec)?.subnetSelectorTerms);
  const isAll = subnets.every(
    (subnet) => deadEnd.includes(subnet) || terms.every((term) => selectsResource(term, subnet) === 'no'),
  );
  return { consequence: 'never-joins', ...(isAll ? { nodeClasses: [object.name] } : {}) };
}

/** Whether the subnet has this route table and no other. */
function isOnly(
  { name }: RouteTable,
  subnet: Subnet,
  associations: ReadonlyArray<{ readonly subnet: string; readonly table: string }>,
): boolean {
  const own = associations.filter((association) => association.subnet === networkName(subnet.name));
  return own.length > 0 && own.every(({ table }) => table === name);
}

function findingOf(
  table: RouteTable,
  subnets: readonly Subnet[],
  nodeClass: NodeClassManifest,
  aws: AwsModel,
): SubjectFinding {
  const hasNat = aws.network.natGateways.length > 0;
  const names = [...new Set(subnets.map(({ resource }) => resource.object.name))];
  const lacks =
    table.way === undefined
      ? `has no route to the internet, and there are no VPC endpoints`
      : 'leads to an internet gateway, which takes no packets of nodes without a public address';
  return {
    path: [],
    message: `the route table of ${names.length === 1 ? 'subnet' : 'subnets'} ${shortListText(names, 3)} ${lacks}: nodes of EC2NodeClass ${nodeClass.object.name} there reach neither EKS nor ECR, and do not join`,
    remedy:
      table.way !== undefined
        ? 'associate these subnets with a route table whose route for 0.0.0.0/0 leads to a NAT gateway'
        : hasNat
          ? 'add a route for 0.0.0.0/0 to the NAT gateway'
          : 'add a NAT gateway and a route for 0.0.0.0/0 to it, or VPC endpoints for EC2, ECR, EKS, S3, STS and SSM',
    evidence: { subnets: names, way: table.way ?? null, ...neverJoins(aws, subnets, nodeClass) },
    severity: hasNat ? undefined : 'warning',
    related: related(nodeClass),
  };
}

function related({ object }: NodeClassManifest) {
  return { object, path: ['spec', 'subnetSelectorTerms'], label: 'selects such subnets' };
}

function subnetsOfModules({ model: { aws } }: RuleContext, classes: readonly NodeClassManifest[]): DeadEnd[] {
  return aws.subnets.flatMap((subnet): DeadEnd[] => {
    const nodeClass = subnet.isIsolated ? selectedBy(classes, subnet) : undefined;
    if (nodeClass === undefined) return [];
    const { object } = subnet.resource;
    const [, kind = ''] = /(intra|public)_subnet/.exec(object.name) ?? [];
    const spec = asRecord(nodeClass.object.raw.spec) ?? {};
    if (kind === 'public' && ![undefined, false].includes(spec.associatePublicIPAddress as boolean | undefined))
      return [];
    const mayUseOthers = aws.subnets.some(
      (other) =>
        other !== subnet && recordsOf(spec.subnetSelectorTerms).some((term) => selectsResource(term, other) !== 'no'),
    );
    const [lacks, remedy] = REASONS[kind];
    return [
      {
        object,
        finding: {
          path: ['Properties', 'Tags'],
          message: `${lacks}: nodes of EC2NodeClass ${nodeClass.object.name} there reach neither EKS nor ECR, and do not join`,
          remedy: kind === 'public' && mayUseOthers ? 'remove the tag from public_subnet_tags' : remedy,
          evidence: { subnets: [object.name], consequence: 'never-joins' },
          severity: kind === '' || (kind === 'public' && mayUseOthers) ? 'warning' : undefined,
          related: related(nodeClass),
        },
      },
    ];
  });
}

/** Why nodes in subnets of the VPC module reach nothing, and what to do, by the kind of these subnets. */
const REASONS: Readonly<Record<string, readonly [lacks: string, remedy: string]>> = {
  '': [
    'enable_nat_gateway is not set, so the private subnets have no route to the internet, and there are no VPC endpoints',
    'write enable_nat_gateway = true, or add VPC endpoints for EC2, ECR, EKS, S3, STS and SSM',
  ],
  intra: [
    'intra subnets have no route to the internet, and there are no VPC endpoints',
    'tag the private subnets instead',
  ],
  public: [
    'public subnets lead to an internet gateway, which takes no packets of nodes without a public address, and map_public_ip_on_launch is not set',
    'move the tag to private_subnet_tags, or write associatePublicIPAddress: true in the EC2NodeClass',
  ],
};

/**
 * Private subnets of eksctl without NAT. eksctl gives the tags of the cluster to all subnets, public ones included.
 *
 * @see https://docs.aws.amazon.com/eks/latest/eksctl/vpc-configuration.html
 */
function subnetsOfEksctl({ model: { objects } }: RuleContext, classes: readonly NodeClassManifest[]): DeadEnd[] {
  const [cluster, ...others] = eksctlClusters(objects);
  if (cluster === undefined || others.length > 0) return [];
  const { object } = cluster;
  const vpc = asRecord(object.raw.vpc) ?? {};
  const isOff = asRecord(vpc.nat)?.gateway === 'Disable';
  const isOwn =
    vpc.subnets === undefined && vpc.id === undefined && asRecord(object.raw.privateCluster)?.enabled !== true;
  const tags = Object.entries(stringMapOf(object.raw.metadata?.tags));
  const isSelected = ({ object: { raw } }: NodeClassManifest) =>
    recordsOf(asRecord(raw.spec)?.subnetSelectorTerms).some((term) => {
      const wanted = Object.entries(stringMapOf(term.tags));
      return (
        wanted.length > 0 &&
        wanted.every(([key, value]) => tags.some(([name, text]) => name === key && (value === '*' || value === text)))
      );
    });
  const nodeClass = isOff && isOwn ? classes.find(isSelected) : undefined;
  if (nodeClass === undefined) return [];
  return [
    {
      object,
      finding: {
        path: ['vpc', 'nat', 'gateway'],
        message: `NAT is disabled, so private subnets have no route to the internet, and EC2NodeClass ${nodeClass.object.name} selects all subnets of the cluster by a tag: nodes in private subnets reach neither EKS nor ECR, and do not join`,
        remedy: `write gateway: Single or HighlyAvailable, or select the public subnets with ${listText(['kubernetes.io/role/elb: "1"'])}`,
        evidence: { gateway: 'Disable', consequence: 'never-joins' },
        related: related(nodeClass),
      },
    },
  ];
}
