import { metadataDefaults } from '../../contract';

/**
 * Access to the instance metadata service, which also hands out the credentials of the node's role.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specmetadataoptions
 */
export interface MetadataOptions {
  /**
   * Whether the metadata service answers at all.
   *
   * @default true
   */
  readonly httpEndpointEnabled?: boolean;

  /**
   * Whether the metadata service also answers on IPv6.
   *
   * @default false
   */
  readonly httpProtocolIpv6Enabled?: boolean;

  /**
   * How many network hops an answer may travel, from 1 to 64. With 1, only the node itself and pods in its network
   * namespace can reach the metadata service.
   *
   * @default 1
   */
  readonly httpPutResponseHopLimit?: number;

  /**
   * Whether a caller needs a session token first (IMDSv2).
   *
   * @default true
   */
  readonly httpTokensRequired?: boolean;
}

/**
 * Writes the defaults explicitly, so that reviewers of the manifest see them.
 *
 * @internal
 */
export function _toMetadataOptions(options: MetadataOptions = {}): Record<string, unknown> {
  const defaults = metadataDefaults();
  return {
    httpEndpoint: options.httpEndpointEnabled === false ? 'disabled' : defaults.httpEndpoint,
    httpProtocolIPv6: options.httpProtocolIpv6Enabled ? 'enabled' : defaults.httpProtocolIPv6,
    httpPutResponseHopLimit: options.httpPutResponseHopLimit ?? defaults.httpPutResponseHopLimit,
    httpTokens: options.httpTokensRequired === false ? 'optional' : defaults.httpTokens,
  };
}
