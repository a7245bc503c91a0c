/**
 * The wording of everything that people read: reports, findings, errors and progress. These functions decide the one
 * format of each kind of value. Fields that programs read stay numbers.
 */
export { amountsText, amountText, baseUnitText, quantityText } from './amounts';
export { asciiText } from './ascii';
export { clockText, durationText, roundedDurationText } from './durations';
export { changeText, listText, moreText, shortListText, stepsText, workloadNames } from './amounts';
export {
  dailyAmountText,
  dailyPriceText,
  hourlyAmountText,
  hourlyPriceCell,
  hourlyPriceText,
  hourlyPriceUnit,
  HOURS_PER_MONTH,
  monthlyAmountText,
  monthlyPrice,
  monthlyPriceText,
} from './money';
export { countText, fixedText, numberText, percentText } from './numbers';
