import { Form, idForm, requireForm, requireTags } from '../private/call-checks';

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

const DATE_VERSION: Form = { pattern: /^(?:latest|v\d{8})$/, words: 'latest, or v and a date', example: 'v20250915' };
/** Karpenter removes the `v` of Bottlerocket's versions, so that it may be missing. */
const BOTTLEROCKET_VERSION: Form = {
  pattern: /^(?:latest|v?\d+\.\d+\.\d+(?:-[\w.]+)?)$/,
  words: 'latest, or v and three numbers',
  example: 'v1.40.0',
};
const ALIAS: Form = {
  pattern: /^[a-zA-Z0-9]+@[^@]+$/,
  words: 'a family and a version with one @ between them',
  example: 'al2023@v20250915',
};
const AMI_ID = idForm('ami');
const OWNER: Form = {
  pattern: /^(?:\d{12}|self|amazon|aws-marketplace)$/,
  words: 'an account id, or self, amazon or aws-marketplace',
  example: 'amazon',
};
const PARAMETER: Form = {
  pattern: /^(?:\/|arn:aws[\w-]*:ssm:)?[\w.:/-]+$/,
  words: 'the name or the ARN of a parameter',
  example: '/golden/al2023/image_id',
};

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
   *
   * @throws Error if the version has another form
   */
  public static al2(version: string): AmiSelectorTerm {
    requireForm('AmiSelectorTerm.al2', version, DATE_VERSION);
    return AmiSelectorTerm.byAlias(`al2@${version}`);
  }

  /**
   * The image of Amazon Linux 2023 that AWS builds for EKS. It must be the only term.
   *
   * @param version such as `v20250915`. With `latest`, every new image makes all nodes drift.
   *
   * @throws Error if the version has another form
   */
  public static al2023(version: string): AmiSelectorTerm {
    requireForm('AmiSelectorTerm.al2023', version, DATE_VERSION);
    return AmiSelectorTerm.byAlias(`al2023@${version}`);
  }

  /**
   * The image of Bottlerocket that AWS builds for EKS. It must be the only term.
   *
   * @param version such as `v1.40.0`. With `latest`, every new image makes all nodes drift.
   *
   * @throws Error if the version has another form
   */
  public static bottlerocket(version: string): AmiSelectorTerm {
    requireForm('AmiSelectorTerm.bottlerocket', version, BOTTLEROCKET_VERSION);
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
   * @throws Error if it is not such an alias
   */
  public static byAlias(alias: string): AmiSelectorTerm {
    requireForm('AmiSelectorTerm.byAlias', alias, ALIAS);
    return new AmiSelectorTerm({ alias });
  }

  /**
   * One image.
   *
   * @param id such as `ami-0123456789abcdef0`
   * @throws Error if it is no id of an image
   */
  public static byId(id: string): AmiSelectorTerm {
    requireForm('AmiSelectorTerm.byId', id, AMI_ID);
    return new AmiSelectorTerm({ id });
  }

  /**
   * Images with this name, in which `*` matches any characters.
   *
   * @throws Error if the owner has another form
   */
  public static byName(name: string, options: AmiNameOptions = {}): AmiSelectorTerm {
    if (options.owner !== undefined) requireForm('AmiSelectorTerm.byName.owner', options.owner, OWNER);
    return new AmiSelectorTerm({ name, tags: options.tags && { ...options.tags }, owner: options.owner });
  }

  /**
   * Images with all of these tags. The value `*` matches any value.
   *
   * @throws Error if there is no tag, or the owner has another form
   */
  public static byTags(tags: { [key: string]: string }, options: AmiOwnerOptions = {}): AmiSelectorTerm {
    requireTags('AmiSelectorTerm.byTags', tags);
    if (options.owner !== undefined) requireForm('AmiSelectorTerm.byTags.owner', options.owner, OWNER);
    return new AmiSelectorTerm({ tags: { ...tags }, owner: options.owner });
  }

  /**
   * The image whose id a parameter of Systems Manager holds, given by name or ARN.
   *
   * @throws Error if it is neither
   */
  public static bySsmParameter(parameter: string): AmiSelectorTerm {
    requireForm('AmiSelectorTerm.bySsmParameter', parameter, PARAMETER);
    return new AmiSelectorTerm({ ssmParameter: parameter });
  }

  private constructor(private readonly fields: Record<string, unknown>) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return { ...this.fields };
  }
}
