import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, setups, workloads } from '../../src';
import { server, SETUP } from '../shop-cluster';

const { UserData } = nodes;

/** Karpenter merges the NodeConfig with its own, and runs the script before the node joins the cluster. */
const USER_DATA = UserData.multipart(
  UserData.nodeConfig({
    containerdConfig: '[plugins."io.containerd.grpc.v1.cri".registry]\nconfig_path = "/etc/containerd/certs.d"\n',
  }),
  UserData.shellScript('sysctl -w vm.max_map_count=262144'),
);

export class UserDataChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new setups.ProductionSetup(this, 'Nodes', {
      ...SETUP,
      nodeClassOptions: {
        amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
        userData: USER_DATA,
        kubelet: { systemReserved: { cpu: '100m', memory: '200Mi' }, evictionHard: { 'memory.available': '5%' } },
      },
    });
    new workloads.ResilientDeployment(this, 'Search', {
      metadata: { name: 'search' },
      containers: [server('registry.example.com/search:8.1.0', 1, 4)],
      minReplicas: 3,
      zoneCount: 3,
    });
  }
}
