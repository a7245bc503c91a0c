export { CHART_NAME, CRD_CHART_NAME, chartDefault, effectiveValues, isChart, chartFullName } from './chart';
export { VALUE_FROM, settingsOfChart, variableOfSetting } from './container-settings';
export { optionsOfController } from './controller-options';
export { controllersDeployedBy } from './deployment';
export {
  controllerAssumptions,
  findControllers,
  installedControllers,
  chartControllers,
  HELM_VALUES,
  releaseOf,
  chartValue,
} from './find-controllers';
export { unreadValues } from './chart-values';
export { givenSettings, givenVariables } from './given-settings';
export type { GivenSetting } from './given-settings';
export { exactVersion, gitOpsControllers, gitOpsReleases } from './gitops';
export { installedCharts } from './installed-charts';
export type { InstalledChart } from './installed-charts';
export { misplacedFields } from './misplaced-fields';
export { withKarpenterOfRepository } from './karpenter-of-repository';
export type { Controller, GitOpsRelease } from './model';
