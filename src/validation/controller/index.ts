export { controllerAssumptions } from './assumptions';
export { CHART_NAME, CRD_CHART_NAME, isChart, mergedValues, nameOfChart } from './chart';
export { FROM_ELSEWHERE, settingsOfChart, variableOfSetting } from './container-settings';
export { findControllers, installed, releasedControllers, valueAt } from './controller';
export { optionsOfController } from './controller-options';
export { deployedBy } from './deployment';
export type { Controller } from './model';
export { exactVersion, syncedControllers, syncedReleases } from './synced';
export type { SyncedRelease } from './synced-release';
