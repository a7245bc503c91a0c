export * from './bootstrap';
export { findFormatProblem } from './format';
export { kubeletSettingsIn } from './kubelet-settings';
