/**
 * Small programs, one for each scenario. `npx tsx examples/scenarios.ts gpu` writes the manifests of examples/gpu to
 * dist/, and prints Karpenter's verdict on them.
 */
import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { plugins } from '../src';
import { BatchChart } from './batch/chart';
import { CustomAmiChart } from './custom-ami/chart';
import { DisruptionBudgetsChart } from './disruption-budgets/chart';
import { EfaChart } from './efa/chart';
import { GpuChart } from './gpu/chart';
import { GuardrailsChart } from './guardrails/chart';
import { HeadroomChart } from './headroom/chart';
import { HighAvailabilityChart } from './high-availability/chart';
import { MultiArchChart } from './multi-arch/chart';
import { NeuronChart } from './neuron/chart';
import { NodeOverlaysChart } from './node-overlays/chart';
import { ReservedCapacityChart } from './reserved-capacity/chart';
import { SharedFilesChart } from './shared-files/chart';
import { SpotOnDemandSplitChart } from './spot-on-demand-split/chart';
import { StatefulChart } from './stateful/chart';
import { UserDataChart } from './user-data/chart';
import { WindowsChart } from './windows/chart';

export interface ScenarioExample {
  /** Name of its folder. */
  readonly name: string;
  readonly title: string;
  /** What the example shows, as Markdown. */
  readonly about: string;
  readonly chart: new (scope: Construct, id: string) => Chart;
  readonly facts?: plugins.KarpenterVerdictProps;
}

export const SCENARIO_EXAMPLES: readonly ScenarioExample[] = [
  {
    name: 'multi-arch',
    title: 'amd64 and arm64',
    about:
      'A pool of Graviton instances beside the general pool. Its taint keeps pods away whose images may not run on arm64: only pods that are ' +
      'pinned to the pool use it.',
    chart: MultiArchChart,
  },
  {
    name: 'spot-on-demand-split',
    title: 'A fifth on demand, the rest on spot',
    about:
      'Two NodePools share the values of a label, one of five for on-demand and four of five for spot. The pods are spread evenly over these ' +
      'values.',
    chart: SpotOnDemandSplitChart,
    facts: { featureGates: { spotToSpotConsolidation: true } },
  },
  {
    name: 'high-availability',
    title: 'High availability over three zones',
    about:
      'Six pods over three zones of an on-demand pool. The loss of a zone leaves four of them ready; a roll of all nodes leaves five.',
    chart: HighAvailabilityChart,
  },
  {
    name: 'batch',
    title: 'Batch jobs',
    about:
      'Jobs on a pool that Karpenter does not consolidate. Jobs that start from the beginning run on demand; jobs that continue run on spot.',
    chart: BatchChart,
  },
  {
    name: 'stateful',
    title: 'A StatefulSet with volumes',
    about:
      'Each replica has an EBS volume. The StorageClass waits for the first pod, so that the volume is in the zone of its node.',
    chart: StatefulChart,
  },
  {
    name: 'shared-files',
    title: 'Shared files, and volumes with provisioned IOPS',
    about:
      'All pods of a Deployment write to one EFS file system, which every zone reaches. Each replica of a database has a volume of io2, ' +
      'on demand.',
    chart: SharedFilesChart,
  },
  {
    name: 'gpu',
    title: 'GPUs',
    about:
      'A model server with one GPU in each pod, and a job with four. The nodes have the label and the taint that the NVIDIA device plugin ' +
      'expects: install its Helm chart.',
    chart: GpuChart,
  },
  {
    name: 'neuron',
    title: 'Inferentia and Trainium',
    about:
      'A model server on Inferentia. The device plugin of AWS Neuron must run on the nodes, and tolerate their taint.',
    chart: NeuronChart,
  },
  {
    name: 'custom-ami',
    title: 'Your own AMI',
    about: 'Nodes with images of your account, selected by tags. A new version of the tag makes the nodes drift.',
    chart: CustomAmiChart,
  },
  {
    name: 'user-data',
    title: 'User data and kubelet settings',
    about: 'User data of AL2023 in the MIME format, with a NodeConfig and a script, and settings of the kubelet.',
    chart: UserDataChart,
  },
  {
    name: 'disruption-budgets',
    title: 'Disruption budgets and a maintenance window',
    about:
      'Drifted nodes are replaced at weekends only; consolidation removes one node at a time; empty nodes are removed at any time.',
    chart: DisruptionBudgetsChart,
  },
  {
    name: 'guardrails',
    title: 'A team that owns its NodePool, within guardrails',
    about:
      'A team may change its NodePool, but not the EC2NodeClass. The API server rejects a NodePool with larger instances, spot capacity, or ' +
      'more than 100 CPUs.',
    chart: GuardrailsChart,
  },
  {
    name: 'headroom',
    title: 'Headroom for peaks',
    about:
      'A CapacityBuffer keeps room for a fifth more pods, so that they start without waiting for a node. It needs a feature gate.',
    chart: HeadroomChart,
    facts: { featureGates: { capacityBuffer: true } },
  },
  {
    name: 'reserved-capacity',
    title: 'Capacity reservations',
    about: 'On-demand capacity reservations first, selected by a tag, and on-demand capacity when they are full.',
    chart: ReservedCapacityChart,
  },
  {
    name: 'node-overlays',
    title: 'Prices and devices that Karpenter does not know',
    about:
      'A NodeOverlay for the prices of a savings plan, and one for the devices of a device plugin. They need a feature gate.',
    chart: NodeOverlaysChart,
    facts: { featureGates: { nodeOverlay: true } },
  },
  {
    name: 'efa',
    title: 'EFA in a placement group',
    about:
      'Two nodes of a cluster placement group, with four Elastic Fabric Adapter interfaces each, for a distributed training job.',
    chart: EfaChart,
    facts: { region: 'us-east-1' },
  },
  {
    name: 'windows',
    title: 'Windows',
    about: 'Windows Server 2022 nodes with a taint, and a Deployment that selects the operating system.',
    chart: WindowsChart,
  },
];

export const DEFAULT_REGION = 'eu-west-1';

function main(name: string | undefined): void {
  const example = SCENARIO_EXAMPLES.find((candidate) => candidate.name === name);
  if (!example)
    throw new Error(
      `arguments: must be the name of an example, got ${name}; write one of ${SCENARIO_EXAMPLES.map((candidate) => candidate.name).join(', ')}`,
    );
  const app = new App({ outdir: `dist/${example.name}` });
  new example.chart(app, example.name);
  const verdict = new plugins.KarpenterVerdict(app, 'Verdict', {
    region: DEFAULT_REGION,
    quiet: true,
    ...example.facts,
  });
  app.synth();
  console.log(verdict.text);
}

if (require.main === module) main(process.argv[2]);
