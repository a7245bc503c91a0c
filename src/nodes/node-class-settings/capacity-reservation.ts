import { ACCOUNT_ID, idForm, requireForm, requireTags } from '../private/call-checks';

/**
 * Which instances use an EC2 capacity reservation.
 */
export enum InstanceMatchCriteria {
  /** Any instance with matching attributes uses the reservation. */
  OPEN = 'open',
  /** Only instances that name the reservation use it. */
  TARGETED = 'targeted',
}

/**
 * Narrows a selection of capacity reservations to an account.
 */
export interface CapacityReservationOwnerOptions {
  /**
   * Id of the account that owns the reservations, in 12 digits.
   *
   * @default - any account that shares reservations with this one
   */
  readonly ownerId?: string;
}

/**
 * Narrows a selection of capacity reservations by tags further.
 */
export interface CapacityReservationTagOptions extends CapacityReservationOwnerOptions {
  /**
   * Which instances use the reservations.
   *
   * @default - either kind
   */
  readonly instanceMatchCriteria?: InstanceMatchCriteria;
}

/**
 * Selects the EC2 capacity reservations in which nodes of the capacity type `reserved` run. Terms of a list are ORed.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#speccapacityreservationselectorterms
 */
export class CapacityReservationSelectorTerm {
  /**
   * One reservation.
   *
   * @param id such as `cr-0123456789abcdef0`
   * @throws Error if it has another form
   */
  public static byId(id: string): CapacityReservationSelectorTerm {
    requireForm('CapacityReservationSelectorTerm.byId', id, idForm('cr'));
    return new CapacityReservationSelectorTerm({ id });
  }

  /**
   * Reservations with all of these tags. The value `*` matches any value.
   *
   * @throws Error if there is no tag, or the owner is no account id
   */
  public static byTags(
    tags: { [key: string]: string },
    options: CapacityReservationTagOptions = {},
  ): CapacityReservationSelectorTerm {
    requireTags('CapacityReservationSelectorTerm.byTags', tags);
    const { ownerId: ownerID, instanceMatchCriteria } = options;
    if (ownerID !== undefined) requireForm('CapacityReservationSelectorTerm.byTags.ownerId', ownerID, ACCOUNT_ID);
    return new CapacityReservationSelectorTerm({ tags: { ...tags }, ownerID, instanceMatchCriteria });
  }

  /**
   * Reservations with these instance match criteria.
   *
   * @throws Error if the owner is no account id
   */
  public static byInstanceMatchCriteria(
    instanceMatchCriteria: InstanceMatchCriteria,
    options: CapacityReservationOwnerOptions = {},
  ): CapacityReservationSelectorTerm {
    if (options.ownerId !== undefined)
      requireForm('CapacityReservationSelectorTerm.byInstanceMatchCriteria.ownerId', options.ownerId, ACCOUNT_ID);
    return new CapacityReservationSelectorTerm({ ownerID: options.ownerId, instanceMatchCriteria });
  }

  private constructor(private readonly fields: Record<string, unknown>) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return { ...this.fields };
  }
}
