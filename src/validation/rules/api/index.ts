import { AutoModeLifetimeTooLong } from './auto-mode-lifetime-too-long';
import { ControllerSettingsShape } from './controller-settings-shape';
import { CustomLabelUnknownToAnyNodePool } from './custom-label-unknown-to-any-nodepool';
import { FeatureGateOff } from './feature-gate-off';
import { LegacyApiVersion } from './legacy-api-version';
import { NodeOverlayConflict } from './node-overlay-conflict';
import { NodeClassRefIncompleteOrDangling } from './nodeclassref-incomplete-or-dangling';
import { PriorityClassMissing } from './priority-class-missing';
import { DuplicateYamlKey, RejectedByKarpenter } from './reader-rules';
import { RequirementKeyNotWellKnown } from './requirement-key-not-well-known';
import { RequirementsContradictThemselves } from './requirements-contradict-themselves';
import { SelectorIdImpossible } from './selector-id-impossible';
import { Rule } from '../rule';

/** In the order of their ids. */
export const API_RULES: readonly Rule[] = [
  new RejectedByKarpenter(),
  new LegacyApiVersion(),
  new NodeClassRefIncompleteOrDangling(),
  new RequirementKeyNotWellKnown(),
  new CustomLabelUnknownToAnyNodePool(),
  new RequirementsContradictThemselves(),
  new DuplicateYamlKey(),
  new FeatureGateOff(),
  new ControllerSettingsShape(),
  new NodeOverlayConflict(),
  new PriorityClassMissing(),
  new SelectorIdImpossible(),
  new AutoModeLifetimeTooLong(),
];
