/** A release of Karpenter for AWS whose runtime validation can be built. */
export interface Release {
  readonly provider: string;
  /** Version of the core module that the provider requires. */
  readonly asksFor: string;
  /** Version of the core used for the build, if the module proxy does not serve the required one. */
  readonly core?: string;
  /** Build tags, which select the files of ../runtime that fit the release. */
  readonly tags: readonly string[];
}

/** Oldest first. The newest release is in ../go.mod, because the scheduler's oracle uses it, too. */
export const RELEASES: readonly Release[] = [
  { provider: '1.0.8', asksFor: '1.0.5', tags: ['before11'] },
  { provider: '1.3.3', asksFor: '1.3.2', core: '1.3.3', tags: ['tags'] },
  { provider: '1.8.6', asksFor: '1.8.2', tags: ['tags', 'overlay'] },
  { provider: '1.9.3', asksFor: '1.9.1', core: '1.9.0', tags: ['tags', 'overlay'] },
  { provider: '1.10.0', asksFor: '1.10.0', tags: ['tags', 'overlay'] },
  { provider: '1.13.0', asksFor: '1.13.0', tags: ['tags', 'overlay'] },
  { provider: '1.14.0', asksFor: '1.14.0', tags: ['tags', 'overlay', 'buffer', 'bufferbyobject'] },
  {
    provider: '1.15.1',
    asksFor: '1.15.1',
    core: '1.15.0',
    tags: ['controller', 'overlay', 'buffer', 'bufferbyrequest'],
  },
];

export const NEWEST = RELEASES[RELEASES.length - 1];
