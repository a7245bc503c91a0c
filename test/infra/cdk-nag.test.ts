import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as eks from 'aws-cdk-lib/aws-eks';
import { AuthenticationMode } from 'aws-cdk-lib/aws-eks';
import { IpFamily } from 'aws-cdk-lib/aws-eks-v2';
import { AccountRootPrincipal, CfnManagedPolicy, ManagedPolicy, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  AwsSolutionsChecks,
  HIPAASecurityChecks,
  NagPack,
  NIST80053R4Checks,
  NIST80053R5Checks,
  PCIDSS321Checks,
} from 'cdk-nag';
import { ACCOUNT, newClusterV1, newClusterV2, newReference } from './fixtures';
import { ControllerIdentity, InterruptionHandling, Karpenter, KarpenterProps, SystemNodeGroup } from '../../src/infra';
import { InterruptionQueue } from '../../src/interruption';
import { AmiSelectorTerm, Requirement, CapacityType } from '../../src/nodes';

const PACKS = [AwsSolutionsChecks, HIPAASecurityChecks, NIST80053R4Checks, NIST80053R5Checks, PCIDSS321Checks];

const LINUX = { amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')] };

type Setup = (stack: Stack) => Karpenter;

/** A cluster with its node group, and a NodePool. */
function install(
  stack: Stack,
  cluster: ReturnType<typeof newClusterV1 | typeof newClusterV2>,
  props: Partial<KarpenterProps> = {},
): Karpenter {
  new SystemNodeGroup(stack, 'System', { cluster }).acknowledgeCdkNag();
  const karpenter = new Karpenter(stack, 'Karpenter', { cluster, ...props });
  const requirements = [Requirement.capacityType().in(CapacityType.SPOT)];
  karpenter.addNodePool('general', {
    nodeClass: karpenter.addNodeClass('al2023', LINUX),
    requirements,
    limits: { cpu: 10 },
  });
  return karpenter;
}

const byName = (stack: Stack, props: Partial<KarpenterProps> = {}) =>
  new Karpenter(stack, 'Karpenter', { cluster: newReference(stack), ...props });

const SETUPS: ReadonlyArray<[string, Setup]> = [
  ['a cluster that is known by its name', byName],
  ['an isolated VPC', (stack) => byName(stack, { isolatedVpc: true })],
  [
    'encrypted volumes and own images',
    (stack) => {
      const volumeKeys = [
        new Key(stack, 'Key', { enableKeyRotation: true }),
        Key.fromKeyArn(stack, 'Other', `arn:aws:kms:eu-west-1:${ACCOUNT}:key/1`),
      ];
      return byName(stack, { permissions: { volumeKeys, imageParameters: ['/shop/ami'] } });
    },
  ],
  [
    'a queue with a key, a dead-letter queue and another construct',
    (stack) => {
      const queue = new InterruptionQueue(stack, 'Queue', {
        clusterName: 'shop',
        deadLetterQueue: {},
        encryptionKey: new Key(stack, 'Key', { enableKeyRotation: true }),
      });
      return byName(stack, { interruptionHandling: InterruptionHandling.fromQueue(queue) });
    },
  ],
  [
    'imported roles and an imported queue',
    (stack) =>
      byName(stack, {
        existingControllerRole: Role.fromRoleName(stack, 'ControllerRole', 'shop-karpenter'),
        existingNodeRole: Role.fromRoleName(stack, 'NodeRole', 'shop-nodes'),
        interruptionHandling: InterruptionHandling.fromExistingQueue(
          Queue.fromQueueArn(stack, 'Queue', stack.formatArn({ service: 'sqs', resource: 'shop' })),
        ),
      }),
  ],
  [
    'roles and a queue of the app',
    (stack) =>
      byName(stack, {
        existingControllerRole: new Role(stack, 'ControllerRole', { assumedBy: new AccountRootPrincipal() }),
        existingNodeRole: new Role(stack, 'NodeRole', { assumedBy: new AccountRootPrincipal() }),
        interruptionHandling: InterruptionHandling.fromExistingQueue(
          new Queue(stack, 'Queue', {
            enforceSSL: true,
            deadLetterQueue: { queue: new Queue(stack, 'Dead', { enforceSSL: true }), maxReceiveCount: 9 },
          }),
        ),
      }),
  ],
  ['an old release of Karpenter', (stack) => byName(stack, { karpenterVersion: '1.0.5' })],
  [
    'a cluster of aws-eks-v2',
    (stack) => install(stack, newClusterV2(stack, { defaultCapacity: 0, clusterName: 'shop' })),
  ],
  [
    'a cluster whose name is known only at deployment',
    (stack) => install(stack, newClusterV2(stack, { defaultCapacity: 0 })),
  ],
  [
    'a cluster of aws-eks with IRSA',
    (stack) =>
      install(
        stack,
        newClusterV1(stack, {
          defaultCapacity: 0,
          authenticationMode: AuthenticationMode.API,
          version: eks.KubernetesVersion.V1_34,
        }),
        { identity: ControllerIdentity.irsa() },
      ),
  ],
  [
    'a cluster with IPv6',
    (stack) =>
      install(stack, newClusterV2(stack, { defaultCapacity: 0, clusterName: 'shop', ipFamily: IpFamily.IP_V6 })),
  ],
]; // prettier-ignore

/** Findings of all packs on resources that this library creates, by the path of the resource. */
function findings(setUp: Setup, acknowledge: boolean, region?: string): string[] {
  const app = new App({ builtinCloudFormationValidation: false });
  const stack = new Stack(app, 'Stack', region === undefined ? {} : { env: { account: ACCOUNT, region } });
  const karpenter = setUp(stack);
  if (acknowledge) karpenter.acknowledgeCdkNag();
  app.synth();
  return PACKS.flatMap((Pack: new (scope: App) => NagPack) =>
    new Pack(app)
      .validateScope(app)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => `${constructPath} ${ruleName}`),
      ),
  ).filter((finding) => !/^Stack\/(?:Cluster|@aws-cdk--aws-eks|AWSCDK|Custom::)/.test(finding));
}

describe('acknowledgeCdkNag leaves no finding of five packs', () => {
  test.each(SETUPS)('with %s', (_, setUp) => {
    for (const region of ['eu-west-1', 'cn-north-1', undefined]) {
      expect(findings(setUp, true, region)).toEqual([]);
      expect(findings(setUp, false, region).length).toBeGreaterThan(5);
    }
  });
});

test('acknowledgeCdkNag does not acknowledge what the user adds', () => {
  const own = (stack: Stack) => {
    const karpenter = byName(stack, {
      nodeManagedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('AdministratorAccess')],
    });
    new ManagedPolicy(karpenter, 'Own', {
      statements: [new PolicyStatement({ actions: ['s3:*'], resources: ['*'] })],
      roles: [karpenter.controllerRole.role],
    });
    return karpenter;
  };
  expect(findings(own, true, 'eu-west-1')).toEqual([
    'Stack/Karpenter/Nodes/Role/Resource AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/AdministratorAccess]',
    'Stack/Karpenter/Own/Resource AwsSolutions-IAM5[Action::s3:*]',
    'Stack/Karpenter/Own/Resource AwsSolutions-IAM5[Resource::*]',
    'Stack/Karpenter/Own/Resource HIPAA.Security-IAMPolicyNoStatementsWithFullAccess',
    'Stack/Karpenter/Own/Resource NIST.800.53.R5-IAMPolicyNoStatementsWithFullAccess',
    'Stack/Karpenter/Own/Resource PCI.DSS.321-IAMPolicyNoStatementsWithFullAccess',
  ]);
});

test('acknowledgeCdkNag writes the metadata that cdk-nag 2 reads, and keeps what is there', () => {
  const app = new App({ builtinCloudFormationValidation: false });
  const stack = new Stack(app, 'Stack', { env: { account: ACCOUNT, region: 'eu-west-1' } });
  const karpenter = byName(stack);
  const policy = karpenter.controllerPolicies.node.findChild('IAMIntegration') as CfnManagedPolicy & CfnResource;
  policy.addMetadata('cdk_nag', { rules_to_suppress: [{ id: 'Own', reason: 'kept' }] });
  karpenter.acknowledgeCdkNag();
  const [{ Metadata }] = Object.entries(Template.fromStack(stack).findResources('AWS::IAM::ManagedPolicy'))
    .filter(([id]) => id.includes('IAMIntegration'))
    .map(([, resource]) => resource);
  expect(Metadata.cdk_nag.rules_to_suppress).toEqual([
    { id: 'Own', reason: 'kept' },
    {
      id: 'AwsSolutions-IAM5',
      reason: 'Karpenter creates them; conditions allow only those with the tags of this cluster',
      applies_to: [`Resource::arn:<AWS::Partition>:iam::${ACCOUNT}:instance-profile/*`],
    },
  ]);
});
