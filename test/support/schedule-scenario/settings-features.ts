import { Feature } from './draft';

const ignoredPreferences: Feature = {
  name: 'ignoredPreferences',
  apply: ({ settings }) => {
    settings.preferencePolicy = 'Ignore';
  },
};

const otherZones: Feature = {
  name: 'otherZones',
  apply: ({ dice, settings }) => {
    settings.zones = dice
      .some(['a', 'b', 'c', 'd', 'e', 'f'], dice.pick([1, 2, 4, 6]))
      .map((letter) => settings.region + letter);
  },
};

const memoryOverhead: Feature = {
  name: 'memoryOverhead',
  apply: ({ dice, settings }) => {
    settings.vmMemoryOverheadPercent = dice.pick([0, 0.05, 0.1]);
    settings.reservedENIs = dice.pick([0, 1]);
  },
};

/** Applied first, because the other features choose among its zones. */
export const SETTINGS_FEATURES: readonly Feature[] = [ignoredPreferences, otherZones, memoryOverhead];
