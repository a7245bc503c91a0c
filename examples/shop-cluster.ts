/** The cluster of the examples, and the containers of its workloads. */
import { Size } from 'cdk8s';
import { ContainerProps, Cpu } from 'cdk8s-plus-28';
import { nodes, setups } from '../src';

const NODE_ROLE = nodes.NodeIdentity.role('KarpenterNodeRole-shop');

export const ZONES = nodes.Zone.ofRegion('eu-west-1', 'a', 'b', 'c');

/** Role and network of an EC2NodeClass. */
export const NETWORK = {
  identity: NODE_ROLE,
  subnetSelectorTerms: [nodes.SubnetSelectorTerm.byDiscoveryTag('shop')],
  securityGroupSelectorTerms: [nodes.SecurityGroupSelectorTerm.byDiscoveryTag('shop')],
};

/** The required properties of a ProductionSetup, and the zones. */
export const SETUP = {
  cluster: setups.SetupCluster.byDiscoveryTag('shop', NODE_ROLE),
  nodeClassOptions: { amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')] },
  zones: ZONES,
};

/** A container that serves requests on port 8080. */
export function server(image: string, cpus: number, gibibytes: number): ContainerProps {
  return { ...worker(image, cpus, gibibytes), portNumber: 8080 };
}

/** A container without a port. */
export function worker(image: string, cpus: number, gibibytes: number): ContainerProps {
  const memory = Size.gibibytes(gibibytes);
  return {
    image,
    resources: { cpu: { request: Cpu.millis(cpus * 1000) }, memory: { request: memory, limit: memory } },
  };
}
