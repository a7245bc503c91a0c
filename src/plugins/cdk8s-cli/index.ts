export { Cdk8sValidation } from './cdk8s-validation';
