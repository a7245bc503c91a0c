export * from './bootstrap';
export { findFormatProblem } from './format';
export { HiddenSetting, kubeletSettingsIn } from './kubelet-settings';
