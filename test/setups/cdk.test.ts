import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Karpenter, SystemNodeGroup } from '../../src/infra';
import { AmiSelectorTerm } from '../../src/nodes';
import { ProductionSetup, ProductionSetupProps, SetupCluster } from '../../src/setups';
import { check } from '../../src/validation';
import { newClusterV2, newStack } from '../infra/fixtures';

function newSetup(props: Partial<ProductionSetupProps>): Stack {
  const stack = newStack();
  const cluster = newClusterV2(stack, { clusterName: 'shop', defaultCapacity: 0 });
  new SystemNodeGroup(stack, 'System', { cluster });
  const featureGates = { staticCapacity: true, spotToSpotConsolidation: true };
  const karpenter = new Karpenter(stack, 'Karpenter', { cluster, helmValues: { settings: { featureGates } } });
  const nodeClassOptions = { amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')] };
  new ProductionSetup(stack, 'Nodes', { cluster: SetupCluster.ofKarpenter(karpenter), nodeClassOptions, ...props });
  return stack;
}

test.each<[string, Partial<ProductionSetupProps>, string[]]>([
  ['the general pool', {}, ['general']],
  [
    'all pools',
    { graviton: {}, gpu: {}, batch: {}, staticCapacity: { replicas: 2, instanceTypes: ['m7i.large'] } },
    ['batch', 'general', 'gpu', 'graviton', 'static'],
  ],
  [
    'storage and a priority for DaemonSets',
    { storage: { gp3: { isDefault: true }, io2: { iops: 3000 } }, daemonSetPriority: {} },
    ['general'],
  ],
])('check has no findings for the stack with %s', (_, props, pools) => {
  const stack = newSetup(props);
  const { findings, nodePools } = check(
    [{ path: 'Shop.template.json', text: JSON.stringify(Template.fromStack(stack).toJSON()) }],
    { region: 'eu-west-1' },
  );
  expect(findings).toEqual([]);
  expect(nodePools?.map(({ name }) => name)).toEqual(pools);
});

test('the stack deploys the StorageClasses and the PriorityClass', () => {
  const stack = newSetup({
    storage: { gp3: {}, efs: { fileSystemId: 'fs-0123456789abcdef0' } },
    daemonSetPriority: {},
  });
  const template = JSON.stringify(Template.fromStack(stack).toJSON());
  for (const text of ['ebs.csi.aws.com', 'efs.csi.aws.com', 'PriorityClass']) expect(template).toContain(text);
});
