/**
 * Selects the EC2 placement group of the nodes.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-groups.html
 */
export class PlacementGroupSelector {
  /** The placement group with this id, such as `pg-0123456789abcdef0`. */
  public static byId(id: string): PlacementGroupSelector {
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
