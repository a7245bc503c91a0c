export * from './cron-schedule';
export { hasDataFile, readDataFile } from './data-file';
export * from './duration';
export { editDistance, nearestKeyOfValue, nearestName, nearestNames } from './edit-distance';
export * from './kubelet-expression';
export * from './label-keys';
export * from './label-selector';
export { LABEL_SHORT_NAMES, labelKeyOf, labelShortName } from './label-short-names';
export * from './label-typo';
export * from './quantity';
export { QuantityError } from './quantity-parser';
export { likelyQuantities } from './quantity-typo';
export {
  isPipeOfShell,
  readNamedFile,
  readRegularFile,
  readStartOfFile,
  readRegularText,
  UnusableFileError,
} from './files/regular-file';
export { parseYaml } from './files/yaml-value';
export { leadsInto, repositoryRoot, workTreeOf } from './files/repository-root';
export * from './requirement';
export { parseRequirements, requirementsText, requirementText } from './requirement-text';
export { RequirementTextError } from './requirement-text';
export * from './requirements';
export * from './resource-list';
export * from './taints';
export * from './text';
export { requireProps } from './required-props';
export { isTokenNumber, isTokenText, jsonText, printable, printableLine, shownNumber, valueText } from './printable';
export { parseGoBool, parseIntegerLikeGo } from './go-strconv';
export { errorWithoutStack, withLongStackTrace } from './stack-traces';
export { memoizeByIdentity } from './memoize-by-identity';
export { RecentlyUsed } from './recently-used';
export { printedLength, wrapText } from './wrap-text';
