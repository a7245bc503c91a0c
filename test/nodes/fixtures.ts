import { Chart, Testing } from 'cdk8s';
import * as nodes from '../../src/nodes';

export const newChart = (): Chart => new Chart(Testing.app(), 'chart');

/** The spec of the only object of a kind in the app of the chart. */
export function specOf(chart: Chart, kind: string): any {
  const matches = Testing.synth(chart).filter((object: { kind: string }) => object.kind === kind);
  expect(matches).toHaveLength(1);
  return matches[0].spec;
}

export const NODE_CLASS: nodes.EC2NodeClassProps = {
  amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('latest')],
  identity: nodes.NodeIdentity.role('KarpenterNodeRole'),
  subnetSelectorTerms: [nodes.SubnetSelectorTerm.byDiscoveryTag('cluster')],
  securityGroupSelectorTerms: [nodes.SecurityGroupSelectorTerm.byDiscoveryTag('cluster')],
};

export function newNodePool(chart: Chart, props: Omit<nodes.NodePoolProps, 'nodeClass'> = {}): nodes.NodePool {
  return new nodes.NodePool(chart, 'pool', {
    nodeClass: nodes.EC2NodeClass.fromEC2NodeClassName(chart, 'class', 'default'),
    ...props,
  });
}
