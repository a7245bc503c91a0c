/**
 * Selectors for the subnets, the security groups and the placement group of nodes. Terms of a list are ORed, tags of
 * one term are ANDed.
 */
import { idForm, requireForm, requireTags } from '../private/call-checks';

/** The tag that Karpenter's guides put on the subnets and security groups of a cluster's nodes. */
const DISCOVERY_TAG = 'karpenter.sh/discovery';

/**
 * Selects subnets, and with them the availability zones in which nodes can be launched.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specsubnetselectorterms
 */
export class SubnetSelectorTerm {
  /**
   * One subnet.
   *
   * @param id such as `subnet-0123456789abcdef0`
   * @throws Error if it has another form
   */
  public static byId(id: string): SubnetSelectorTerm {
    requireForm('SubnetSelectorTerm.byId', id, idForm('subnet'));
    return new SubnetSelectorTerm({ id });
  }

  /**
   * Subnets with all of these tags. The value `*` matches any value.
   *
   * @throws Error if there is no tag
   */
  public static byTags(tags: { [key: string]: string }): SubnetSelectorTerm {
    requireTags('SubnetSelectorTerm.byTags', tags);
    return new SubnetSelectorTerm({ tags: { ...tags } });
  }

  /**
   * Subnets with the tag `karpenter.sh/discovery`.
   *
   * @param clusterName value of the tag
   */
  public static byDiscoveryTag(clusterName: string): SubnetSelectorTerm {
    return SubnetSelectorTerm.byTags({ [DISCOVERY_TAG]: clusterName });
  }

  private constructor(private readonly fields: Record<string, unknown>) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return { ...this.fields };
  }
}

/**
 * Selects security groups. A node gets all of them.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specsecuritygroupselectorterms
 */
export class SecurityGroupSelectorTerm {
  /**
   * One security group.
   *
   * @param id such as `sg-0123456789abcdef0`
   * @throws Error if it has another form
   */
  public static byId(id: string): SecurityGroupSelectorTerm {
    requireForm('SecurityGroupSelectorTerm.byId', id, idForm('sg'));
    return new SecurityGroupSelectorTerm({ id });
  }

  /** Security groups with this group name, which is not the tag `Name`. */
  public static byName(name: string): SecurityGroupSelectorTerm {
    return new SecurityGroupSelectorTerm({ name });
  }

  /**
   * Security groups with all of these tags. The value `*` matches any value.
   *
   * @throws Error if there is no tag
   */
  public static byTags(tags: { [key: string]: string }): SecurityGroupSelectorTerm {
    requireTags('SecurityGroupSelectorTerm.byTags', tags);
    return new SecurityGroupSelectorTerm({ tags: { ...tags } });
  }

  /**
   * Security groups with the tag `karpenter.sh/discovery`.
   *
   * @param clusterName value of the tag
   */
  public static byDiscoveryTag(clusterName: string): SecurityGroupSelectorTerm {
    return SecurityGroupSelectorTerm.byTags({ [DISCOVERY_TAG]: clusterName });
  }

  private constructor(private readonly fields: Record<string, unknown>) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return { ...this.fields };
  }
}

/**
 * Selects the EC2 placement group of the nodes.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-groups.html
 */
export class PlacementGroupSelector {
  /**
   * The placement group with this id.
   *
   * @param id such as `pg-0123456789abcdef0`
   * @throws Error if it has another form
   */
  public static byId(id: string): PlacementGroupSelector {
    requireForm('PlacementGroupSelector.byId', id, idForm('pg'));
    return new PlacementGroupSelector({ id });
  }

  /** The placement group with this name. */
  public static byName(name: string): PlacementGroupSelector {
    return new PlacementGroupSelector({ name });
  }

  private constructor(private readonly fields: Record<string, unknown>) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return { ...this.fields };
  }
}
