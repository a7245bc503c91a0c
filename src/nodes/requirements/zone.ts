import { Label } from '../../model';
import { requirePlausibleRegion } from '../private/plausible-names';

/** `use1-az1`, `usw2-lax1-az1`, `use1-wl1-bos-wlz1`. */
const ZONE_ID = /^[a-z]+\d+-(?:[a-z0-9]+-)*(?:az|wlz)\d+$/;
/** `us-east-1a`, `us-west-2-lax-1a`. */
const ZONE_NAME = /^[a-z]+(?:-[a-z0-9]+)*-\d+[a-z]$/;
/** `us-east-1` */
const REGION = /^[a-z]+(?:-[a-z]+)+-\d+$/;

/**
 * Availability zone by its name, such as `us-east-1a`. In another AWS account, the same name can denote a different
 * location.
 */
export class Zone {
  /**
   * A zone.
   *
   * @param name such as `us-east-1a`
   * @throws Error if this is the id of a zone or a region, or there is no such region
   */
  public static of(name: string): Zone {
    if (ZONE_ID.test(name))
      throw new Error(
        `${Label.ZONE}: must be the name of a zone, got its id ${JSON.stringify(name)}; use Requirement.zoneId()`,
      );
    if (REGION.test(name))
      throw new Error(
        `${Label.ZONE}: must be the name of a zone, got the region ${JSON.stringify(name)}; write for example ${name}a`,
      );
    requirePlausibleRegion('Zone.of', name);
    return new Zone(name);
  }

  /**
   * Zones of one region.
   *
   * @param region such as `us-east-1`
   * @param letters the last letters of the zones' names
   * @throws Error if there is no such region
   */
  public static ofRegion(region: string, ...letters: string[]): Zone[] {
    return letters.map((letter) => Zone.of(`${region}${letter}`));
  }

  private constructor(
    /** The label's value. */
    public readonly value: string,
  ) {}
}

/**
 * Availability zone by its id, such as `use1-az1`, which denotes the same location in every AWS account.
 */
export class ZoneId {
  /**
   * A zone.
   *
   * @param id such as `use1-az1`
   * @throws Error if this is the name of a zone
   */
  public static of(id: string): ZoneId {
    if (ZONE_NAME.test(id))
      throw new Error(
        `${Label.ZONE_ID}: must be the id of a zone, got its name ${JSON.stringify(id)}; use Requirement.zone()`,
      );
    return new ZoneId(id);
  }

  private constructor(
    /** The label's value. */
    public readonly value: string,
  ) {}
}
