import { Duration } from 'cdk8s';
import { FieldCase } from './field-case';
import * as nodes from '../../../src/nodes';

type Case = FieldCase<nodes.EC2NodeClassProps>;

export function networkCases(): Case[] {
  return [
    {
      field: 'spec.associatePublicIPAddress',
      prop: 'associatePublicIpAddress',
      props: { associatePublicIpAddress: false },
      value: false,
    },
    {
      field: 'spec.ipPrefixCount',
      prop: 'ipPrefixCount',
      props: { ipPrefixCount: 2 },
      value: 2,
      misuse: { ipPrefixCount: -1 },
    },
    networkInterface('networkCardIndex', 0, -1),
    networkInterface('deviceIndex', 0, 0.5),
    {
      ...networkInterface('interfaceType', 'interface'),
      props: { networkInterfaces: [primary({ interfaceType: nodes.NetworkInterfaceType.INTERFACE })] },
    },
    tracking('tcpEstablishedTimeout', Duration.minutes(5), 300, Duration.seconds(59)),
    tracking('udpStreamTimeout', Duration.seconds(90), 90, Duration.seconds(181)),
    tracking('udpTimeout', Duration.seconds(45), 45, Duration.seconds(29)),
  ];
}

function networkInterface(field: string, value: unknown, misuse?: number): Case {
  return {
    field: `spec.networkInterfaces[].${field}`,
    prop: `networkInterfaces.${field}`,
    props: { networkInterfaces: [primary({})] },
    value,
    misuse: misuse === undefined ? undefined : { networkInterfaces: [primary({ [field]: misuse }), primary({})] },
  };
}

function primary(change: Partial<nodes.NetworkInterface>): nodes.NetworkInterface {
  return { networkCardIndex: 0, deviceIndex: 0, ...change };
}

function tracking(field: keyof nodes.ConnectionTracking, timeout: Duration, value: number, misuse: Duration): Case {
  return {
    field: `spec.connectionTracking.${field}`,
    prop: `connectionTracking.${field}`,
    props: { connectionTracking: { [field]: timeout } },
    value,
    misuse: { connectionTracking: { [field]: misuse } },
  };
}
