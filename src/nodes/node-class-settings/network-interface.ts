import { Duration } from 'cdk8s';

/**
 * Type of a network interface.
 */
export enum NetworkInterfaceType {
  /** An ordinary interface. */
  INTERFACE = 'interface',
  /** Elastic Fabric Adapter without an IP address. */
  EFA_ONLY = 'efa-only',
}

/**
 * A network interface that each node is launched with.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specnetworkinterfaces
 */
export interface NetworkInterface {
  /**
   * Number of the network card, from 0.
   */
  readonly networkCardIndex: number;

  /**
   * Number of the device on the instance, from 0. The primary interface is device 0 of card 0.
   */
  readonly deviceIndex: number;

  /**
   * Type of the interface.
   *
   * @default NetworkInterfaceType.INTERFACE
   */
  readonly interfaceType?: NetworkInterfaceType;
}

/**
 * Idle timeouts after which a security group stops tracking a connection. Set at least one of them. Only instances on
 * the Nitro system support these settings.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/security-group-connection-tracking.html#connection-tracking-timeouts
 */
export interface ConnectionTracking {
  /**
   * For established TCP connections, from 1 minute to 5 days.
   *
   * @default - 350 seconds for instance types of the sixth Nitro generation, otherwise 5 days
   */
  readonly tcpEstablishedTimeout?: Duration;

  /**
   * For UDP flows with more than one request and response, from 60 to 180 seconds.
   *
   * @default Duration.seconds(180)
   */
  readonly udpStreamTimeout?: Duration;

  /**
   * For UDP flows in one direction, or with a single request and response, from 30 to 60 seconds.
   *
   * @default Duration.seconds(30)
   */
  readonly udpTimeout?: Duration;
}

/** @internal */
export function _toNetworkInterface({
  networkCardIndex,
  deviceIndex,
  interfaceType,
}: NetworkInterface): Record<string, unknown> {
  return { networkCardIndex, deviceIndex, interfaceType: interfaceType ?? NetworkInterfaceType.INTERFACE };
}

/** @internal */
export function _toConnectionTracking({
  tcpEstablishedTimeout,
  udpStreamTimeout,
  udpTimeout,
}: ConnectionTracking): Record<string, unknown> {
  return {
    tcpEstablishedTimeout: tcpEstablishedTimeout?.toSeconds({ integral: false }),
    udpStreamTimeout: udpStreamTimeout?.toSeconds({ integral: false }),
    udpTimeout: udpTimeout?.toSeconds({ integral: false }),
  };
}
