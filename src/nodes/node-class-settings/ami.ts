/**
 * The operating system family of an AMI. It decides the default user data and the default disks of a node.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specamifamily
 */
export enum AmiFamily {
  /** Amazon Linux 2. */
  AL2 = 'AL2',
  /** Amazon Linux 2023. */
  AL2023 = 'AL2023',
  /** Bottlerocket. */
  BOTTLEROCKET = 'Bottlerocket',
  /** Karpenter adds nothing to the user data. */
  CUSTOM = 'Custom',
  /** Windows Server 2019. */
  WINDOWS_2019 = 'Windows2019',
  /** Windows Server 2022. */
  WINDOWS_2022 = 'Windows2022',
  /** Windows Server 2025. */
  WINDOWS_2025 = 'Windows2025',
}

/**
 * Narrows a selection of AMIs to an owner.
 */
export interface AmiOwnerOptions {
  /**
   * An account id, or `self`, `amazon` or `aws-marketplace`.
   *
   * @default - `self` and `amazon` if a name is given, otherwise any owner
   */
  readonly owner?: string;
}

/**
 * Narrows a selection of AMIs by name further.
 */
export interface AmiNameOptions extends AmiOwnerOptions {
  /**
   * Tags that the images must all have. The value `*` matches any value.
   *
   * @default - images with any tags
   */
  readonly tags?: { [key: string]: string };
}

/**
 * Selects AMIs. Terms of a list are ORed. If several images fit an architecture, the newest one is launched.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specamiselectorterms
 */
export class AmiSelectorTerm {
  /**
   * The image of Amazon Linux 2 that AWS builds for EKS. It must be the only term.
   *
   * @param version such as `v20250915`. With `latest`, every new image makes all nodes drift.
   */
  public static al2(version: string): AmiSelectorTerm {
    return AmiSelectorTerm.byAlias(`al2@${version}`);
  }

  /**
   * The image of Amazon Linux 2023 that AWS builds for EKS. It must be the only term.
   *
   * @param version such as `v20250915`. With `latest`, every new image makes all nodes drift.
   */
  public static al2023(version: string): AmiSelectorTerm {
    return AmiSelectorTerm.byAlias(`al2023@${version}`);
  }

  /**
   * The image of Bottlerocket that AWS builds for EKS. It must be the only term.
   *
   * @param version such as `v1.40.0`. With `latest`, every new image makes all nodes drift.
   */
  public static bottlerocket(version: string): AmiSelectorTerm {
    return AmiSelectorTerm.byAlias(`bottlerocket@${version}`);
  }

  /** The latest Windows Server 2019. Its images cannot be pinned. It must be the only term. */
  public static windows2019(): AmiSelectorTerm {
    return AmiSelectorTerm.byAlias('windows2019@latest');
  }

  /** The latest Windows Server 2022. Its images cannot be pinned. It must be the only term. */
  public static windows2022(): AmiSelectorTerm {
    return AmiSelectorTerm.byAlias('windows2022@latest');
  }

  /** The latest Windows Server 2025. Its images cannot be pinned. It must be the only term. */
  public static windows2025(): AmiSelectorTerm {
    return AmiSelectorTerm.byAlias('windows2025@latest');
  }

  /**
   * An image that AWS builds for EKS, by an alias that has no method here yet. It must be the only term.
   *
   * @param alias family and version, with an `@` between them
   */
  public static byAlias(alias: string): AmiSelectorTerm {
    return new AmiSelectorTerm({ alias });
  }

  /** One image. */
  public static byId(id: string): AmiSelectorTerm {
    return new AmiSelectorTerm({ id });
  }

  /**
   * Images with this name, in which `*` matches any characters.
   */
  public static byName(name: string, options: AmiNameOptions = {}): AmiSelectorTerm {
    return new AmiSelectorTerm({ name, tags: options.tags && { ...options.tags }, owner: options.owner });
  }

  /**
   * Images with all of these tags. The value `*` matches any value.
   */
  public static byTags(tags: { [key: string]: string }, options: AmiOwnerOptions = {}): AmiSelectorTerm {
    return new AmiSelectorTerm({ tags: { ...tags }, owner: options.owner });
  }

  /**
   * The image whose id a parameter of Systems Manager holds, given by name or ARN.
   */
  public static bySsmParameter(parameter: string): AmiSelectorTerm {
    return new AmiSelectorTerm({ ssmParameter: parameter });
  }

  private constructor(private readonly fields: Record<string, unknown>) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return { ...this.fields };
  }
}
