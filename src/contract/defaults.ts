import { specField } from './spec-field';

/** What the API server fills in where a manifest says nothing. */
export interface MetadataDefaults {
  readonly httpEndpoint: string;
  readonly httpProtocolIPv6: string;
  readonly httpPutResponseHopLimit: number;
  readonly httpTokens: string;
}

export function metadataDefaults(): MetadataDefaults {
  return specField('EC2NodeClass', 'metadataOptions').default as MetadataDefaults;
}

export function disruptionDefaults(): { readonly consolidateAfter: string; readonly consolidationPolicy: string } {
  const { consolidateAfter } = specField('NodePool', 'disruption').default as { consolidateAfter: string };
  return { consolidateAfter, consolidationPolicy: specField('NodePool', 'disruption', 'consolidationPolicy').default as string };
}

export function defaultBudgetNodes(): string {
  return specField('NodePool', 'disruption', 'budgets', 0, 'nodes').default as string;
}

export function defaultProvisioningStrategy(): string {
  return specField('CapacityBuffer', 'provisioningStrategy').default as string;
}
