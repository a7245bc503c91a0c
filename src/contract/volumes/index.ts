/** What EC2, EBS and its CSI driver accept as volumes, and what volumes cost. */
export { checkStorageClassParameters } from './storage-class-parameters';
export { gp3Instead, volumeUsdPerMonth } from './volume-prices';
export { checkRootVolume, checkVolumeRates } from './volume-rates';
